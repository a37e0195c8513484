// The searches that are left to chance: the same seed gives the same executions, and
// probabilistic concurrency testing keeps its promise.
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "explore/strategies.h"
#include "tests/explore/preemptions_of.h"
#include "tests/explore/random_program.h"

namespace heddle {
namespace {

using Schedule = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

struct Seen : ExplorationListener {
  bool on_execution(const Execution& execution) override {
    Schedule schedule;
    for (Execution::EventIndex e = 0; e < execution.size(); ++e) {
      schedule.emplace_back(execution.thread(e).value(), execution.transition(e).choice);
    }
    schedules.push_back(schedule);
    return true;
  }
  bool on_failure(const Execution&, Failure) override {
    ++failures;
    return true;
  }

  std::vector<Schedule> schedules;
  std::size_t failures = 0;
};

// A depth of 0 stands for uniform scheduling.
std::unique_ptr<Explorer> make(System& system, ExplorationListener& listener,
                               const RandomOptions& random, std::uint32_t depth) {
  if (depth == 0) return make_random_explorer(system, listener, {}, random);
  return make_pct_explorer(system, listener, {}, random, depth);
}

Seen explore(const TinyProgram& program, const RandomOptions& random, std::uint32_t depth) {
  TinySystem system(program);
  Seen seen;
  EXPECT_TRUE(make(system, seen, random, depth)->run());
  return seen;
}

TinyProgram independent_writers(std::uint32_t threads, std::uint32_t length) {
  TinyProgram program{.variables = threads, .threads = {}};
  for (std::uint32_t t = 0; t < threads; ++t) {
    program.threads.emplace_back(length, Instruction{Op::write, t, 1});
  }
  return program;
}

RC_GTEST_PROP(RandomSearches, DoTheSameForTheSameSeed, (std::uint64_t seed)) {
  const TinyProgram program = random_program();
  const auto depth = *rc::gen::inRange(0u, 4u);
  const RandomOptions random{.executions = 20, .seed = seed};
  const Seen seen = explore(program, random, depth);
  RC_ASSERT(seen.schedules.size() == 20u);
  RC_ASSERT(seen.schedules == explore(program, random, depth).schedules);
}

TEST(RandomSearches, DoSomethingElseForAnotherSeed) {
  const TinyProgram program = independent_writers(3, 10);
  for (const std::uint32_t depth : {0u, 3u}) {
    EXPECT_NE(explore(program, {.executions = 10, .seed = 1}, depth).schedules,
              explore(program, {.executions = 10, .seed = 2}, depth).schedules);
  }
}

TEST(RandomSearches, TakeEachReadyThreadEquallyOften) {
  const Seen seen = explore(independent_writers(4, 1), {.executions = 8000, .seed = 5}, 0);
  std::vector<int> first(4);
  for (const Schedule& schedule : seen.schedules) ++first[schedule[0].first];
  for (const int count : first) EXPECT_NEAR(count, 2000, 200);
}

TEST(RandomSearches, TakeEachChoice) {
  const TinyProgram program{.threads = {{{Op::choose, 3}}}};
  for (const std::uint32_t depth : {0u, 1u}) {
    std::vector<int> taken(3);
    for (const Schedule& schedule :
         explore(program, {.executions = 3000, .seed = 5}, depth).schedules) {
      ++taken[schedule[0].second];
    }
    for (const int count : taken) EXPECT_NEAR(count, 1000, 150);
  }
}

TEST(Pct, PreemptsOnlyAtChangePoints) {
  const TinyProgram program = independent_writers(3, 6);
  TinySystem replay(program);
  struct Preemptions : ExplorationListener {
    explicit Preemptions(System& system_to_replay) : replay(system_to_replay) {}
    bool on_execution(const Execution& execution) override {
      most = std::max(most, preemptions_of(replay, execution));
      return true;
    }
    bool on_failure(const Execution&, Failure) override { return true; }
    System& replay;
    std::uint32_t most = 0;
  };
  for (std::uint32_t depth = 1; depth <= 4; ++depth) {
    TinySystem system(program);
    Preemptions seen(replay);
    EXPECT_TRUE(make_pct_explorer(system, seen, {}, {.executions = 2000}, depth)->run());
    EXPECT_EQ(seen.most, depth - 1);
  }
}

// A program that fails in some executions only, where so many orderings are as they must be.
struct Bug {
  std::uint32_t depth;
  TinyProgram program;
};

std::vector<Instruction> steps(std::uint32_t count, std::uint32_t variable) {
  return std::vector<Instruction>(count, Instruction{Op::write, variable, 1});
}

std::vector<Instruction> operator+(std::vector<Instruction> a, const std::vector<Instruction>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// Variables 2 and 3 are of no importance: they make the threads longer.
std::vector<Bug> bugs() {
  // Used before it is set, though the setter has much less to do.
  const TinyProgram unset{.variables = 4,
                          .threads = {steps(1, 2) + std::vector<Instruction>{{Op::write, 0, 1}},
                                      steps(20, 3) + std::vector<Instruction>{{Op::check, 0, 0}}}};
  // Looked at between two writes.
  const TinyProgram torn{
      .variables = 4,
      .threads = {steps(5, 2) + std::vector<Instruction>{{Op::write, 0, 1}, {Op::write, 0, 0}},
                  steps(9, 3) + std::vector<Instruction>{{Op::check, 0, 1}}}};
  // The same, but only after a first look that came before anything was written.
  const TinyProgram twice{
      .variables = 4,
      .threads = {std::vector<Instruction>{{Op::write, 1, 1}} + steps(4, 2) +
                      std::vector<Instruction>{{Op::write, 0, 1}, {Op::write, 0, 0}},
                  std::vector<Instruction>{{Op::load, 1}, {Op::skip_if, 1, 1}, {Op::check, 0, 1}}}};
  return {{1, unset}, {2, torn}, {3, twice}};
}

// The promise is a probability, met exactly by the first two bugs; so a sample may fall short
// of it by chance, but hardly by more than three standard deviations.
TEST(Pct, FindsABugAtLeastAsOftenAsItPromises) {
  constexpr double kExecutions = 20'000;
  for (const Bug& bug : bugs()) {
    TinySystem system(bug.program);
    Seen seen;
    const auto explorer = make_pct_explorer(
        system, seen, {}, {.executions = static_cast<std::uint64_t>(kExecutions)}, bug.depth);
    EXPECT_TRUE(explorer->run());
    const double bound = pct_bound(2, explorer->counters().longest, bug.depth);
    const double deviation = std::sqrt(kExecutions * bound * (1 - bound));
    EXPECT_GE(static_cast<double>(seen.failures), kExecutions * bound - 3 * deviation) << bug.depth;
  }
}

TEST(Pct, FindsNoBugThatIsDeeperThanItLooks) {
  for (const Bug& bug : bugs()) {
    if (bug.depth == 1) continue;
    EXPECT_EQ(explore(bug.program, {.executions = 2000}, bug.depth - 1).failures, 0u) << bug.depth;
  }
}

TEST(Pct, FindsMoreThanUniformSchedulingWhereAThreadHasToWaitLong) {
  const TinyProgram unset = bugs().front().program;
  const RandomOptions random{.executions = 2000};
  EXPECT_GT(explore(unset, random, 1).failures, 100 * explore(unset, random, 0).failures);
}

TEST(Pct, PromisesOneInThreadsTimesStepsPerFurtherOrdering) {
  EXPECT_DOUBLE_EQ(pct_bound(4, 100, 1), 1.0 / 4);
  EXPECT_DOUBLE_EQ(pct_bound(4, 100, 3), 1.0 / 40'000);
}

}  // namespace
}  // namespace heddle
