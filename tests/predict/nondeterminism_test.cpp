// Exact mode against the enumeration of all reorderings.
#include "predict/nondeterminism.h"

#include <map>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/predict/small_traces.h"
#include "trace/enumerate.h"
#include "trace/reordering.h"

namespace heddle::predict {
namespace {

// Shows every yes and checks it; returns what can be seen.
std::set<ReadOfWrite> predicted(const Facts& facts, const Nondeterminism& analysis) {
  std::set<ReadOfWrite> result;
  analysis.ask_all([&](const ReadAnswer& answer) {
    RC_ASSERT(answer.answer != Answer::undecided);
    if (answer.answer == Answer::yes) result.insert({answer.read, answer.write});
  });
  for (const auto& [read, write] : result) {
    const Shown shown = analysis.show(read, write);
    RC_ASSERT(shown.answer == Answer::yes);
    const auto violation = check_reordering(
        facts.trace(), shown.sequence, {.values = facts.by_values(), .question = shown.question});
    RC_ASSERT(!violation);
    RC_ASSERT(shown.sequence.back() == read);
  }
  return result;
}

std::set<ReadOfWrite> enumerated(const Trace& trace, bool values) {
  const Oracle oracle = enumerate(trace, {.values = values,
                                          .paper_kinds = false,
                                          .adjacent_races = false,
                                          .unordered_races = false,
                                          .deadlocks = false,
                                          .atomicity = false});
  RC_PRE(oracle.complete);
  std::set<ReadOfWrite> result;
  for (const auto& [answer, witness] : oracle.nondeterminism) result.insert(answer);
  return result;
}

void compare_with_enumeration(const Trace& trace, bool values = false,
                              const NondeterminismOptions& options = {}) {
  const Derived derived(trace);
  const Facts facts(trace, derived, values);
  RC_ASSERT(predicted(facts, Nondeterminism(facts, options)) == enumerated(trace, values));
}

RC_GTEST_PROP(NondeterminismEqualsEnumeration, OnAllSortsOfTraces, ()) {
  for_some_traces(mixed_options, [](const Trace& trace) { compare_with_enumeration(trace); });
}
RC_GTEST_PROP(NondeterminismEqualsEnumeration, ByValue, ()) {
  for_some_traces(mixed_options, [](const Trace& trace) { compare_with_enumeration(trace, true); });
}
// Searches that begin as the run did, a few events before the question.
RC_GTEST_PROP(NondeterminismEqualsEnumeration, WithTinyWindows, ()) {
  for_some_traces(mixed_options, [](const Trace& trace) {
    compare_with_enumeration(trace, false, {.budget = {.windows = {1, 1}}});
  });
}

GenerateOptions with_conditions(std::uint64_t seed) {
  GenerateOptions options = plain_options(seed);
  options.conditions = 1;
  options.threads = 3;
  options.events = 14;
  return options;
}

// Wakes that could have had another notify, or none.
RC_GTEST_PROP(NondeterminismEqualsEnumeration, OnWaitsAndNotifies, ()) {
  for_some_traces(with_conditions, [](const Trace& trace) { compare_with_enumeration(trace); });
}

RC_GTEST_PROP(NondeterminismEqualsEnumeration, OnLocksAndConditions, ()) {
  for_some_traces(plain_options, [](const Trace& trace) { compare_with_enumeration(trace); });
}

}  // namespace
}  // namespace heddle::predict
