// Loops that only wait for others: a search that stops them ends, and reaches every final
// state that a walk through all states reaches, which stops nothing.
#include <set>

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "explore/algorithms.h"
#include "explore/wrong.h"
#include "tests/model/support.h"

namespace heddle {
namespace {

struct FinalStates final : ExplorationListener {
  explicit FinalStates(const System& explored) : system(explored) {}
  bool on_execution(const Execution&) override {
    if (const auto end = deadlock_in(system)) {
      stuck.insert(std::string(name_of(end->kind)));
    } else {
      states.insert(system.state_hash());
    }
    return true;
  }
  bool on_failure(const Execution&, Failure) override {
    ++failures;
    return true;
  }

  const System& system;
  std::set<std::uint64_t> states;
  std::set<std::string> stuck;
  int failures = 0;
};

// All states, each entered once: slow and obvious, and not disturbed by loops.
class StateWalk {
 public:
  explicit StateWalk(const model::Model& model) : system_(model) { enter(); }

  std::set<std::uint64_t> final_states;

 private:
  void enter() {
    if (!seen_.insert(system_.state_hash()).second) return;
    bool over = true;
    for (const ThreadId thread : indices<ThreadId>(system_.thread_count())) {
      const Readiness readiness = system_.readiness(thread);
      over = over && readiness != Readiness::ready && readiness != Readiness::blocked;
      if (readiness != Readiness::ready) continue;
      Operation operation;
      system_.next_operation(thread, operation);
      for (std::uint32_t choice = 0; choice < operation.choices; ++choice) {
        const std::size_t depth = system_.depth();
        system_.step(thread, choice);
        enter();
        system_.rewind(depth);
      }
    }
    if (over) final_states.insert(system_.state_hash());
  }

  model::Interpreter system_;
  std::set<std::uint64_t> seen_;
};

struct Searched {
  FinalStates found;
  ExploreCounters counters;
};

Searched search(const model::Model& model, const Algorithm& algorithm) {
  model::Interpreter system(model, {.stop_spinning = true});
  FinalStates found(system);
  const auto explorer = algorithm.make(system, found, {.max_steps = 500});
  EXPECT_TRUE(explorer->run());
  return {found, explorer->counters()};
}

TEST(Spinning, EndsInEveryAlgorithm) {
  const model::Model model = model_of(
      "atomic int flag; int data; thread a { data = 1; flag = 1; } "
      "thread b { while (flag == 0) skip; assert(data == 1); data = 2; }");
  const std::set<std::uint64_t> expected = StateWalk(model).final_states;
  for (const Algorithm& algorithm : kAlgorithms) {
    const Searched searched = search(model, algorithm);
    EXPECT_EQ(searched.found.states, expected) << algorithm.name;
    EXPECT_EQ(searched.counters.cut, 0u) << algorithm.name;
    EXPECT_EQ(searched.found.failures, 0) << algorithm.name;
  }
}

TEST(Spinning, ForEverIsALivelock) {
  const model::Model model =
      model_of("atomic int flag; thread a { flag = 0; } thread b { while (flag == 0) skip; }");
  EXPECT_THAT(search(model, *algorithm_named("epor")).found.stuck,
              testing::ElementsAre("livelock"));
}

TEST(Spinning, OfATryLockIsLeftToo) {
  const model::Model model = model_of(
      "lock m; int x; thread t(i : 0..1) { bool got = trylock(m); while (!got) got = trylock(m); "
      "x += 1; unlock(m); }");
  for (const Algorithm& algorithm : kAlgorithms) {
    const Searched searched = search(model, algorithm);
    EXPECT_EQ(searched.found.states.size(), StateWalk(model).final_states.size());
    EXPECT_GT(searched.counters.spinning, 0u) << algorithm.name;
    EXPECT_EQ(searched.counters.cut, 0u) << algorithm.name;
  }
}

TEST(Spinning, ALoopThatCountsIsNotStopped) {
  const model::Model model =
      model_of("int x; thread t { int i = 0; while (i < 5 && x == 0) i += 1; x = i; }");
  const Searched searched = search(model, *algorithm_named("epor"));
  EXPECT_EQ(searched.counters.spinning, 0u);
  EXPECT_EQ(searched.counters.traces, 1u);
}

// Threads that set flags and wait for each other's, in random orders.
std::string waiting_model() {
  std::string text = "atomic int[0..2] f[3]; int x; ";
  const auto number = [](int bound) { return *rc::gen::inRange(0, bound); };
  const int threads = 2 + number(2);
  for (int t = 0; t < threads; ++t) {
    text += "thread t" + std::to_string(t) + " { ";
    for (int s = 1 + number(3); s > 0; --s) {
      const std::string flag = "f[" + std::to_string(number(3)) + "]";
      const std::string value = std::to_string(number(3));
      switch (number(4)) {
        case 0: text += flag + " = " + value + "; "; break;
        case 1: text += "while (" + flag + " == " + value + ") skip; "; break;
        case 2: text += "while (" + flag + " != 0) { if (" + flag + " == 2) break; } "; break;
        default: text += "x = x * 3 + " + std::to_string(t + 1) + "; "; break;
      }
    }
    text += "} ";
  }
  return text;
}

RC_GTEST_PROP(Spinning, StoppedReachesTheFinalStatesOfAllExecutions, ()) {
  const std::string text = waiting_model();
  RC_LOG() << text;
  const model::Model model = model_of(text);
  const std::set<std::uint64_t> expected = StateWalk(model).final_states;
  for (const Algorithm& algorithm : kAlgorithms) {
    RC_LOG() << algorithm.name;
    const Searched searched = search(model, algorithm);
    RC_ASSERT(searched.counters.cut == 0u);
    RC_ASSERT(searched.found.states == expected);
  }
}

}  // namespace
}  // namespace heddle
