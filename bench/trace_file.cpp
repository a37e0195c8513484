// The binary trace file: how fast it is written and read on one core, and how large it is.
//
//   local          local_trace.h: a program with loops, arrays, hot variables, locks
//   local+values   the same with a value for every access
//   random         generate.h: every thread does anything to anything, the worst case
//
// "write" goes from a trace in memory to a file, "read" back into a trace, "stream"
// only hands the events out.
#include <cstdio>
#include <string>

#include <benchmark/benchmark.h>
#include <unistd.h>

#include "bench/local_trace.h"
#include "trace/binary_reader.h"
#include "trace/binary_writer.h"
#include "trace/generate.h"

namespace heddle::bench {
namespace {

Trace make_random_trace() {
  GenerateOptions options;
  options.events = 2'000'000;
  options.threads = 8;
  options.locations = 10'000;
  options.locks = options.conditions = options.semaphores = 0;
  options.barriers = options.onces = 0;
  options.fork_join = options.begin_end = options.exit = false;
  return generate_trace(options, 1);
}

enum Subject { kLocal, kLocalWithValues, kRandom };

const Trace& subject(Subject which) {
  static const Trace local = make_local_trace({});
  static const Trace with_values = make_local_trace({.values = true});
  static const Trace random = make_random_trace();
  return which == kLocal ? local : which == kRandom ? random : with_values;
}

// A file that is gone when the benchmark is.
class ScratchFile {
 public:
  ScratchFile() : path_(fmt::format("/tmp/heddle_bench_{}.heddle", ::getpid())) {}
  ~ScratchFile() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::uint64_t write_file(const Trace& trace, const std::string& path) {
  auto writer = *BinaryWriter::create(path);
  CHECK(write_all(trace, *writer).ok());
  return writer->bytes_written();
}

void report(benchmark::State& state, std::size_t events, std::uint64_t bytes) {
  state.counters["events"] = static_cast<double>(events);
  state.counters["events/s"] = benchmark::Counter(static_cast<double>(events),
                                                  benchmark::Counter::kIsIterationInvariantRate);
  state.counters["bytes/event"] = static_cast<double>(bytes) / static_cast<double>(events);
}

void write(benchmark::State& state, Subject which) {
  const Trace& trace = subject(which);
  const ScratchFile file;
  std::uint64_t bytes = 0;
  for (auto _ : state) bytes = write_file(trace, file.path());
  report(state, trace.size(), bytes);
}

void read(benchmark::State& state, Subject which) {
  const Trace& trace = subject(which);
  const ScratchFile file;
  const std::uint64_t bytes = write_file(trace, file.path());
  for (auto _ : state) {
    auto reader = *BinaryReader::open(*Input::open(file.path()));
    const auto back = collect(*reader);
    CHECK(back.ok() && back->size() == trace.size());
  }
  report(state, trace.size(), bytes);
}

void stream(benchmark::State& state, Subject which) {
  const Trace& trace = subject(which);
  const ScratchFile file;
  const std::uint64_t bytes = write_file(trace, file.path());
  std::vector<EventRecord> batch;
  for (auto _ : state) {
    auto reader = *BinaryReader::open(*Input::open(file.path()));
    std::size_t events = 0;
    do {
      CHECK(reader->next(batch).ok());
      events += batch.size();
    } while (!batch.empty());
    CHECK(events == trace.size());
  }
  report(state, trace.size(), bytes);
}

#define HEDDLE_BENCHMARK(function)                                                              \
  BENCHMARK_CAPTURE(function, local, kLocal)->Unit(benchmark::kMillisecond);                    \
  BENCHMARK_CAPTURE(function, local + values, kLocalWithValues)->Unit(benchmark::kMillisecond); \
  BENCHMARK_CAPTURE(function, random, kRandom)->Unit(benchmark::kMillisecond)

HEDDLE_BENCHMARK(write);
HEDDLE_BENCHMARK(read);
HEDDLE_BENCHMARK(stream);

}  // namespace
}  // namespace heddle::bench
