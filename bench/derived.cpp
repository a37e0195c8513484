// What follows from a trace: how long deriving takes, and how much memory it needs.
//
// "bytes/event" is what the bar of 32 is about: the events and all that is derived from
// them, clocks apart. The tables beside it (names and places of the locations) grow with
// the number of objects, not of events; this trace has 1.4 million locations.
#include "trace/derived.h"

#include <benchmark/benchmark.h>

#include "bench/local_trace.h"

namespace heddle::bench {
namespace {

const Trace& local_trace() {
  static const Trace trace = make_local_trace({});
  return trace;
}

void report(benchmark::State& state, const char* name, double value) {
  state.counters[name] = benchmark::Counter(value);
}

void derive(benchmark::State& state) {
  const Trace& trace = local_trace();
  const auto events = static_cast<double>(trace.size());
  std::size_t derived_bytes = 0;
  std::size_t clock_bytes = 0;
  for (auto iteration : state) {
    const Derived derived(trace);
    derived_bytes = derived.memory_bytes();
    clock_bytes = derived.happens_before.memory_bytes();
  }
  state.counters["events/s"] = benchmark::Counter(events * static_cast<double>(state.iterations()),
                                                  benchmark::Counter::kIsRate);
  const auto event_bytes = trace.event_memory_bytes();
  report(state, "bytes/event", static_cast<double>(event_bytes + derived_bytes) / events);
  report(state, "of events", static_cast<double>(event_bytes) / events);
  report(state, "derived", static_cast<double>(derived_bytes) / events);
  report(state, "clocks", static_cast<double>(clock_bytes) / events);
  report(state, "tables", static_cast<double>(trace.tables.memory_bytes()) / events);
}
BENCHMARK(derive)->Unit(benchmark::kMillisecond);

template <typename Part, typename... Arguments>
void time_part(benchmark::State& state, const Trace& trace, const Arguments&... arguments) {
  for (auto iteration : state) benchmark::DoNotOptimize(Part(arguments...));
  state.counters["events/s"] = benchmark::Counter(
      static_cast<double>(trace.size()) * static_cast<double>(state.iterations()),
      benchmark::Counter::kIsRate);
}

void derive_thread_order(benchmark::State& state) {
  time_part<ThreadOrder>(state, local_trace(), local_trace());
}
void derive_reads_from(benchmark::State& state) {
  const Cells cells(local_trace().tables);
  time_part<ReadsFrom>(state, local_trace(), local_trace(), cells);
}
void derive_scopes(benchmark::State& state) {
  const ThreadOrder order(local_trace());
  time_part<Scopes>(state, local_trace(), local_trace(), order);
}
void derive_object_events(benchmark::State& state) {
  time_part<ObjectEvents>(state, local_trace(), local_trace());
}
void derive_happens_before(benchmark::State& state) {
  const ThreadOrder order(local_trace());
  const Cells cells(local_trace().tables);
  time_part<HappensBefore>(state, local_trace(), local_trace(), order, cells);
}
BENCHMARK(derive_thread_order)->Unit(benchmark::kMillisecond);
BENCHMARK(derive_reads_from)->Unit(benchmark::kMillisecond);
BENCHMARK(derive_scopes)->Unit(benchmark::kMillisecond);
BENCHMARK(derive_object_events)->Unit(benchmark::kMillisecond);
BENCHMARK(derive_happens_before)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace heddle::bench
