// Every explorer against brute force, on random programs: the same Mazurkiewicz traces,
// final states, deadlocks and failures; each trace once, where that is promised.
#include <map>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "explore/explorer.h"
#include "tests/explore/tiny_system.h"

namespace heddle {
namespace {

using MakeExplorer = decltype(&make_brute_explorer);

// What a search saw.
struct Seen : ExplorationListener {
  explicit Seen(TinySystem& tiny, std::size_t at_most) : system(tiny), limit(at_most) {}

  bool on_execution(const Execution& execution) override {
    ++traces[class_of(execution)];
    final_states.insert(system.final_state());
    bool blocked = false;
    for (ThreadId t : indices<ThreadId>(system.thread_count())) {
      blocked = blocked || system.readiness(t) == Readiness::blocked;
    }
    if (blocked) deadlocks.insert(system.final_state());
    return ++executions < limit;
  }
  bool on_failure(const Execution& execution, Failure) override {
    failures.insert(system.final_state());
    static_cast<void>(execution);
    return true;
  }

  // Two executions are the same trace if their events and happens-before are.
  static std::string class_of(const Execution& original) {
    Execution execution = original;
    CheckCounters ignored;
    execution.order_up_to(execution.size(), ignored);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> events;
    std::map<std::uint32_t, std::uint32_t> count;
    for (Execution::EventIndex e = 0; e < execution.size(); ++e) {
      std::string text;
      for (const Access& access : execution.accesses(e)) {
        text += fmt::format("{} o{} ", name_of(access.kind), access.object.value());
      }
      text += fmt::format("choice {} after", execution.transition(e).choice);
      std::map<std::uint32_t, int> known;
      for (Execution::EventIndex d = 0; d < e; ++d) {
        if (execution.before(d, e)) ++known[execution.thread(d).value()];
      }
      for (const auto& [thread, n] : known) text += fmt::format(" {}:{}", thread, n);
      const std::uint32_t thread = execution.thread(e).value();
      events[{thread, count[thread]++}] = text;
    }
    std::string key;
    for (const auto& [id, text] : events) {
      key += fmt::format("T{}.{} {}\n", id.first, id.second, text);
    }
    return key;
  }

  TinySystem& system;
  std::size_t limit;
  std::size_t executions = 0;
  std::map<std::string, int> traces;
  std::set<std::string> final_states, deadlocks, failures;
};

struct Outcome {
  bool finished;
  ExploreCounters counters;
};

Outcome explore(TinySystem& system, Seen& seen, MakeExplorer make) {
  const auto explorer = make(system, seen, {});
  const bool finished = explorer->run();
  return {finished, explorer->counters()};
}

Instruction random_instruction(const TinyProgram& program) {
  const auto number = [](std::uint32_t bound) {
    return *rc::gen::resize(100, rc::gen::inRange(0u, bound));
  };
  const Op op = *rc::gen::weightedElement<Op>({{4, Op::write},
                                               {4, Op::add},
                                               {4, Op::load},
                                               {3, Op::store},
                                               {3, Op::store_at},
                                               {2, Op::skip_if},
                                               {3, Op::test},
                                               {1, Op::check},
                                               {4, Op::lock},
                                               {4, Op::unlock},
                                               {2, Op::trylock},
                                               {2, Op::post},
                                               {2, Op::semaphore_wait},
                                               {2, Op::wait},
                                               {2, Op::notify},
                                               {1, Op::notify_all},
                                               {1, Op::choose}});
  Instruction i{op};
  switch (op) {
    case Op::write: i = {op, number(program.variables), number(3)}; break;
    case Op::add: i = {op, number(program.variables), number(program.variables)}; break;
    case Op::skip_if: i = {op, number(2), 1 + number(2)}; break;
    case Op::test: i = {op, number(program.variables), number(2), 1 + number(2)}; break;
    case Op::check: i = {op, number(program.variables), 2}; break;
    case Op::store_at: i = {op, number(program.variables), number(3)}; break;
    case Op::lock:
    case Op::unlock:
    case Op::trylock: i = {op, number(program.locks)}; break;
    case Op::choose: i = {op, 2}; break;
    case Op::load:
    case Op::store: i = {op, number(program.variables)}; break;
    default: break;
  }
  return i;
}

TinyProgram random_program() {
  const auto number = [](std::uint32_t low, std::uint32_t high) {
    return *rc::gen::resize(100, rc::gen::inRange(low, high));
  };
  TinyProgram program;
  program.variables = number(1, 4);
  program.locks = number(1, 3);
  const std::uint32_t threads = number(2, 5);
  const std::uint32_t length = threads == 2 ? 6 : threads == 3 ? 4 : 3;
  for (std::uint32_t t = 0; t < threads; ++t) {
    std::vector<Instruction> code;
    for (std::uint32_t n = number(1, length); n > 0; --n)
      code.push_back(random_instruction(program));
    program.threads.push_back(code);
  }
  return program;
}

void compare_with_brute_force(MakeExplorer make, bool exactly_once) {
  const TinyProgram program = random_program();
  RC_LOG() << describe(program);
  TinySystem brute_system(program);
  Seen expected(brute_system, 60'000);
  RC_PRE(explore(brute_system, expected, make_brute_explorer).finished);
  TinySystem system(program);
  Seen seen(system, 200'000);
  const Outcome outcome = explore(system, seen, make);
  RC_ASSERT(outcome.finished);
  for (const auto& [trace, times] : expected.traces) {
    if (!seen.traces.contains(trace)) RC_LOG() << "missed:\n" << trace;
    RC_ASSERT(seen.traces.contains(trace));
  }
  RC_ASSERT(seen.traces.size() == expected.traces.size());
  RC_ASSERT(seen.final_states == expected.final_states);
  RC_ASSERT(seen.deadlocks == expected.deadlocks);
  RC_ASSERT(seen.failures.empty() == expected.failures.empty());
  if (exactly_once) {
    for (const auto& [trace, times] : seen.traces) {
      if (times != 1) RC_LOG() << "visited " << times << " times:\n" << trace;
      RC_ASSERT(times == 1);
    }
    RC_ASSERT(outcome.counters.blocked == 0u);
  }
}

RC_GTEST_PROP(Explorers, SdporVisitsEveryTrace, ()) {
  compare_with_brute_force(make_sdpor_explorer, false);
}
RC_GTEST_PROP(Explorers, OdporVisitsEveryTraceOnce, ()) {
  compare_with_brute_force(make_odpor_explorer, true);
}
RC_GTEST_PROP(Explorers, EporVisitsEveryTraceOnce, ()) {
  compare_with_brute_force(make_epor_explorer, true);
}
RC_GTEST_PROP(Explorers, EporShVisitsEveryTraceOnce, ()) {
  compare_with_brute_force(make_epor_sh_explorer, true);
}

}  // namespace
}  // namespace heddle
