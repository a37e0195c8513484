// Paper mode against a naive transcription of the paper, and the paper's figures.
#include "predict/paper.h"

#include <map>
#include <tuple>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/predict/naive_paper.h"
#include "tests/predict/small_traces.h"
#include "tests/trace/trace_builder.h"

namespace heddle::predict {
namespace {

using Key = std::tuple<EventId, EventId, EventId, int>;
using Judgement = std::tuple<int, std::uint32_t, std::uint64_t>;
using Judgements = std::map<Key, Judgement>;

void note(Judgements& judgements, const PaperWitness& witness) {
  const Triplet& t = witness.triplet;
  judgements[{t.writer, t.read, t.challenger, static_cast<int>(witness.kind)}] = {
      static_cast<int>(witness.verdict), witness.choices, witness.explored};
}

Judgements fast(const Trace& trace) {
  const Derived derived(trace);
  const Facts facts(trace, derived);
  Judgements result;
  run_paper_mode(facts, {}, [&](const PaperWitness& witness) { note(result, witness); });
  return result;
}

Judgements naive(const Trace& trace) {
  Judgements result;
  for (const PaperWitness& witness : naive_paper_witnesses(trace)) note(result, witness);
  return result;
}

std::string describe(const Key& key, const Judgement& judgement) {
  const auto& [w, r, c, kind] = key;
  const auto& [verdict, choices, explored] = judgement;
  return fmt::format("w {} r {} c {} kind {}: verdict {}, {} choices, {} explored", w.value(),
                     r.value(), c.value(), kind, verdict, choices, explored);
}

void compare_with_transcription(const Trace& trace) {
  const Judgements expected = naive(trace);
  const Judgements found = fast(trace);
  for (const auto& [key, judgement] : expected) {
    const auto same = found.find(key);
    if (same == found.end()) RC_FAIL("missing: " + describe(key, judgement));
    if (same->second != judgement) {
      RC_FAIL(describe(key, judgement) + "; but came " + describe(key, same->second));
    }
  }
  RC_ASSERT(found.size() == expected.size());
}

RC_GTEST_PROP(PaperModeEqualsItsTranscription, OnAllSortsOfTraces, ()) {
  for_some_traces(mixed_options, compare_with_transcription);
}
RC_GTEST_PROP(PaperModeEqualsItsTranscription, OnLocksAndConditions, ()) {
  for_some_traces(plain_options, compare_with_transcription);
}

GenerateOptions many_sections(std::uint64_t seed) {
  GenerateOptions options = plain_options(seed);
  options.events = 20;
  options.locks = 2;
  options.threads = 3;
  options.fork_join = false;
  return options;
}

RC_GTEST_PROP(PaperModeEqualsItsTranscription, OnChoices, ()) {
  for_some_traces(many_sections, compare_with_transcription, 2);
}

// --- Figures ---

PaperWitness witness_of(const Trace& trace, Triplet triplet, TripletKind kind) {
  const Derived derived(trace);
  const Facts facts(trace, derived);
  PaperWitness found;
  run_paper_mode(facts, {}, [&](const PaperWitness& witness) {
    if (witness.triplet == triplet && witness.kind == kind) found = witness;
  });
  EXPECT_EQ(found.triplet, triplet) << "no such triplet";
  return found;
}

EventId event(std::uint32_t number) { return EventId(number); }

// Figure 1: two scopes of one lock, a write in the first and a read in the second. Free of races,
// and still the scopes can come the other way round.
TEST(PaperFigures, Figure1IsFreeOfRacesAndNondeterministic) {
  const Trace trace =
      trace_of({"T1 acq l", "T1 w x", "T1 rel l", "T2 acq l", "T2 r x", "T2 rel l"});
  const Triplet triplet{event(1), event(4), kInitialWrite};
  EXPECT_EQ(witness_of(trace, triplet, TripletKind::read_before_writer).verdict,
            PaperVerdict::no_choice);
  EXPECT_EQ(witness_of(trace, triplet, TripletKind::without_writer).verdict,
            PaperVerdict::no_choice);
}

// Figure 5: r1 reads w1; behind w1 stands a scope with w2, before r1 one of the same lock with r2
// that reads w2. For c r1 w1, the couple (w2, r2) induces the edge between the scopes, and the
// cycle r1 w1 u v x r1.
TEST(PaperFigures, Figure5HasACycleThroughAnInducedEdge) {
  const Trace trace = trace_of({"T3 w x", "T1 w x", "T1 acq l", "T1 w y", "T1 rel l", "T2 acq l",
                                "T2 r y", "T2 rel l", "T2 r x"});
  const Triplet triplet{event(1), event(8), event(0)};
  EXPECT_EQ(witness_of(trace, triplet, TripletKind::read_before_writer).verdict,
            PaperVerdict::cyclic);
}

// Figure 6: two unordered pairs of scopes, [a1 b1] and [a2 b2] of l1, [a3 b3] and [a4 b4] of l2.
// Paths lead from x into the ends of the first pair, from the beginnings of the first pair into
// the ends of the second, and from the beginnings of the second to y. So each of the four ways to
// order the pairs makes a path from x to y, and none of them exists before.
TEST(PaperFigures, Figure6IsRefutedByAllFourChoiceGraphs) {
  const Trace trace = trace_of({
      "T1 w v",                                                     // 0: x
      "T1 w p",                                                     // 1
      "T2 acq l1", "T2 w e1", "T2 r p",  "T2 rel l1",               // 2-5: a1 b1
      "T3 acq l1", "T3 w e2", "T3 r p",  "T3 rel l1",               // 6-9: a2 b2
      "T4 acq l2", "T4 w e3", "T4 r e1", "T4 r e2",   "T4 rel l2",  // 10-14: a3 b3
      "T5 acq l2", "T5 w e4", "T5 r e1", "T5 r e2",   "T5 rel l2",  // 15-19: a4 b4
      "T6 r e3",   "T6 r e4",                                       // 20-21
      "T6 r v",                                                     // 22: y
  });
  const Triplet triplet{event(0), event(22), kInitialWrite};
  const PaperWitness witness = witness_of(trace, triplet, TripletKind::read_before_writer);
  EXPECT_EQ(witness.choices, 2u);
  EXPECT_EQ(witness.explored, 4u);
  EXPECT_EQ(witness.verdict, PaperVerdict::infeasible_by_choice);
}

}  // namespace
}  // namespace heddle::predict
