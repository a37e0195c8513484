// What must hold of the interpreter on any model: going back is exact, operations say what
// steps do, what is certain happens.
#include <algorithm>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.h"
#include "tests/model/brute_force.h"
#include "tests/model/random_model.h"
#include "tests/model/support.h"

namespace heddle {
namespace {

using model::Interpreter;
using model::Model;

struct Choice {
  ThreadId thread;
  std::uint32_t choice;
};
using Schedule = std::vector<Choice>;

// All that a System tells about a state.
struct Snapshot {
  std::uint64_t hash;
  std::vector<Readiness> readiness;
  std::vector<Operation> operations;
  std::vector<std::string> next;
  friend bool operator==(const Snapshot&, const Snapshot&) = default;
};

Snapshot snapshot(const System& system) {
  Snapshot made;
  made.hash = system.state_hash();
  for (const ThreadId thread : indices<ThreadId>(system.thread_count())) {
    made.readiness.push_back(system.readiness(thread));
    if (made.readiness.back() == Readiness::unborn) continue;
    if (made.readiness.back() == Readiness::finished) continue;
    system.next_operation(thread, made.operations.emplace_back());
    made.next.push_back(system.describe_next(thread) + " " + system.where_next(thread));
  }
  return made;
}

std::vector<ThreadId> ready_threads(const System& system) {
  std::vector<ThreadId> ready;
  for (const ThreadId thread : indices<ThreadId>(system.thread_count())) {
    if (system.readiness(thread) == Readiness::ready) ready.push_back(thread);
  }
  return ready;
}

// One random step, if there is one to take.
bool random_step(System& system, Random& random, Schedule& schedule, Failure& failure) {
  const std::vector<ThreadId> ready = ready_threads(system);
  if (ready.empty() || schedule.size() > 200) return false;
  const ThreadId thread = ready[random.below(static_cast<std::uint32_t>(ready.size()))];
  Operation operation;
  system.next_operation(thread, operation);
  schedule.push_back({thread, random.below(operation.choices)});
  failure = system.step(thread, schedule.back().choice);
  return true;
}

Model any_model(RandomModelOptions options, std::uint64_t seed, Random& random) {
  options.threads = 2 + random.below(3);
  const bool split = random.chance(40);
  const std::string text = random_model(options, seed);
  RC_LOG() << text << (split ? "(by access)" : "(by statement)");
  return model_of(text, {.granularity = split ? kAccess : model::Granularity::statement});
}

RC_GTEST_PROP(AnyModel, ComesBackToWhereItWas, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  Random random(seed);
  const Model model = any_model({}, seed, random);
  Interpreter interpreter(model);
  std::vector<Snapshot> history{snapshot(interpreter)};
  Schedule schedule;
  Failure failure = Failure::none;
  for (int round = 0; round < 5; ++round) {
    while (failure == Failure::none && random_step(interpreter, random, schedule, failure)) {
      history.push_back(snapshot(interpreter));
    }
    const std::size_t depth = random.below(static_cast<std::uint32_t>(history.size()));
    interpreter.rewind(depth);
    failure = Failure::none;
    history.resize(depth + 1);
    schedule.resize(depth);
    RC_ASSERT(interpreter.depth() == depth);
    RC_ASSERT(snapshot(interpreter) == history.back());
  }
}

RC_GTEST_PROP(AnyModel, DoesTheSameFromTheStart, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  Random random(seed);
  const Model model = any_model({}, seed, random);
  Interpreter interpreter(model);
  Schedule schedule;
  Failure failure = Failure::none;
  for (int round = 0; round < 3; ++round) {
    interpreter.rewind(schedule.size() / 2);
    schedule.resize(schedule.size() / 2);
    failure = Failure::none;
    while (failure == Failure::none && random_step(interpreter, random, schedule, failure)) {
    }
  }
  Interpreter fresh(model);
  Failure fresh_failure = Failure::none;
  for (const Choice& choice : schedule) fresh_failure = fresh.step(choice.thread, choice.choice);
  RC_ASSERT(snapshot(fresh) == snapshot(interpreter));
  RC_ASSERT(fresh_failure == failure);
  RC_ASSERT(fresh.describe_last_step() == interpreter.describe_last_step());
}

// The shared words that a step changes are those that its operation writes.
RC_GTEST_PROP(AnyModel, WritesOnlyWhatItsOperationsSay, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  Random random(seed);
  const Model model = any_model({}, seed, random);
  Interpreter interpreter(model);
  Schedule schedule;
  Failure failure = Failure::none;
  std::vector<std::vector<std::int64_t>> words;
  std::vector<std::vector<Operation>> operations;
  do {
    words.emplace_back();
    for (std::uint32_t i = 0; i < model.layout.shared_words; ++i) {
      words.back().push_back(interpreter.word(i));
    }
    operations.emplace_back(interpreter.thread_count());
    for (const ThreadId thread : ready_threads(interpreter)) {
      interpreter.next_operation(thread, operations.back()[thread.value()]);
    }
  } while (failure == Failure::none && random_step(interpreter, random, schedule, failure));
  for (std::size_t step = 0; step + 1 < words.size(); ++step) {
    const Operation& operation = operations[step][schedule[step].thread.value()];
    for (std::uint32_t i = 0; i < model.layout.shared_words; ++i) {
      if (words[step][i] == words[step + 1][i]) continue;
      const auto written = [&](const Access& access) {
        return access.object.value() == i && writes(access.kind);
      };
      RC_ASSERT(std::any_of(operation.accesses.begin(), operation.accesses.end(), written));
    }
  }
}

// Independent operations commute: neither stops or changes the other, and the order of the
// two makes no difference to the state.
RC_GTEST_PROP(AnyModel, HasIndependentOperationsThatCommute, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  Random random(seed);
  const Model model = any_model({}, seed, random);
  Interpreter interpreter(model);
  Schedule schedule;
  Failure failure = Failure::none;
  do {
    const std::vector<ThreadId> ready = ready_threads(interpreter);
    if (ready.size() < 2) continue;
    const ThreadId a = ready[0],
                   b = ready[1 + random.below(static_cast<std::uint32_t>(ready.size() - 1))];
    Operation of_a, of_b, later;
    interpreter.next_operation(a, of_a);
    interpreter.next_operation(b, of_b);
    if (dependent(of_a, of_b)) continue;
    const std::size_t depth = interpreter.depth();
    std::uint64_t hashes[2] = {};
    bool failed = false;
    for (const bool a_first : {true, false}) {
      failed = failed || interpreter.step(a_first ? a : b, 0) != Failure::none;
      RC_ASSERT(interpreter.readiness(a_first ? b : a) == Readiness::ready);
      interpreter.next_operation(a_first ? b : a, later);
      RC_ASSERT(later == (a_first ? of_b : of_a));
      failed = failed || interpreter.step(a_first ? b : a, 0) != Failure::none;
      hashes[a_first ? 1 : 0] = interpreter.state_hash();
      interpreter.rewind(depth);
    }
    RC_ASSERT(failed || hashes[0] == hashes[1]);
  } while (failure == Failure::none && random_step(interpreter, random, schedule, failure));
}

// Checks the promise of one thread on random continuations from here.
void check_certain(Interpreter& interpreter, ThreadId thread, Random& random) {
  OperationList certain;
  interpreter.certain_operations(thread, 6, certain);
  const std::size_t depth = interpreter.depth();
  for (int attempt = 0; attempt < 3 && !certain.empty(); ++attempt) {
    Schedule schedule;
    Failure failure = Failure::none;
    for (std::size_t seen = 0; seen < certain.size() && failure == Failure::none;) {
      RC_ASSERT(interpreter.readiness(thread) == Readiness::ready);
      Operation actual;
      interpreter.next_operation(thread, actual);
      RC_ASSERT(words_of(interpreter, actual) == words_of(interpreter, certain[seen]));
      if (!random_step(interpreter, random, schedule, failure)) break;
      if (schedule.back().thread != thread) continue;
      RC_ASSERT(failure == Failure::none);
      ++seen;
    }
    interpreter.rewind(depth);
  }
}

RC_GTEST_PROP(AnyModel, DoesWhatIsCertain, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  Random random(seed);
  const Model model = any_model({}, seed, random);
  Interpreter interpreter(model);
  Schedule schedule;
  Failure failure = Failure::none;
  do {
    for (const ThreadId thread : ready_threads(interpreter)) {
      check_certain(interpreter, thread, random);
    }
  } while (failure == Failure::none && random_step(interpreter, random, schedule, failure));
}

RC_GTEST_PROP(AnyModelSplitByAccess, HasAtMostOneSharedAccessPerStep, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  std::string text = random_model({}, seed);
  for (std::size_t at; (at = text.find("atomic {")) != std::string::npos;) text.erase(at, 6);
  RC_LOG() << text;
  const Model model = model_of(text, {.granularity = kAccess});
  Interpreter interpreter(model);
  Random random(seed);
  Schedule schedule;
  Failure failure = Failure::none;
  do {
    for (const ThreadId thread : ready_threads(interpreter)) {
      Operation operation;
      interpreter.next_operation(thread, operation);
      std::size_t accesses = 0;
      for (const Access& access : operation.accesses) accesses += is_access(access.kind) ? 1 : 0;
      RC_ASSERT(accesses <= 1);
    }
  } while (failure == Failure::none && random_step(interpreter, random, schedule, failure));
}

using FinalValues = std::set<std::vector<std::int64_t>>;

// Values of the shared variables at the end of executions that end well.
void collect_final_values(Interpreter& interpreter, std::set<std::uint64_t>& seen,
                          FinalValues& values) {
  if (seen.size() > 20000 || !seen.insert(interpreter.state_hash()).second) return;
  const std::size_t depth = interpreter.depth();
  const std::vector<ThreadId> ready = ready_threads(interpreter);
  for (const ThreadId thread : ready) {
    Operation operation;
    interpreter.next_operation(thread, operation);
    for (std::uint32_t choice = 0; choice < operation.choices; ++choice) {
      if (interpreter.step(thread, choice) == Failure::none) {
        collect_final_values(interpreter, seen, values);
      }
      interpreter.rewind(depth);
    }
  }
  if (!ready.empty()) return;
  std::vector<std::int64_t> shared;
  for (std::uint32_t i = 0; i < interpreter.model().layout.shared_words; ++i) {
    shared.push_back(interpreter.word(i));
  }
  values.insert(std::move(shared));
}

RC_GTEST_PROP(AnyModelSplitByAccess, CanDoAllThatWholeStatementsCan, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const std::string text = random_model({.threads = 2, .statements = 2}, seed);
  RC_LOG() << text;
  FinalValues whole, split;
  for (const auto granularity : {model::Granularity::statement, kAccess}) {
    const Model model = model_of(text, {.granularity = granularity});
    Interpreter interpreter(model);
    std::set<std::uint64_t> seen;
    collect_final_values(interpreter, seen, granularity == kAccess ? split : whole);
    RC_PRE(seen.size() <= 20000);
  }
  RC_ASSERT(std::includes(split.begin(), split.end(), whole.begin(), whole.end()));
}

}  // namespace
}  // namespace heddle
