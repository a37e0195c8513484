// The benchmarks of the EPOR paper have exactly the Mazurkiewicz traces that they must have.
#include <gtest/gtest.h>

#include "model/compile.h"
#include "model/interpreter.h"
#include "tests/model/brute_force.h"

namespace heddle {
namespace {

struct Benchmark {
  std::string file;
  std::int64_t n;
  std::size_t traces;
};

void PrintTo(const Benchmark& benchmark, std::ostream* out) {
  *out << benchmark.file << "(" << benchmark.n << ")";
}

class EporBenchmark : public testing::TestWithParam<Benchmark> {};

TEST_P(EporBenchmark, HasItsNumberOfTraces) {
  const std::string path = std::string(HEDDLE_MODELS) + "/epor/" + GetParam().file + ".hm";
  const auto model = model::load(path, {.definitions = {{"N", GetParam().n}}});
  ASSERT_TRUE(model.ok()) << model.error().message;
  model::Interpreter interpreter(*model);
  const Exploration found = explore_all(interpreter);
  EXPECT_TRUE(found.complete);
  EXPECT_EQ(found.traces, GetParam().traces);
  EXPECT_EQ(found.deadlocks, 0U);
  EXPECT_TRUE(found.failures.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Small, EporBenchmark,
    testing::Values(Benchmark{"readers-writers", 2, 2}, Benchmark{"readers-writers", 3, 4},
                    Benchmark{"readers-writers", 5, 16}, Benchmark{"readers-writers", 7, 64},
                    Benchmark{"indexer", 2, 1}, Benchmark{"last-zero", 2, 2},
                    Benchmark{"last-zero", 3, 6}, Benchmark{"last-zero", 4, 16},
                    Benchmark{"last-zero", 5, 40}, Benchmark{"last-zero", 6, 96},
                    Benchmark{"shared-pointer", 1, 3}, Benchmark{"shared-pointer", 2, 5},
                    Benchmark{"shared-pointer", 5, 11}, Benchmark{"ring", 2, 2},
                    Benchmark{"ring", 3, 6}, Benchmark{"ring", 4, 14}, Benchmark{"ring", 5, 30},
                    Benchmark{"ring", 6, 62}, Benchmark{"branching", 2, 11},
                    Benchmark{"branching", 3, 28}, Benchmark{"branching", 4, 103},
                    Benchmark{"ring-extended", 2, 6}, Benchmark{"ring-extended", 3, 90},
                    Benchmark{"branching", 5, 311}, Benchmark{"ring-extended", 4, 786},
                    Benchmark{"../last-zero-classic", 5, 64}));

// Threads 0 and 11 are the first two that meet; twelve threads are too many for brute force.
TEST(Indexer, HasEightTracesWhereTwoThreadsMeet) {
  std::string text;
  {
    const auto whole = model::load(std::string(HEDDLE_MODELS) + "/epor/indexer.hm");
    ASSERT_TRUE(whole.ok()) << whole.error().message;
    text = whole->source.text();
  }
  const std::string header = "thread indexer(tid : 0..N-1) {";
  ASSERT_NE(text.find(header), std::string::npos);
  text.replace(text.find(header), header.size(), "thread indexer(k : 0..1) { int tid = 11 * k;");
  const auto model = model::compile("two-indexers.hm", text);
  ASSERT_TRUE(model.ok()) << model.error().message;
  model::Interpreter interpreter(*model);
  EXPECT_EQ(explore_all(interpreter).traces, 8U);
}

}  // namespace
}  // namespace heddle
