// docs/trace-format.md says what the code does: its example is what the writer writes,
// its table of kinds is the one that the code has.
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "trace/binary_reader.h"
#include "trace/binary_writer.h"

namespace heddle {
namespace {

std::string document() {
  std::ifstream file(HEDDLE_SOURCE_DIR "/docs/trace-format.md");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// The trace of the document's example.
Trace example() {
  Trace trace;
  Tables& tables = trace.tables;
  const StringId file = tables.strings.intern("bank.cpp");
  for (std::uint32_t line : {3, 4, 5, 9}) tables.sites.add({.file = file, .line = line});
  tables.threads.add({});
  tables.threads.add({});
  tables.locations.add({.name = tables.strings.intern("x"), .size = 4});
  tables.locks.add({.name = tables.strings.intern("m")});
  trace.metadata.exit_status = 0;
  const auto add = [&](EventKind kind, std::uint32_t thread, std::uint32_t site) {
    EventRecord event{.kind = kind, .thread = ThreadId(thread), .site = SiteId(site)};
    event.has_value = is_access(kind);
    event.value = event.has_value ? 1 : 0;
    trace.append(event);
  };
  add(EventKind::acquire, 0, 0);
  add(EventKind::write, 0, 1);
  add(EventKind::release, 0, 2);
  add(EventKind::read, 1, 3);
  return trace;
}

// Lines of 16 bytes, each with its offset.
std::string dump(const std::string& bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i % 16 == 0) text += fmt::format("{}{:04x} ", i == 0 ? "" : "\n", i);
    text += fmt::format(" {:02x}", static_cast<unsigned char>(bytes[i]));
  }
  return text + "\n";
}

std::string undump(const std::string& text) {
  std::string bytes;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    while (words >> word) bytes += static_cast<char>(std::stoi(word, nullptr, 16));
  }
  return bytes;
}

// What stands in the document's block of code that begins like this.
std::string block_of_code(const std::string& begin) {
  const std::string text = document();
  const std::size_t first = text.find("```\n" + begin) + 4;
  return text.substr(first, text.find("```", first) - first);
}

TEST(TraceFormatDocument, ShowsTheBytesThatTheWriterWrites) {
  std::string bytes;
  auto writer = *BinaryWriter::to(Output::to_memory(bytes));
  ASSERT_TRUE(write_all(example(), *writer).ok());
  EXPECT_EQ(block_of_code("0000  89 48"), dump(bytes));
}

TEST(TraceFormatDocument, ShowsBytesThatTheReaderReads) {
  const std::string bytes = undump(block_of_code("0000  89 48"));
  auto reader = *BinaryReader::open(*Input::from_memory(bytes, "docs/trace-format.md"));
  const auto trace = collect(*reader);
  ASSERT_TRUE(trace.ok());
  EXPECT_FALSE(reader->damage());
  EXPECT_EQ(*trace, example());
}

std::string_view describe(DetailType detail) {
  switch (detail) {
    case DetailType::none: return "";
    case DetailType::memory_order: return "memory order";
    case DetailType::tried: return "tried";
    case DetailType::serial: return "serial";
  }
  return "";
}

TEST(TraceFormatDocument, ListsEveryKindOfEvent) {
  const std::string text = document();
  for (const EventKindInfo& row : kEventKinds) {
    const std::string line = fmt::format("| {} | {} | {} | {} |\n", static_cast<int>(row.kind),
                                         row.name, name_of(row.object), describe(row.detail));
    EXPECT_NE(text.find(line), std::string::npos) << "it lacks the line " << line;
  }
}

}  // namespace
}  // namespace heddle
