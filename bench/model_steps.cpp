// How long the interpreter of models takes for what explorers do all the time.
//
// Each benchmark reports time per item: per step (with its share of the rewind), per
// question for an operation, and so on.
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "model/compile.h"
#include "model/interpreter.h"

namespace heddle {
namespace {

constexpr const char* kFiles[] = {"epor/readers-writers", "epor/ring", "epor/indexer",
                                  "epor/branching",       "bakery",    "dining-philosophers"};

model::Model example(const benchmark::State& state) {
  const std::string name = kFiles[state.range(0)];
  auto loaded = model::load(HEDDLE_MODELS "/" + name + ".hm");
  return std::move(loaded).value();
}

// Round after round, the first thread that can go on: an execution without interruption.
ThreadId first_ready(const System& system) {
  for (const ThreadId thread : indices<ThreadId>(system.thread_count())) {
    if (system.readiness(thread) == Readiness::ready) return thread;
  }
  return ThreadId::none();
}

std::vector<ThreadId> schedule_of(System& system) {
  std::vector<ThreadId> schedule;
  for (ThreadId next = first_ready(system); next.valid(); next = first_ready(system)) {
    schedule.push_back(next);
    system.step(next, 0);
  }
  system.rewind(0);
  return schedule;
}

void BM_ModelStep(benchmark::State& state) {
  const model::Model model = example(state);
  model::Interpreter interpreter(model);
  System& system = interpreter;
  const std::vector<ThreadId> schedule = schedule_of(system);
  for (auto _ : state) {
    for (const ThreadId thread : schedule) benchmark::DoNotOptimize(system.step(thread, 0));
    system.rewind(0);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(schedule.size()));
  state.SetLabel(kFiles[state.range(0)]);
}
BENCHMARK(BM_ModelStep)->DenseRange(0, std::size(kFiles) - 1);

// What an explorer asks in each state: who is ready, and what comes next.
void BM_ModelQuestions(benchmark::State& state) {
  const model::Model model = example(state);
  model::Interpreter interpreter(model);
  System& system = interpreter;
  Operation operation;
  for (auto _ : state) {
    for (const ThreadId thread : indices<ThreadId>(system.thread_count())) {
      benchmark::DoNotOptimize(system.readiness(thread));
      system.next_operation(thread, operation);
      benchmark::DoNotOptimize(operation.accesses.data());
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(system.thread_count()));
  state.SetLabel(kFiles[state.range(0)]);
}
BENCHMARK(BM_ModelQuestions)->DenseRange(0, std::size(kFiles) - 1);

void BM_ModelCertain(benchmark::State& state) {
  const model::Model model = example(state);
  model::Interpreter interpreter(model);
  OperationList operations;
  for (auto _ : state) {
    interpreter.certain_operations(ThreadId(0), 8, operations);
    benchmark::DoNotOptimize(&operations);
  }
  state.SetItemsProcessed(state.iterations());
  state.SetLabel(kFiles[state.range(0)]);
}
BENCHMARK(BM_ModelCertain)->DenseRange(0, std::size(kFiles) - 1);

void BM_ModelHash(benchmark::State& state) {
  const model::Model model = example(state);
  const model::Interpreter interpreter(model);
  for (auto _ : state) benchmark::DoNotOptimize(interpreter.state_hash());
  state.SetItemsProcessed(state.iterations());
  state.SetLabel(kFiles[state.range(0)]);
}
BENCHMARK(BM_ModelHash)->DenseRange(0, std::size(kFiles) - 1);

}  // namespace
}  // namespace heddle
