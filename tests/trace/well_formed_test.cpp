#include "trace/well_formed.h"

#include <memory>
#include <random>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/trace/naive_well_formed.h"
#include "tests/trace/offence_examples.h"
#include "tests/trace/random_records.h"
#include "tests/trace/tiny_trace.h"
#include "trace/generate.h"
#include "trace/validate.h"

namespace heddle {
namespace {

// The first event that breaks a rule, and how; the trace's size when there is none.
struct FirstOffence {
  std::size_t event;
  std::optional<Offence> offence;
};

FirstOffence first_offence(const Tables& tables, const std::vector<EventRecord>& events) {
  WellFormed state(tables);
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (auto offence = state.check(events[i])) return {i, offence};
    state.apply(events[i]);
  }
  return {events.size(), std::nullopt};
}

std::vector<EventRecord> records(const Trace& trace) {
  std::vector<EventRecord> events;
  for (const EventId e : trace.events()) events.push_back(trace.record(e));
  return events;
}

std::string whole(const OffenceExample& example) {
  return std::string(example.before) + "\n" + std::string(example.offender) + "\n" +
         std::string(example.after);
}

TEST(WellFormed, NamesTheEventThatBreaksARuleAndSaysWhy) {
  for (const OffenceExample& example : offence_examples()) {
    SCOPED_TRACE(whole(example));
    const Trace trace = tiny_trace(whole(example));
    const FirstOffence first = first_offence(trace.tables, records(trace));
    ASSERT_TRUE(first.offence.has_value());
    EXPECT_EQ(first.event, tiny_trace(example.before).size());
    EXPECT_EQ(name_of(first.offence->rule), name_of(example.rule));
    EXPECT_EQ(first.offence->explanation, example.explanation);
  }
}

TEST(WellFormed, HasAnExampleForEveryRuleThatTextCanBreak) {
  std::set<Rule> shown = {Rule::undefined_object, Rule::invalid_detail};
  for (const OffenceExample& example : offence_examples()) shown.insert(example.rule);
  for (const RuleInfo& rule : kRules) EXPECT_TRUE(shown.contains(rule.rule)) << rule.name;
}

TEST(WellFormed, RefusesNumbersThatAreNotDefined) {
  Tables tables;
  tables.threads.add({});
  tables.conditions.add({});
  tables.locations.add({.region = RegionId(3)});
  const WellFormed state(tables);
  const auto explanation = [&state](const EventRecord& event) {
    const auto offence = state.check(event);
    return offence ? offence->explanation : "fine";
  };
  EXPECT_EQ(explanation({.kind = EventKind::branch}), "fine");
  EXPECT_EQ(explanation({.kind = EventKind::branch, .thread = ThreadId(1)}),
            "branch by thread 1, which is not defined");
  EXPECT_EQ(explanation({.kind = EventKind::branch, .site = SiteId(2)}),
            "branch at site 2, which is not defined");
  EXPECT_EQ(explanation({.kind = EventKind::branch, .object = 1}),
            "branch of an object; it has none");
  EXPECT_EQ(explanation({.kind = EventKind::acquire, .object = 4}),
            "acquire of lock 4, which is not defined");
  EXPECT_EQ(explanation({.kind = EventKind::wait}), "wait gives up a lock that is not defined");
  EXPECT_EQ(explanation({.kind = EventKind::read}),
            "read of location 0, whose region is not defined");
  EXPECT_EQ(explanation({.kind = static_cast<EventKind>(77)}),
            "an event has kind 77, which there is not");
  EXPECT_EQ(explanation({.kind = EventKind::fence, .detail = 9}),
            "thread 0 fences with detail 9, which means nothing here");
}

TEST(WellFormed, AllowsWhatIsUnusualButPossible) {
  const Trace trace = tiny_trace(R"(
    # lock M recursive
    # lock W readers-writer
    T1 fork T9
    T1 join T9
    T2 join T9
    T1 acq M
    T1 acq M
    T2 tryfail M
    T1 racq W
    T1 racq W
    T2 racq W
    T3 tryfail W
    T1 acq L
    T1 tryfail L
    T1 wait c L
    T2 acq L
    T2 wait c L
    T3 notify c
    T2 timeout c
    T1 wake c
    T1 end
    T3 notify c
  )");
  const FirstOffence first = first_offence(trace.tables, records(trace));
  EXPECT_FALSE(first.offence) << first.offence->explanation;
}

GenerateOptions random_options() {
  GenerateOptions options;
  options.events = *rc::gen::inRange<std::size_t>(0, 120);
  options.threads = *rc::gen::inRange<std::uint32_t>(1, 6);
  options.values = *rc::gen::arbitrary<bool>();
  options.mixed_sizes = *rc::gen::arbitrary<bool>();
  options.fork_join = *rc::gen::arbitrary<bool>();
  return options;
}

RC_GTEST_PROP(WellFormed, AcceptsEveryGeneratedTrace, ()) {
  const GenerateOptions options = random_options();
  const Trace trace = generate_trace(options, *rc::gen::arbitrary<std::uint64_t>());
  const FirstOffence first = first_offence(trace.tables, records(trace));
  if (first.offence) RC_FAIL(first.offence->explanation);
}

RC_GTEST_PROP(WellFormed, AgreesWithItsSlowTwinOnRandomEvents, ()) {
  const Tables tables = tables_for_random_records();
  RandomRecords random(tables, *rc::gen::arbitrary<std::uint64_t>());
  WellFormed state(tables);
  NaiveWellFormed naive(tables);
  for (int i = 0; i < 400; ++i) {
    const EventRecord event = random.next();
    const auto offence = state.check(event);
    if (offence.has_value() == naive.may_follow(event)) {
      RC_FAIL(offence ? offence->explanation : std::string(name_of(event.kind)) + " accepted");
    }
    if (offence) continue;
    state.apply(event);
    naive.append(event);
  }
}

// Leaves an event out, swaps two, moves one, or gives one to another thread.
void mutate(std::vector<EventRecord>& events, const Tables& tables, std::mt19937_64& random) {
  const auto position = [&] { return static_cast<std::ptrdiff_t>(random() % events.size()); };
  const auto at = events.begin() + position();
  const auto other = events.begin() + position();
  switch (random() % 4) {
    case 0: events.erase(at); break;
    case 1: std::swap(*at, *other); break;
    case 2: std::rotate(std::min(at, other), std::max(at, other), std::max(at, other) + 1); break;
    default: at->thread = ThreadId(static_cast<std::uint32_t>(random() % tables.threads.size()));
  }
}

RC_GTEST_PROP(WellFormed, AgreesWithItsSlowTwinOnMutatedTraces, ()) {
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
  const Trace trace = generate_trace(random_options(), random());
  std::vector<EventRecord> events = records(trace);
  RC_PRE(!events.empty());
  mutate(events, trace.tables, random);
  NaiveWellFormed naive(trace.tables);
  std::size_t expected = 0;
  while (expected < events.size() && naive.may_follow(events[expected])) {
    naive.append(events[expected++]);
  }
  RC_ASSERT(first_offence(trace.tables, events).event == expected);
}

TEST(ValidatingSource, StopsAtTheFirstOffenceAndNamesItsPlace) {
  ValidatingSource source(std::make_unique<RecordSource>(tiny_trace(R"(
    T1 acq L
    T1 w x
    T1 r x
    T2 rel L
    T2 rel L
  )")));
  std::vector<EventRecord> batch;
  ASSERT_TRUE(source.next(batch).ok());
  EXPECT_EQ(batch.size(), 3u);
  const Result<void> result = source.next(batch);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().message,
            "line 4: T2 releases L, which T1 holds (rule foreign-release); --repair can mend this");
}

TEST(ValidatingSource, HandsOnAWellFormedTraceUnchanged) {
  const Trace trace = generate_trace({.events = 200}, 7);
  ValidatingSource source(std::make_unique<RecordSource>(generate_trace({.events = 200}, 7)));
  const Result<Trace> read = collect(source);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(*read, trace);
}

TEST(Validate, ListsEveryOffenceOnce) {
  for (const OffenceExample& example : offence_examples()) {
    SCOPED_TRACE(whole(example));
    RecordSource source(tiny_trace(whole(example)));
    const Result<Validation> validation = validate(source, 10);
    ASSERT_TRUE(validation.ok());
    ASSERT_FALSE(validation->first.empty());
    EXPECT_EQ(validation->first.front().event, tiny_trace(example.before).size());
    EXPECT_EQ(validation->first.front().offence.explanation, example.explanation);
  }
}

TEST(Validate, DoesNotCountTheConsequencesOfAnOffence) {
  RecordSource source(tiny_trace(R"(
    T1 acq L
    T1 acq L
    T1 rel L
    T1 rel L
    T2 wait c L
    T2 wake c
    T2 oncepass o
    T1 exit
    T1 r x
    T2 r x
    T2 r x
  )"));
  const Result<Validation> validation = validate(source, 3);
  ASSERT_TRUE(validation.ok());
  EXPECT_EQ(validation->events, 11u);
  EXPECT_EQ(validation->total, 4u);
  ASSERT_EQ(validation->first.size(), 3u);
  EXPECT_EQ(validation->first[0].where, "line 2");
  EXPECT_EQ(validation->first[1].where, "line 5");
  EXPECT_EQ(validation->first[2].offence.rule, Rule::once_pass_before_done);
}

}  // namespace
}  // namespace heddle
