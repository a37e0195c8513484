// What the statements of the language do, one by one.
#include <array>
#include <limits>
#include <set>

#include <gmock/gmock.h>

#include "tests/model/support.h"

namespace heddle {
namespace {

using model::Interpreter;
using model::Model;

// Runs a model in which only one thread can ever go on, to its end.
struct Execution {
  explicit Execution(const std::string& text, const model::CompileOptions& options = {})
      : model(model_of(text, options)), interpreter(model) {
    while (failure == Failure::none && steps.size() < 1000) {
      ThreadId next = ThreadId::none();
      for (const ThreadId thread : indices(model.threads)) {
        if (interpreter.readiness(thread) == Readiness::ready && !next.valid()) next = thread;
      }
      if (!next.valid()) break;
      steps.push_back(next_of(interpreter, next));
      failure = interpreter.step(next, 0);
    }
  }

  std::int64_t operator[](const std::string& name) const {
    return interpreter.word(word_named(model, name));
  }

  Model model;
  Interpreter interpreter;
  Failure failure = Failure::none;
  std::vector<std::string> steps;  // the operations
};

using ::testing::ElementsAre;

TEST(Expression, FollowsThePrecedenceOfC) {
  const Execution run(
      "int a; int b; int c; bool d; bool e; int f; int g;"
      "thread t { a = 2 + 3 * 4; b = (2 + 3) * 4; c = 10 - 4 - 3; d = 1 + 1 == 2 && 3 < 2 || true;"
      "e = !(1 >= 2) != false; f = -7 / 2; g = -7 % 3; }");
  EXPECT_EQ(run["a"], 14);
  EXPECT_EQ(run["b"], 20);
  EXPECT_EQ(run["c"], 3);
  EXPECT_EQ(run["d"], 1);
  EXPECT_EQ(run["e"], 1);
  EXPECT_EQ(run["f"], -3);
  EXPECT_EQ(run["g"], -1);
}

TEST(Expression, WrapsAroundSilently) {
  const Execution run(
      "int x = 9223372036854775807; int y; thread t { x += 1; y = -x; y = x / -1; }");
  EXPECT_EQ(run["x"], std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(run["y"], std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(run.failure, Failure::none);
}

TEST(Expression, StopsEarlyAtAndAndOr) {
  const Execution run(
      "int a[2]; int i = 5; int r; thread t { if (i < 2 && a[i] == 0) r = 1; else r = 2; }");
  EXPECT_EQ(run["r"], 2);
  EXPECT_EQ(run.failure, Failure::none);
}

TEST(Assignment, OfSeveralIsSimultaneous) {
  const Execution run("int x = 1; int y = 2; thread t { x, y = y, x; }");
  EXPECT_EQ(run["x"], 2);
  EXPECT_EQ(run["y"], 1);
  EXPECT_THAT(run.steps, ElementsAre("write y, write x"));
}

TEST(Variables, HaveInitialValues) {
  const Execution run(
      "param N = 3; int a[i : N] = i * i; int b[2] = {5, 6}; int c[2] = 7; int[3..9] d; bool e;"
      "thread t { skip; }");
  EXPECT_EQ(run["a[2]"], 4);
  EXPECT_EQ(run["b[1]"], 6);
  EXPECT_EQ(run["c[1]"], 7);
  EXPECT_EQ(run["d"], 3);
  EXPECT_EQ(run["e"], 0);
}

TEST(Loops, CanBeLeftAndContinued) {
  const Execution run(
      "int sum; thread t { for (i : 1..10) { if (i == 3) continue; if (i == 6) break; sum += i; }"
      "int k = 0; while (true) { k++; if (k > 4) break; } sum += 100 * k; }");
  EXPECT_EQ(run["sum"], 1 + 2 + 4 + 5 + 500);
}

TEST(LocalVariables, AreSetAnewInEachRound) {
  const Execution run("int x; thread t { for (i : 1..3) { int t; t += i; x = t; } }");
  EXPECT_EQ(run["x"], 3);
}

TEST(LocalStatements, RunWithTheVisibleOneBeforeThem) {
  const Execution run("int x; thread t { int u = 1; u += 1; x = u; u = 7; u = u * u; x = u; }");
  EXPECT_THAT(run.steps, ElementsAre("write x", "write x"));
  EXPECT_EQ(run["x"], 49);
}

TEST(LocalLoop, ThatNeverEndsIsCutIntoSteps) {
  const Execution run("thread t { int i = 0; while (true) i = 1 - i; }");
  EXPECT_EQ(run.steps.size(), 1000U);
  EXPECT_EQ(run.failure, Failure::none);
}

TEST(AtomicBlock, IsOneStep) {
  const Execution run(
      "int x; int y; int a[2]; thread t { atomic { x = 1; if (x == 1) { a[x] = 5; } else { y = 1; "
      "} } }");
  EXPECT_THAT(run.steps, ElementsAre("atomic-rmw x, atomic-write a[1]"));
}

TEST(AtomicBlock, MayLoop) {
  const Execution run("int x; thread t { atomic { while (x < 5) x += 1; } }");
  EXPECT_THAT(run.steps, ElementsAre("atomic-rmw x"));
  EXPECT_EQ(run["x"], 5);
}

TEST(AtomicBlock, ThatDoesNotEndIsMisuse) {
  const Execution run("int x; thread t { atomic { while (true) x = 1; } }");
  EXPECT_EQ(run.failure, Failure::misuse);
  EXPECT_EQ(run.interpreter.describe_last_step(), "while (true): this atomic block does not end");
}

TEST(AtomicBlock, MayStartWithALock) {
  const Execution run("lock m; int x; thread t { atomic { lock(m); x = 1; } unlock(m); }");
  EXPECT_THAT(run.steps, ElementsAre("acquire m, atomic-write x", "release m"));
}

TEST(AtomicVariables, AreAccessedAtomically) {
  const Execution run(
      "atomic int x; int y; thread t { x = 1; y = x; x += 1; bool b = cas(x, 2, 9); b = cas(x, 2, "
      "8); }");
  EXPECT_THAT(run.steps, ElementsAre("atomic-write x", "atomic-read x, write y", "atomic-rmw x",
                                     "atomic-rmw x", "atomic-read x"));
  EXPECT_EQ(run["x"], 9);
  EXPECT_EQ(run["b"], 0);
}

TEST(SplitByAccess, LoadsInOrderAndThenStores) {
  const Execution run(
      "int x = 1; int y = 2; int a[3]; thread t { a[x] = x + y; x += 1; if (x == y && a[1] == 3) y "
      "= 9; }",
      {.granularity = kAccess});
  EXPECT_THAT(run.steps, ElementsAre("read x", "read x", "read y", "write a[1]", "read x",
                                     "write x", "read x", "read y", "read a[1]", "write y"));
  EXPECT_EQ(run["y"], 9);
}

TEST(SplitByAccess, DoesNotLoadWhatIsNotEvaluated) {
  const Execution run(
      "int x; int y; bool b; thread t { b = x == 1 && y == 1; y = x == 0 ? 5 : y; }",
      {.granularity = kAccess});
  EXPECT_THAT(run.steps, ElementsAre("read x", "write b", "read x", "write y"));
  EXPECT_EQ(run["y"], 5);
}

TEST(SplitByAccess, KeepsReadModifyWriteOfAtomicsWhole) {
  const Execution run(
      "atomic int x; int y = 3; thread t { x += y; x = x + 1; bool b = cas(x, y, y); }",
      {.granularity = kAccess});
  EXPECT_THAT(run.steps, ElementsAre("read y", "atomic-rmw x", "atomic-read x", "atomic-write x",
                                     "read y", "read y", "atomic-read x"));
  EXPECT_EQ(run["x"], 4);
}

TEST(Locks, AreTakenAndTried) {
  const Execution run(
      "lock m; thread t { lock(m); bool b = trylock(m); unlock(m); b = trylock(m); }");
  EXPECT_THAT(run.steps,
              ElementsAre("acquire m", "failed-acquire m", "release m", "acquire m (tried)"));
  EXPECT_EQ(run["b"], 1);
}

TEST(Locks, CanBeRecursive) {
  const Execution run(
      "recursive lock m; int x; thread t { lock(m); bool b = trylock(m); unlock(m); x = 1; "
      "unlock(m); unlock(m); }");
  EXPECT_EQ(run["x"], 1);
  EXPECT_EQ(run["b"], 1);
  EXPECT_EQ(run.failure, Failure::misuse);
  EXPECT_EQ(run.interpreter.describe_last_step(), "unlock(m): the thread does not hold this lock");
}

TEST(Locks, TakenTwiceAreMisuse) {
  EXPECT_EQ(Execution("lock m; thread t { lock(m); lock(m); }").failure, Failure::misuse);
  EXPECT_EQ(Execution("rwlock m; thread t { read_lock(m); lock(m); }").failure, Failure::misuse);
  EXPECT_EQ(Execution("rwlock m; thread t { lock(m); read_lock(m); }").failure, Failure::misuse);
  EXPECT_EQ(Execution("lock m; condition c; thread t { wait(c, m); }").failure, Failure::misuse);
}

TEST(ReadersWriterLock, LetsReadersIn) {
  const Model model = model_of(
      "rwlock l; thread a { read_lock(l); read_unlock(l); } thread b { read_lock(l); "
      "read_unlock(l); }"
      "thread w { lock(l); unlock(l); } thread t { bool r = try_read_lock(l); bool w = trylock(l); "
      "}");
  Interpreter interpreter(model);
  const ThreadId a(0), b(1), w(2), t(3);
  interpreter.step(a, 0);
  EXPECT_EQ(interpreter.readiness(b), Readiness::ready);
  EXPECT_EQ(interpreter.readiness(w), Readiness::blocked);
  EXPECT_EQ(next_of(interpreter, t), "reader-acquire l (tried)");
  interpreter.step(a, 0);
  interpreter.step(w, 0);
  EXPECT_EQ(interpreter.readiness(b), Readiness::blocked);
  EXPECT_EQ(next_of(interpreter, t), "failed-reader-acquire l");
  interpreter.step(t, 0);
  EXPECT_EQ(next_of(interpreter, t), "failed-acquire l");
}

constexpr const char* kWaiters =
    "lock m; condition c; thread w(i : 0..2) { lock(m); wait(c, m); unlock(m); }"
    "thread n { notify(c); notify(c); notify_all(c); }";

void start_waiting(Interpreter& interpreter, ThreadId waiter) {
  interpreter.step(waiter, 0);
  EXPECT_EQ(next_of(interpreter, waiter), "wait c, release m");
  interpreter.step(waiter, 0);
  EXPECT_EQ(next_of(interpreter, waiter), "wake c");
}

TEST(Notify, WakesAnyOneOfThoseWhoWait) {
  const Model model = model_of(kWaiters);
  Interpreter interpreter(model);
  const ThreadId first(0), second(1), late(2), notifier(3);
  start_waiting(interpreter, first);
  start_waiting(interpreter, second);
  EXPECT_EQ(interpreter.readiness(first), Readiness::blocked);
  interpreter.step(notifier, 0);
  start_waiting(interpreter, late);
  EXPECT_EQ(interpreter.readiness(first), Readiness::ready);
  EXPECT_EQ(interpreter.readiness(second), Readiness::ready);
  EXPECT_EQ(interpreter.readiness(late), Readiness::blocked);
  interpreter.step(second, 0);
  EXPECT_EQ(next_of(interpreter, second), "acquire m");
  EXPECT_EQ(interpreter.readiness(first), Readiness::blocked);
  interpreter.step(notifier, 0);
  EXPECT_EQ(interpreter.readiness(first), Readiness::ready);
  EXPECT_EQ(interpreter.readiness(late), Readiness::ready);
}

TEST(Notify, IsLostWhenNobodyWaits) {
  const Model model = model_of(kWaiters);
  Interpreter interpreter(model);
  const ThreadId first(0), second(1), notifier(3);
  interpreter.step(notifier, 0);
  start_waiting(interpreter, first);
  EXPECT_EQ(interpreter.readiness(first), Readiness::blocked);
  interpreter.step(notifier, 0);
  start_waiting(interpreter, second);
  interpreter.step(notifier, 0);
  EXPECT_EQ(interpreter.readiness(first), Readiness::ready);
  EXPECT_EQ(interpreter.readiness(second), Readiness::ready);
}

TEST(Wait, OfDifferentOrderIsTheSameState) {
  const Model model = model_of(kWaiters);
  std::set<std::uint64_t> hashes;
  for (const auto& order :
       {std::array{0U, 1U, 2U}, std::array{2U, 1U, 0U}, std::array{1U, 2U, 0U}}) {
    Interpreter interpreter(model);
    for (const std::uint32_t thread : order) start_waiting(interpreter, ThreadId(thread));
    hashes.insert(interpreter.state_hash());
  }
  EXPECT_EQ(hashes.size(), 1U);
}

TEST(Semaphores, Count) {
  const Execution run(
      "semaphore s = 1; thread t { wait(s); bool b = trywait(s); post(s); b = trywait(s); wait(s); "
      "}");
  EXPECT_THAT(run.steps, ElementsAre("semaphore-wait s", "failed-semaphore-wait s",
                                     "semaphore-post s", "semaphore-wait s (tried)"));
  EXPECT_EQ(run.interpreter.readiness(ThreadId(0)), Readiness::blocked);
  EXPECT_EQ(run.interpreter.initial_count(SystemObject(0)), 1U);
}

TEST(ForkAndJoin, GiveThreadsABeginningAndAnEnd) {
  const Execution run(
      "int x; thread main { fork h(2); join h(2); x = 2; } thread h(i : 1..2) forked { x = 1; }");
  EXPECT_THAT(run.steps,
              ElementsAre("fork h(2)", "begin h(2), write x", "end h(2)", "join h(2)", "write x"));
  EXPECT_EQ(run.interpreter.readiness(ThreadId(1)), Readiness::unborn);
  EXPECT_EQ(run.interpreter.readiness(ThreadId(2)), Readiness::finished);
}

TEST(Fork, OfTheSameThreadTwiceIsMisuse) {
  EXPECT_EQ(Execution("thread main { fork h; fork h; } thread h forked { skip; }").failure,
            Failure::misuse);
}

TEST(Choice, HasAsManyWaysAsValues) {
  const Model model = model_of(
      "int x; thread t { x = choose(2..5); choose { x = 0; } or { skip; } or { x = 9; } }");
  Interpreter interpreter(model);
  const ThreadId t(0);
  Operation operation;
  interpreter.next_operation(t, operation);
  EXPECT_EQ(operation.choices, 4U);
  interpreter.step(t, 3);
  EXPECT_EQ(interpreter.word(word_named(model, "x")), 5);
  interpreter.next_operation(t, operation);
  EXPECT_EQ(operation.choices, 3U);
  interpreter.step(t, 2);
  interpreter.step(t, 0);
  EXPECT_EQ(interpreter.word(word_named(model, "x")), 9);
}

TEST(Array, MayBeEmpty) {
  const Execution run("int x; int a[0]; lock m[0]; thread t { int b[0]; x = 1; a[x] = 2; }");
  EXPECT_EQ(run.failure, Failure::out_of_range);
  EXPECT_EQ(run.interpreter.describe_last_step(), "a[x] = 2: index 1 of an empty array");
}

struct FailureExample {
  std::string text;
  Failure failure;
  std::string description;
};

class Failing : public testing::TestWithParam<FailureExample> {};

TEST_P(Failing, SaysWhy) {
  const Execution run(GetParam().text);
  EXPECT_EQ(run.failure, GetParam().failure);
  EXPECT_EQ(run.interpreter.describe_last_step(), GetParam().description);
  EXPECT_EQ(run.interpreter.readiness(ThreadId(0)), Readiness::finished);
}

INSTANTIATE_TEST_SUITE_P(
    Step, Failing,
    testing::Values(FailureExample{"int x = 2; thread t { assert(x == 1); }", Failure::assertion,
                                   "assertion x == 1 fails (x = 2)"},
                    FailureExample{"bool b; thread t { assume(b); }", Failure::assumption,
                                   "assumption b does not hold (b = false)"},
                    FailureExample{"int[0..7] y = 7; thread t { y += 2; }", Failure::out_of_range,
                                   "y := 9 is outside 0..7"},
                    FailureExample{"int a[4]; int i = 5; thread t { a[i] = 1; }",
                                   Failure::out_of_range, "a[i] = 1: index 5 is outside 0..3"},
                    FailureExample{"int x; thread t { x = 1 / x; }", Failure::out_of_range,
                                   "x = 1 / x: division by zero"},
                    FailureExample{
                        "int x; thread t { x = choose(3..x); }", Failure::misuse,
                        "x = choose(3..x): there is nothing, or too much, to choose from"},
                    FailureExample{"lock m; thread t { unlock(m); }", Failure::misuse,
                                   "unlock(m): the thread does not hold this lock"}));

TEST(Step, SaysWhatItDid) {
  const Model model =
      model_of("int a[2]; bool f; lock m; thread t { lock(m); a[1], f = 3, true; }");
  Interpreter interpreter(model);
  EXPECT_EQ(interpreter.describe_next(ThreadId(0)), "lock(m)");
  EXPECT_EQ(interpreter.where_next(ThreadId(0)), "test.hm:1:38");
  interpreter.step(ThreadId(0), 0);
  EXPECT_EQ(interpreter.describe_last_step(), "lock(m)");
  interpreter.step(ThreadId(0), 0);
  EXPECT_EQ(interpreter.describe_last_step(), "a[1] := 3, f := true");
}

TEST(Step, SaysHowABranchWent) {
  const Model model = model_of("int x; thread t { if (x == 1) x = 2; while (x == 0) x = 3; }");
  Interpreter interpreter(model);
  interpreter.step(ThreadId(0), 0);
  EXPECT_EQ(interpreter.describe_last_step(), "if (x == 1): false");
  const std::uint64_t before = interpreter.state_hash();
  interpreter.step(ThreadId(0), 0);
  EXPECT_EQ(interpreter.describe_last_step(), "while (x == 0): true");
  interpreter.rewind(1);
  EXPECT_EQ(interpreter.state_hash(), before);
  EXPECT_EQ(interpreter.describe_last_step(), "if (x == 1): false");
}

std::vector<std::string> certain(const std::string& text, std::size_t steps_before = 0) {
  const Model model = model_of(text);
  Interpreter interpreter(model);
  for (std::size_t i = 0; i < steps_before; ++i) interpreter.step(ThreadId(0), 0);
  OperationList operations;
  interpreter.certain_operations(ThreadId(0), 10, operations);
  std::vector<std::string> made;
  for (const Operation& operation : operations) made.push_back(words_of(interpreter, operation));
  return made;
}

TEST(Certain, AreStatementsWithKnownAddresses) {
  EXPECT_THAT(
      certain("int x; int a[3]; thread t { int k = 1; x = 1; a[k] = x; k += 1; a[k] = 2; }"),
      ElementsAre("write x", "read x, write a[1]", "write a[2]"));
}

TEST(Certain, EndsBehindABranchOnSharedData) {
  EXPECT_THAT(certain("int x; int y; thread t { y = 1; if (x == 1) y = 2; y = 3; }"),
              ElementsAre("write y", "read x"));
  EXPECT_THAT(certain("int x; int y; thread t { int u = x; u = u + 1; if (u == 1) y = 2; }"),
              ElementsAre("read x"));
}

TEST(Certain, EndsBeforeAnAddressThatDependsOnSharedData) {
  EXPECT_THAT(certain("int[0..2] x; int a[3]; thread t { int[0..2] u = x; int v = u; a[v] = 1; }"),
              ElementsAre("read x"));
}

TEST(Certain, EndsBeforeWhatMayFail) {
  EXPECT_THAT(certain("int x; int[0..3] b; thread t { x = 1; b = x; x = 2; }"),
              ElementsAre("write x"));
  EXPECT_THAT(certain("int x; thread t { x = 1; assert(x == 1); x = 2; }"), ElementsAre("write x"));
  EXPECT_THAT(certain("int[0..3] b; int[0..3] d; thread t { b = 3 - d; b = b % 2; }"),
              ElementsAre("read d, write b", "write b"));
}

TEST(Certain, EndsBeforeSynchronisation) {
  EXPECT_THAT(certain("int x; lock m; thread t { x = 1; lock(m); x = 2; }"),
              ElementsAre("write x"));
  EXPECT_THAT(certain("int x; lock m; thread t { lock(m); x = 2; unlock(m); }", 1),
              ElementsAre("write x"));
}

TEST(Certain, FollowsLoopsOverKnownValues) {
  EXPECT_THAT(certain("int a[3]; thread t { for (i : 0..2) { if (i != 1) a[i] = 1; } }"),
              ElementsAre("write a[0]", "write a[2]"));
}

TEST(StaticTables, SayWhatATransitionMayDo) {
  const Model model = model_of("int x; int y; int a[3]; thread t { a[x] = y; if (y == 0) x = 1; }");
  const auto names = [&](const std::vector<model::VariableId>& ids) {
    std::vector<std::string> made;
    for (const model::VariableId id : ids) made.push_back(model.variables[id].name);
    return made;
  };
  const model::StaticTable& store = model.tables[model::TransitionId(0)];
  EXPECT_THAT(names(store.reads), ElementsAre("x", "y"));
  EXPECT_THAT(names(store.writes), ElementsAre("a"));
  EXPECT_THAT(names(store.addresses), ElementsAre("x"));
  EXPECT_THAT(names(store.branches), ElementsAre());
  EXPECT_THAT(names(model.tables[model::TransitionId(1)].branches), ElementsAre("y"));
}

TEST(Constants, LeaveNoDeadCodeBehind) {
  const Model model = model_of("int x; thread t(i : 0..1) { if (i == 0) x = 1; else x = 2; }");
  EXPECT_EQ(model.states.size(), 6U);
  for (const model::Transition& transition : model.transitions) {
    EXPECT_FALSE(transition.guard.valid());
  }
}

}  // namespace
}  // namespace heddle
