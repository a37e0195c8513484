#include "trace/repair.h"

#include <memory>
#include <sstream>

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

std::string whole(const OffenceExample& example) {
  return std::string(example.before) + "\n" + std::string(example.offender) + "\n" +
         std::string(example.after);
}

// Each line without the blanks around it.
std::string trimmed(std::string_view text) {
  std::istringstream lines{std::string(text)};
  std::string result;
  for (std::string line; std::getline(lines >> std::ws, line);) result += line + "\n";
  return result;
}

TEST(Repair, MendsEveryKindOfOffence) {
  for (const OffenceExample& example : offence_examples()) {
    SCOPED_TRACE(whole(example));
    RepairingSource source(std::make_unique<RecordSource>(tiny_trace(whole(example))));
    const Result<Trace> repaired = collect(source);
    ASSERT_TRUE(repaired.ok());
    EXPECT_EQ(tiny_text(*repaired), trimmed(example.repaired));
    ASSERT_GT(source.report().total, 0u);
    EXPECT_EQ(source.report().first.front().change.rule, example.rule);
    EXPECT_EQ(source.report().first.front().change.problem, example.explanation);
  }
}

TEST(Repair, SaysWhatItChangedAndWhere) {
  RepairingSource source(std::make_unique<RecordSource>(tiny_trace(R"(
    T1 acq L
    T1 acq L
    T1 rel L
    T1 rel L
    T1 rel L
    T1 oncepass o
  )")),
                         3);
  ASSERT_TRUE(collect(source).ok());
  const RepairReport& report = source.report();
  EXPECT_EQ(report.summary(),
            "4 changes: 1 for release-without-acquire, 2 for reentrant-acquire, "
            "1 for once-pass-before-done");
  ASSERT_EQ(report.first.size(), 3u);
  EXPECT_EQ(report.first[0].where, "line 2");
  EXPECT_EQ(report.first[0].event, 1u);
  EXPECT_EQ(report.first[0].change.remedy, "left out, and so will be its release");
  EXPECT_FALSE(report.first[0].change.consequence);
  EXPECT_EQ(report.first[1].where, "line 3");
  EXPECT_EQ(report.first[1].change.problem, "T1 releases L");
  EXPECT_TRUE(report.first[1].change.consequence);
  EXPECT_EQ(report.first[2].change.problem, "T1 releases L, which nobody holds");
}

TEST(Repair, FindsNothingInAWellFormedTrace) {
  RepairingSource source(std::make_unique<RecordSource>(tiny_trace("T1 acq L\nT1 rel L")));
  ASSERT_TRUE(collect(source).ok());
  EXPECT_EQ(source.report().summary(), "nothing to repair");
}

TEST(Repair, KnowsWhereEventsStandThatItPutIn) {
  RepairingSource source(std::make_unique<RecordSource>(tiny_trace(R"(
    T1 rel M
    T2 rel M
    T1 rel M
    T1 rel M
    T1 acq L
    T2 acq L
    T2 rel L
  )")));
  std::vector<EventRecord> batch;
  ASSERT_TRUE(source.next(batch).ok());
  ASSERT_EQ(batch.size(), 3u);
  EXPECT_EQ(source.where(0), "line 5");
  EXPECT_EQ(source.where(1), "line 6");
  EXPECT_EQ(batch[1].kind, EventKind::release);
  EXPECT_EQ(source.where(2), "line 6");
  ASSERT_TRUE(source.next(batch).ok());
  EXPECT_EQ(source.where(0), "line 7");
}

// Now and then a number that is not defined.
void spoil(std::vector<EventRecord>& events, RandomRecords& random) {
  for (EventRecord& event : events) {
    const std::uint32_t number = random.below(std::size_t{1} << 32);
    switch (random.below(100)) {
      case 0: event.object = number; break;
      case 1: event.thread = ThreadId(number % 9); break;
      case 2: event.site = SiteId(number); break;
      case 3: event.lock = LockId(number); break;
      case 4: event.kind = static_cast<EventKind>(number % 256); break;
      default: break;
    }
  }
}

std::size_t first_offence(const Trace& trace) {
  NaiveWellFormed naive(trace.tables);
  for (const EventId e : trace.events()) {
    if (!naive.may_follow(trace.record(e))) return e.value();
    naive.append(trace.record(e));
  }
  return trace.size();
}

RC_GTEST_PROP(Repair, MakesAnySequenceOfEventsWellFormed, ()) {
  const Tables tables = tables_for_random_records();
  RandomRecords random(tables, *rc::gen::arbitrary<std::uint64_t>());
  std::vector<EventRecord> events = random.next(300);
  if (random.below(2) == 0) spoil(events, random);
  RepairingSource source(
      std::make_unique<RecordSource>(tables_for_random_records(), events, 1 + random.below(50)));
  Result<Trace> repaired = collect(source);
  RC_ASSERT(repaired.ok());
  RC_ASSERT(first_offence(*repaired) == repaired->size());
  ValidatingSource strict(std::make_unique<RecordSource>(*std::move(repaired)));
  const Result<Trace> read = collect(strict);
  if (!read.ok()) RC_FAIL(read.error().message);
}

RC_GTEST_PROP(Repair, LeavesAWellFormedTraceAsItIs, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const GenerateOptions options{.events = 200,
                                .threads = 5,
                                .values = *rc::gen::arbitrary<bool>(),
                                .mixed_sizes = *rc::gen::arbitrary<bool>()};
  RepairingSource source(std::make_unique<RecordSource>(generate_trace(options, seed)));
  const Result<Trace> repaired = collect(source);
  RC_ASSERT(repaired.ok());
  RC_ASSERT(source.report().total == 0u);
  RC_ASSERT(*repaired == generate_trace(options, seed));
}

RC_GTEST_PROP(Repair, FindsNothingMoreInWhatItRepaired, ()) {
  const Tables tables = tables_for_random_records();
  RandomRecords random(tables, *rc::gen::arbitrary<std::uint64_t>());
  RepairingSource first(
      std::make_unique<RecordSource>(tables_for_random_records(), random.next(300)));
  Result<Trace> once = collect(first);
  RC_ASSERT(once.ok());
  const std::string text = tiny_text(*once);
  RepairingSource second(std::make_unique<RecordSource>(*std::move(once)));
  const Result<Trace> twice = collect(second);
  RC_ASSERT(twice.ok());
  RC_ASSERT(second.report().total == 0u);
  RC_ASSERT(tiny_text(*twice) == text);
}

}  // namespace
}  // namespace heddle
