// How fast a large STD file is taken in: ten million lines with names and locations as
// RAPID's traces have them, read alone, converted to a binary trace, and written back as
// STD. What is written is dropped, so that the disk does not count.
#include <cstdint>
#include <random>
#include <string>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "base/output.h"
#include "trace/binary_writer.h"
#include "trace/std_reader.h"
#include "trace/std_writer.h"

namespace heddle {
namespace {

constexpr std::int64_t kLines = 10'000'000;

// Takes what it is given and drops it.
class NullOutput final : public Output {
 public:
  Result<void> write(std::string_view) override { return {}; }
  Result<void> close() override { return {}; }
};

// Sixteen threads; a tenth of the lines are lock events; 100,000 variables of which a few
// are hot; 5,000 locations in the program.
std::string std_text(std::int64_t lines) {
  std::mt19937_64 random(1);
  std::geometric_distribution<std::uint32_t> hot(0.001);
  std::string text;
  for (std::int64_t i = 0; i < lines; ++i) {
    const std::uint64_t bits = random();
    const std::uint64_t thread = bits % 16;
    const std::uint64_t location = bits / 16 % 5000 + 1;
    if (bits >> 60 == 0) {
      fmt::format_to(std::back_inserter(text), "T{}|{}(L2a45c4{:x})|{}\n", thread,
                     (bits >> 59 & 1) != 0 ? "acq" : "rel", bits / 128 % 64, location);
    } else {
      const std::uint64_t variable = bits >> 59 == 3 ? bits / 128 % 100'000 : hot(random);
      fmt::format_to(std::back_inserter(text), "T{}|{}(V16e92.{})|{}\n", thread,
                     (bits >> 58 & 1) != 0 ? "r" : "w", variable, location);
    }
  }
  return text;
}

const std::string& large_text() {
  static const std::string text = std_text(kLines);
  return text;
}

// Runs the whole text through a reader, and into the sink if there is one.
void drain(EventSink* sink) {
  StdReader reader(*Input::from_memory(large_text(), "bench.std"));
  std::vector<EventRecord> batch;
  do {
    CHECK(reader.next(batch).ok());
    benchmark::DoNotOptimize(batch.data());
    if (sink != nullptr) CHECK(sink->append(reader.tables(), batch).ok());
  } while (!batch.empty());
  if (sink != nullptr) CHECK(sink->finish(reader.tables(), reader.metadata()).ok());
}

void report(benchmark::State& state) {
  state.SetItemsProcessed(state.iterations() * kLines);
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(large_text().size()));
}

void BM_StdRead(benchmark::State& state) {
  large_text();
  for (auto _ : state) drain(nullptr);
  report(state);
}
BENCHMARK(BM_StdRead)->Unit(benchmark::kMillisecond);

void BM_StdToBinary(benchmark::State& state) {
  large_text();
  for (auto _ : state) {
    const auto writer = *BinaryWriter::to(std::make_unique<NullOutput>());
    drain(writer.get());
  }
  report(state);
}
BENCHMARK(BM_StdToBinary)->Unit(benchmark::kMillisecond);

void BM_StdToStd(benchmark::State& state) {
  large_text();
  for (auto _ : state) {
    StdWriter writer(std::make_unique<NullOutput>());
    drain(&writer);
  }
  report(state);
}
BENCHMARK(BM_StdToStd)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace heddle
