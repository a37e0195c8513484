// The benchmarks of the EPOR paper: every algorithm visits exactly as many Mazurkiewicz
// traces as there are.
#include <cstdlib>

#include <gtest/gtest.h>

#include "explore/algorithms.h"
#include "model/compile.h"
#include "model/interpreter.h"

namespace heddle {
namespace {

struct Benchmark {
  std::string name;
  std::int64_t parameter;
  std::uint64_t traces;
};

// The large ones are for ./test --full, and too slow under a sanitizer.
bool full() {
#ifdef __SANITIZE_ADDRESS__
  return false;
#else
  return std::getenv("HEDDLE_TEST_FULL") != nullptr;
#endif
}

void add_large(std::vector<Benchmark>& all) {
  for (const std::int64_t n : {16, 20}) all.push_back({"readers-writers", n, 1u << (n - 1)});
  for (const auto& [n, traces] : {std::pair(15, 4096u), std::pair(16, 32768u)}) {
    all.push_back({"indexer", n, traces});
  }
  for (const std::int64_t n : {12, 16}) {
    all.push_back({"last-zero", n, static_cast<std::uint64_t>(n) << (n - 2)});
  }
  all.push_back({"shared-pointer", 100, 201});
  for (const std::int64_t n : {17, 21}) all.push_back({"ring", n, (1u << n) - 2});
  all.push_back({"branching", 8, 10063});
  for (const auto& [n, traces] :
       {std::pair(6, 38466u), std::pair(7, 247170u), std::pair(8, 1548546u)}) {
    all.push_back({"ring-extended", n, traces});
  }
}

std::vector<Benchmark> benchmarks() {
  std::vector<Benchmark> all;
  if (full()) add_large(all);
  for (std::int64_t n = 2; n <= 12; ++n) all.push_back({"readers-writers", n, 1u << (n - 1)});
  for (const auto& [n, traces] : {std::pair(8, 1u), std::pair(11, 1u), std::pair(12, 8u),
                                  std::pair(13, 64u), std::pair(14, 512u)}) {
    all.push_back({"indexer", n, traces});
  }
  for (std::int64_t n = 2; n <= 9; ++n) {
    all.push_back({"last-zero", n, static_cast<std::uint64_t>(n) << (n - 2)});
  }
  for (const std::int64_t n : {1, 10, 50}) {
    all.push_back({"shared-pointer", n, static_cast<std::uint64_t>(2 * n + 1)});
  }
  for (std::int64_t n = 2; n <= 12; ++n) all.push_back({"ring", n, (1u << n) - 2});
  const std::uint64_t branching[] = {11, 28, 103, 311, 1010, 3165};
  for (std::int64_t n = 2; n <= 7; ++n) all.push_back({"branching", n, branching[n - 2]});
  const std::uint64_t ring_extended[] = {6, 90, 786, 5730};
  for (std::int64_t n = 2; n <= 5; ++n) all.push_back({"ring-extended", n, ring_extended[n - 2]});
  return all;
}

class Deaf final : public ExplorationListener {
 public:
  bool on_execution(const Execution&) override { return true; }
  bool on_failure(const Execution&, Failure) override { return true; }
};

void expect_traces(const Benchmark& benchmark, const Algorithm& algorithm,
                   bool keep_sections = false) {
  model::CompileOptions options;
  options.definitions = {{"N", benchmark.parameter}};
  const auto model = model::load(HEDDLE_MODELS "/epor/" + benchmark.name + ".hm", options);
  ASSERT_TRUE(model.ok()) << model.error().message;
  model::Interpreter system(*model);
  Deaf listener;
  const auto explorer = algorithm.make(system, listener, {.keep_sections = keep_sections});
  ASSERT_TRUE(explorer->run());
  EXPECT_EQ(explorer->counters().traces, benchmark.traces)
      << algorithm.name << " on " << benchmark.name << "(" << benchmark.parameter << ")";
  EXPECT_TRUE(!algorithm.exactly_once || explorer->counters().blocked == 0) << algorithm.name;
}

TEST(PaperTraces, AreVisitedBySdpor) {
  for (const Benchmark& benchmark : benchmarks())
    expect_traces(benchmark, *algorithm_named("sdpor"));
}
// Last Zero(6) is where looking at each race only once missed a trace.
TEST(PaperTraces, AreVisitedByOdpor) {
  for (const Benchmark& benchmark : benchmarks())
    expect_traces(benchmark, *algorithm_named("odpor"));
}
TEST(PaperTraces, AreVisitedByEpor) {
  for (const Benchmark& benchmark : benchmarks())
    expect_traces(benchmark, *algorithm_named("epor"));
}
// Ring Extended(3) is where the paper's EPOR-SH visits 72 of 90.
TEST(PaperTraces, AreVisitedByEporSh) {
  for (const Benchmark& benchmark : benchmarks()) {
    expect_traces(benchmark, *algorithm_named("epor-sh"));
  }
}

TEST(PaperTraces, AreVisitedByEporWithSectionsThatDoNotPayOff) {
  for (const Benchmark& benchmark : benchmarks()) {
    expect_traces(benchmark, *algorithm_named("epor"), true);
  }
}

TEST(RaceChecks, OfEporOnReadersWritersAreOnePerPair) {
  model::CompileOptions options;
  options.definitions = {{"N", 9}};
  const auto model = model::load(HEDDLE_MODELS "/epor/readers-writers.hm", options);
  model::Interpreter system(*model);
  Deaf listener;
  const auto explorer = make_epor_explorer(system, listener, {});
  ASSERT_TRUE(explorer->run());
  EXPECT_EQ(explorer->counters().race_checks, 9u * 8 / 2);
}

}  // namespace
}  // namespace heddle
