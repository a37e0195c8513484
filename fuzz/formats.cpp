#include "fuzz/formats.h"

#include <array>

#include "base/check.h"
#include "fuzz/mutate_binary.h"
#include "fuzz/mutate_text.h"
#include "trace/binary_reader.h"
#include "trace/binary_writer.h"
#include "trace/json_lines_writer.h"
#include "trace/open.h"
#include "trace/std_writer.h"

namespace heddle::fuzz {
namespace {

// In blocks of random size, so that there are some to lose, double and exchange.
std::string make_binary(const Trace& trace, Random& random) {
  std::string bytes;
  auto writer = *BinaryWriter::to(Output::to_memory(bytes));
  CHECK(writer->write_metadata(trace.metadata).ok());
  for (EventId e : trace.events()) {
    const EventRecord event = trace.record(e);
    CHECK(writer->append(trace.tables, {&event, 1}).ok());
    if (random.below(40) == 0) CHECK(writer->flush(trace.tables).ok());
  }
  CHECK(writer->finish(trace.tables, trace.metadata).ok());
  return bytes;
}

Result<Recovered> read_binary(std::string_view bytes) {
  TRY(auto input, Input::from_memory(bytes, "fuzz"));
  TRY(auto reader, BinaryReader::open(std::move(input)));
  TRY(Trace trace, collect(*reader));
  return Recovered{std::move(trace), reader->damage().has_value()};
}

template <typename Writer>
std::string make_text(const Trace& trace, Random&) {
  std::string text;
  Writer writer(Output::to_memory(text));
  CHECK(write_all(trace, writer).ok());
  return text;
}

// By what it looks like, as the command line does it.
Result<Recovered> read_any(std::string_view bytes) {
  TRY(auto input, Input::from_memory(bytes, "fuzz"));
  TRY(auto reader, open_trace(std::move(input)));
  TRY(Trace trace, collect(*reader));
  return Recovered{std::move(trace), reader->damage().has_value()};
}

constexpr std::array kFormats = {
    Format{"binary", make_binary, read_binary, mutate_binary, 0},
    Format{"std", make_text<StdWriter>, read_any, mutate_text, 1},
    Format{"json lines", make_text<JsonLinesWriter>, read_any, mutate_text, 0},
};

}  // namespace

std::span<const Format> formats() { return kFormats; }

void check_sound(const Trace& trace) {
  std::string bytes;
  auto writer = *BinaryWriter::to(Output::to_memory(bytes));
  const auto written = write_all(trace, *writer);
  CHECK(written.ok(), "{}", written.error().message);
  const auto again = read_binary(bytes);
  CHECK(again.ok() && !again->damaged && again->trace == trace);
}

}  // namespace heddle::fuzz
