// What the collectors find on random models is what a walk through all states sees, and every
// witness replays to the same finding.
#include "explore/findings.h"

#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "explore/data_races.h"
#include "explore/listeners.h"
#include "explore/replay.h"
#include "explore/wrong.h"
#include "tests/model/random_model.h"
#include "tests/model/support.h"

namespace heddle {
namespace {

using MakeExplorer = decltype(&make_brute_explorer);

struct Seen {
  std::set<std::string> races;      // pairs of sites
  std::set<std::string> failures;   // kind and message
  std::set<std::string> deadlocks;  // messages
};

// Every reachable state, each once; nothing goes on behind a failure.
class StateWalk {
 public:
  StateWalk(System& system, std::size_t limit) : system_(system), limit_(limit) {}

  // False if there are more states than the limit.
  bool run() {
    walk();
    return states_.size() < limit_;
  }
  const Seen& seen() const { return seen_; }

 private:
  void walk() {
    if (states_.size() >= limit_ || !states_.insert(system_.state_hash()).second) return;
    look();
    for (const ThreadId thread : indices<ThreadId>(system_.thread_count())) {
      if (system_.readiness(thread) != Readiness::ready) continue;
      Operation operation;
      system_.next_operation(thread, operation);
      for (std::uint32_t choice = 0; choice < operation.choices; ++choice) take(thread, choice);
    }
  }

  void take(ThreadId thread, std::uint32_t choice) {
    const std::size_t depth = system_.depth();
    const Failure failure = system_.step(thread, choice);
    if (failure == Failure::none) walk();
    if (failure != Failure::none && failure != Failure::assumption) {
      seen_.failures.insert(
          fmt::format("{} {}", name_of(kind_of(failure)), system_.describe_last_step()));
    }
    system_.rewind(depth);
  }

  void look() {
    if (const auto end = deadlock_in(system_)) seen_.deadlocks.insert(end->message);
    for (const ThreadId a : indices<ThreadId>(system_.thread_count())) {
      for (const ThreadId b : indices<ThreadId>(a.value())) {
        if (conflict(a, b)) seen_.races.insert(sites(a, b));
      }
    }
  }

  bool conflict(ThreadId a, ThreadId b) const {
    if (system_.readiness(a) != Readiness::ready) return false;
    if (system_.readiness(b) != Readiness::ready) return false;
    Operation left, right;
    system_.next_operation(a, left);
    system_.next_operation(b, right);
    for (const Access& x : left.accesses) {
      for (const Access& y : right.accesses) {
        const bool writes = x.kind == EventKind::write || y.kind == EventKind::write;
        const bool reads = x.kind == EventKind::read || y.kind == EventKind::read;
        const bool plain = writes && (reads || x.kind == y.kind);
        if (x.object == y.object && plain) return true;
      }
    }
    return false;
  }

  std::string sites(ThreadId a, ThreadId b) const {
    std::set<std::string> both = {system_.where_next(a), system_.where_next(b)};
    return fmt::format("{} {}", *both.begin(), *both.rbegin());
  }

  System& system_;
  std::size_t limit_;
  std::set<std::uint64_t> states_;
  Seen seen_;
};

struct Limit : ExplorationListener {
  bool on_execution(const Execution&) override { return ++count < 20'000; }
  bool on_dropped(const Execution&) override { return ++count < 20'000; }
  bool on_failure(const Execution&, Failure) override { return true; }
  std::size_t count = 0;
};

// All witnesses, or nothing if the search takes too long.
std::optional<std::vector<Witness>> search(const model::Model& model, MakeExplorer make) {
  model::Interpreter system(model);
  FindingCollector collector(system, {.keep_going = true});
  DataRaceListener races(system, collector);
  Limit limit;
  ListenerGroup group;
  group.add(collector);
  group.add(races);
  group.add(limit);
  if (!make(system, group, {})->run()) return std::nullopt;
  return collector.witnesses();
}

Seen seen_by(const std::vector<Witness>& witnesses) {
  Seen seen;
  for (const Witness& witness : witnesses) {
    if (witness.kind == FindingKind::race) {
      seen.races.insert(fmt::format("{} {}", witness.sites[0], witness.sites[1]));
    } else if (witness.kind == FindingKind::deadlock) {
      seen.deadlocks.insert(witness.message);
    } else {
      seen.failures.insert(fmt::format("{} {}", name_of(witness.kind), witness.message));
    }
  }
  return seen;
}

void compare_with_all_states(MakeExplorer make) {
  const RandomModelOptions options{.threads = *rc::gen::resize(100, rc::gen::inRange(2u, 4u)),
                                   .statements = *rc::gen::resize(100, rc::gen::inRange(1u, 4u))};
  const std::string text =
      random_model(options, *rc::gen::resize(100, rc::gen::arbitrary<std::uint64_t>()));
  RC_LOG() << text;
  const model::Model model = model_of(text, {.granularity = kAccess});
  model::Interpreter system(model);
  StateWalk walk(system, 20'000);
  RC_PRE(walk.run());
  const auto witnesses = search(model, make);
  RC_PRE(witnesses.has_value());
  RC_TAG(witnesses->empty() ? "none" : "some");
  RC_ASSERT(seen_by(*witnesses).races == walk.seen().races);
  RC_ASSERT(seen_by(*witnesses).failures == walk.seen().failures);
  RC_ASSERT(seen_by(*witnesses).deadlocks == walk.seen().deadlocks);
  for (const Witness& witness : *witnesses) {
    model::Interpreter fresh(model);
    const ReplayedFinding made = make_finding(fresh, witness, ModelSubject{}, "explore");
    RC_ASSERT(made.finding.confirmed == Confirmation::replay);
    model::Interpreter again(model);
    const heddle::Run run = replay(again, made.finding);
    RC_ASSERT(run.shows(made.finding));
    RC_ASSERT(!run.divergence.has_value());
  }
}

RC_GTEST_PROP(Findings, OfSdporAreThoseOfAllStates, ()) {
  compare_with_all_states(make_sdpor_explorer);
}
RC_GTEST_PROP(Findings, OfOdporAreThoseOfAllStates, ()) {
  compare_with_all_states(make_odpor_explorer);
}
RC_GTEST_PROP(Findings, OfEporAreThoseOfAllStates, ()) {
  compare_with_all_states(make_epor_explorer);
}

// A thread that is blocked to the end is ready before what blocked it, which a failed try that
// came later must not hide.
class BlockedBehindAFailedTry : public testing::TestWithParam<MakeExplorer> {
 protected:
  static void expect_all_found(const std::string& text) {
    const model::Model model = model_of(text, {.granularity = kAccess});
    model::Interpreter system(model);
    StateWalk walk(system, 20'000);
    ASSERT_TRUE(walk.run());
    EXPECT_EQ(walk.seen().races.size(), 2u);
    const Seen seen = seen_by(search(model, GetParam()).value());
    EXPECT_EQ(seen.races, walk.seen().races);
    EXPECT_EQ(seen.deadlocks, walk.seen().deadlocks);
  }
};

TEST_P(BlockedBehindAFailedTry, OfASemaphore) {
  expect_all_found(R"(
    int x = 0; int y = 0; semaphore s = 1;
    thread t0 { bool got; x = 1; got = trywait(s); y = 1; got = trywait(s); }
    thread t1 { int u; if (y == 0) { wait(s); u = x; } })");
}

TEST_P(BlockedBehindAFailedTry, OfTheWriterOfAReadersWriterLock) {
  expect_all_found(R"(
    int x = 0; int y = 0; rwlock w;
    thread t0 { bool got; x = 1; lock(w); y = 1; got = trylock(w); }
    thread t1 { int u; if (y == 0) { read_lock(w); u = x; } })");
}

INSTANTIATE_TEST_SUITE_P(Algorithms, BlockedBehindAFailedTry,
                         testing::Values(make_sdpor_explorer, make_odpor_explorer,
                                         make_epor_explorer));

std::vector<Witness> found_in(const std::string& text) {
  const model::Model model = model_of(text, {.granularity = kAccess});
  return search(model, make_epor_explorer).value();
}

TEST(DataRaces, AreTwoPlainAccessesAtTheSameTime) {
  const auto found = found_in("int x; thread a { x = 1; } thread b { int y = x; }");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, FindingKind::race);
  EXPECT_EQ(found[0].message, "a writes x in `x = 1` while b reads x in `int y = x`");
  EXPECT_TRUE(found[0].schedule.empty());
}

TEST(DataRaces, AreNotBetweenReads) {
  EXPECT_TRUE(found_in("int x; thread a { int y = x; } thread b { int y = x; }").empty());
}

TEST(DataRaces, AreNotUnderALock) {
  EXPECT_TRUE(found_in("int x; lock m; thread a { lock(m); x = 1; unlock(m); } "
                       "thread b { lock(m); x = 2; unlock(m); }")
                  .empty());
}

TEST(DataRaces, AreNotOnAtomicVariablesOrInAtomicBlocks) {
  EXPECT_TRUE(found_in("atomic int x; thread a { x = 1; } thread b { x = 2; }").empty());
  EXPECT_TRUE(
      found_in("int x; thread a { atomic { x = 1; } } thread b { atomic { x += 2; } }").empty());
}

TEST(DataRaces, AreFoundBehindAnAssumptionOnlyWhereItHolds) {
  const std::string rest = "thread b { x = 2; }";
  EXPECT_EQ(found_in("int x; thread a { assume(true); x = 1; }" + rest).size(), 1u);
  EXPECT_TRUE(found_in("int x; thread a { assume(false); x = 1; }" + rest).empty());
}

TEST(Findings, AreNotWhatAFailureLeavesBehind) {
  const auto found = found_in(
      "lock m; thread a { lock(m); assert(false); unlock(m); } thread b { lock(m); unlock(m); }");
  ASSERT_EQ(found.size(), 1u) << "b waits for ever only because a failed";
  EXPECT_EQ(found[0].kind, FindingKind::assertion);
}

TEST(Findings, HaveNoStepsThatDoNotMatter) {
  const auto found = found_in(
      "atomic int x; atomic int y; thread a { y = 1; y = 2; } thread b { x = 1; assert(x == 0); }");
  ASSERT_EQ(found.size(), 1u);
  for (const Transition& step : found[0].schedule) EXPECT_EQ(step.thread, ThreadId(1));
}

}  // namespace
}  // namespace heddle
