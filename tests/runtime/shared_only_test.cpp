// Traces without what one thread at a time owns, against full traces of the same schedule.
#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/runtime/support.h"
#include "tests/sample.h"
#include "trace/binary_writer.h"
#include "trace/open.h"
#include "trace/stream.h"

namespace heddle {
namespace {

using testing::HasSubstr;
using testing::Not;

Trace trace_at(const std::string& path) {
  const auto source = open_trace(path);
  return collect(**source).value();
}

// Names do not depend on what was left out; numbers do.
class Names {
 public:
  explicit Names(const Trace& trace) : tables_(trace.tables) {}

  std::string region(RegionId id) const { return tables_.given_name(tables_.regions[id]); }
  std::string location(LocationId id) const {
    const LocationInfo& info = tables_.locations[id];
    return fmt::format("{}+{}:{}", region(info.region), info.offset, info.size);
  }
  std::string object(const EventRecord& event) const {
    switch (object_type(event.kind)) {
      case ObjectType::location: return location(LocationId(event.object));
      case ObjectType::region: return region(RegionId(event.object));
      default: return fmt::format("{}", event.object);
    }
  }
  std::string event(const EventRecord& event) const {
    std::string text = fmt::format("{} {} {} {} {}", name_of(event.kind), event.thread.value(),
                                   event.detail, object(event), stack(event.site));
    if (event.has_value) text += fmt::format(" = {} {}", event.value, event.old_value);
    return text;
  }

 private:
  std::string stack(SiteId id) const {
    if (!id.valid()) return "";
    return fmt::format("{:x} {}", tables_.sites[id].address, stack(tables_.sites[id].caller));
  }

  const Tables& tables_;
};

bool is_memory_event(const EventRecord& event) {
  const ObjectType type = object_type(event.kind);
  return type == ObjectType::location || type == ObjectType::region;
}

// The bytes that an event touches, in granules of eight: region and number.
std::set<std::pair<std::uint32_t, std::uint64_t>> granules_of(const Trace& trace,
                                                              const EventRecord& event) {
  std::set<std::pair<std::uint32_t, std::uint64_t>> granules;
  RegionId region(event.object);
  std::uint64_t first = 0;
  std::uint64_t end = 0;
  if (object_type(event.kind) == ObjectType::location) {
    const LocationInfo& info = trace.tables.locations[LocationId(event.object)];
    region = info.region;
    first = info.offset;
    end = info.offset + info.size;
  } else {
    end = trace.tables.regions[region].size;
  }
  for (std::uint64_t at = first / 8; at * 8 < end; ++at) granules.emplace(region.value(), at);
  return granules;
}

// How many events of each thread are over before an event, by fork and join alone.
using Over = std::vector<std::uint32_t>;

std::vector<Over> over_before_events(const Trace& trace) {
  std::vector<Over> now(trace.tables.threads.size(), Over(trace.tables.threads.size(), 0));
  std::vector<Over> before;
  for (const EventId id : trace.events()) {
    const EventRecord event = trace.record(id);
    Over& own = now[event.thread.value()];
    if (event.kind == EventKind::join) {
      const Over& other = now[event.object];
      for (std::size_t i = 0; i < own.size(); ++i) own[i] = std::max(own[i], other[i]);
    }
    before.push_back(own);
    ++own[event.thread.value()];
    if (event.kind == EventKind::fork) now[event.object] = own;
  }
  return before;
}

using Granule = std::pair<std::uint32_t, std::uint64_t>;

// Those that two threads touch neither of which is over, by fork and join, before the other.
std::set<Granule> shared_granules(const Trace& full) {
  const std::vector<Over> over = over_before_events(full);
  std::map<Granule, std::map<std::uint32_t, std::uint32_t>> touched;  // by whom, and when last
  std::set<Granule> shared;
  for (const EventId id : full.events()) {
    const EventRecord event = full.record(id);
    if (!is_memory_event(event)) continue;
    const Over& before = over[id.value()];
    for (const Granule& granule : granules_of(full, event)) {
      for (const auto& [thread, last] : touched[granule]) {
        if (thread != event.thread.value() && before[thread] < last) shared.insert(granule);
      }
      touched[granule][event.thread.value()] = before[event.thread.value()] + 1;
    }
  }
  return shared;
}

// The accesses of a full trace that a trace of what is shared must have.
std::vector<std::string> needed_accesses(const Trace& full) {
  const std::set<Granule> shared = shared_granules(full);
  const Names names(full);
  std::vector<std::string> needed;
  for (const EventId id : full.events()) {
    const EventRecord event = full.record(id);
    if (object_type(event.kind) != ObjectType::location) continue;
    const auto granules = granules_of(full, event);
    const bool is_shared =
        std::ranges::any_of(granules, [&](const Granule& g) { return shared.contains(g); });
    if (is_shared) needed.push_back(names.event(event));
  }
  return needed;
}

// The objects whose memory events are in the trace.
std::set<std::string> memory_in(const Trace& trace) {
  const Names names(trace);
  std::set<std::string> objects;
  for (const EventId id : trace.events()) {
    const EventRecord event = trace.record(id);
    if (is_memory_event(event)) objects.insert(names.object(event));
  }
  return objects;
}

std::vector<std::string> events_on(const Trace& trace, const std::set<std::string>& memory) {
  const Names names(trace);
  std::vector<std::string> events;
  for (const EventId id : trace.events()) {
    const EventRecord event = trace.record(id);
    if (is_memory_event(event) && !memory.contains(names.object(event))) continue;
    events.push_back(names.event(event));
  }
  return events;
}

std::vector<std::string> accesses_in(const Trace& trace) {
  const Names names(trace);
  std::vector<std::string> accesses;
  for (const EventId id : trace.events()) {
    const EventRecord event = trace.record(id);
    if (object_type(event.kind) == ObjectType::location) accesses.push_back(names.event(event));
  }
  return accesses;
}

// Whether all of `needed` stand in `events`, in this order.
std::string first_missing(const std::vector<std::string>& needed,
                          const std::vector<std::string>& events) {
  std::size_t at = 0;
  for (const std::string& event : needed) {
    while (at < events.size() && events[at] != event) ++at;
    if (at++ == events.size()) return event;
  }
  return "";
}

class SharedOnly : public testing::Test {
 protected:
  void record_both(const std::string& program, const std::vector<std::string>& arguments,
                   const std::vector<std::string>& options) {
    const auto both = [&](const std::string& trace, const char* selection) {
      std::vector<std::string> words = {"record", "--quiet", selection, "--out", trace};
      words.insert(words.end(), options.begin(), options.end());
      words.insert(words.end(), {"--", program});
      words.insert(words.end(), arguments.begin(), arguments.end());
      const auto result = heddle(words);
      EXPECT_EQ(result.exit_status, 0) << result.errors;
      EXPECT_EQ(result.errors, "");
    };
    both(full_, "--all");
    both(shared_, "--shared-only");
  }
  void expect_the_same_without_private_memory() {
    const Trace full = trace_at(full_);
    const Trace shared = trace_at(shared_);
    const std::set<std::string> memory = memory_in(shared);
    EXPECT_EQ(events_on(shared, memory), events_on(full, memory));
    EXPECT_EQ(first_missing(needed_accesses(full), accesses_in(shared)), "");
    EXPECT_EQ(first_offence(shared_), "");
  }

  TemporaryFolder folder_;
  std::string full_ = folder_.file("full.heddle");
  std::string shared_ = folder_.file("shared.heddle");
};

TEST_F(SharedOnly, IsTheFullTraceWithoutPrivateMemory) {
  const bool full = std::getenv("HEDDLE_TEST_FULL") != nullptr;
  const int programs = full ? 300 : kSanitized ? 4 : 24;
  for (int seed = 1; seed <= programs && !HasFailure(); ++seed) {
    const std::string text = fmt::format("{}", seed);
    SCOPED_TRACE("random_program " + text);
    const char* policy = seed % 3 == 0 ? "pct" : seed % 3 == 1 ? "random" : "round-robin";
    record_both(HEDDLE_RUNTIME_PROGRAMS "/random/random_program", {text},
                {"--seed", text, "--schedule", policy});
    expect_the_same_without_private_memory();
  }
}

// However little a first look sees: what it did not foresee makes another run.
TEST_F(SharedOnly, IsTheSameAfterAFirstLook) {
  const bool full = std::getenv("HEDDLE_TEST_FULL") != nullptr;
  const int programs = full ? 300 : kSanitized ? 4 : 24;
  for (int seed = 1; seed <= programs && !HasFailure(); ++seed) {
    const std::string text = fmt::format("{}", seed);
    const std::string look = fmt::format("{}", 50 << seed % 8);
    SCOPED_TRACE("random_program " + text + " --first-look " + look);
    record_both(HEDDLE_RUNTIME_PROGRAMS "/random/random_program", {text},
                {"--seed", text, "--first-look", look});
    expect_the_same_without_private_memory();
    const auto replayed = heddle({"replay", shared_});
    EXPECT_THAT(replayed.errors, HasSubstr(" events as recorded"));
  }
}

TEST_F(SharedOnly, IsTheSameWhereverThingsLieAfterAFirstLook) {
  for (const char* look : {"100", "400", "1600"}) {
    const auto record_to = [&](const std::string& path, const std::string& more) {
      record(HEDDLE_RUNTIME_PROGRAMS "/random/random_program", path,
             {"--quiet", "--seed", "7", "--first-look", look, more});
    };
    record_to(full_, "--shared-only");
    record_to(shared_, "--randomise-addresses");
    EXPECT_TRUE(content_of(full_) == content_of(shared_)) << look;
    EXPECT_FALSE(content_of(full_).empty());
  }
}

TEST_F(SharedOnly, LeavesOutMostOfAProgram) {
  record_both(program_under_test("heap"), {}, {});
  expect_the_same_without_private_memory();
  EXPECT_LT(trace_at(shared_).size() * 4, trace_at(full_).size());
  EXPECT_THAT(note_of(shared_, "left out"),
              HasSubstr(" accesses to memory that one thread at a time owns"));
  EXPECT_EQ(note_of(full_, "left out"), "");
}

TEST_F(SharedOnly, IsInTheWordsOfTraceInfo) {
  record_both(program_under_test("containers"), {}, {});
  const auto info = heddle({"trace", "info", shared_});
  EXPECT_THAT(info.output, HasSubstr("left out "));
  EXPECT_THAT(info.output, Not(HasSubstr("shared memory")));
}

// As for schedules that somebody made up: the order of events is all there is.
TEST_F(SharedOnly, ReplaysFromTheOrderOfItsEventsAlone) {
  for (const int seed : {1, 2, 3, 4, 5, 6}) {
    const std::string text = fmt::format("{}", seed);
    const auto recorded = heddle({"record", "--quiet", "--seed", text, "--out", full_, "--",
                                  HEDDLE_RUNTIME_PROGRAMS "/random/random_program", text});
    ASSERT_EQ(recorded.exit_status, 0) << recorded.errors;
    Trace trace = trace_at(full_);
    ASSERT_EQ(trace.metadata.notes.erase("schedule settings"), 1u);
    const auto writer = BinaryWriter::create(shared_);
    ASSERT_TRUE(write_all(trace, **writer).ok());
    const auto replayed = heddle({"replay", shared_});
    EXPECT_EQ(replayed.exit_status, 0) << replayed.errors;
    EXPECT_THAT(replayed.errors, HasSubstr(" events as recorded"));
  }
}

TEST_F(SharedOnly, OutputComesOnce) {
  const auto result = record(program_under_test("printing"), shared_);
  const auto by_itself = run_subprocess({program_under_test("printing")}).value();
  EXPECT_EQ(result.output.size(), by_itself.output.size());
}

TEST_F(SharedOnly, LeavesOutWhatForkAndJoinHandOn) {
  record_both(program_under_test("handed_on"), {}, {});
  expect_the_same_without_private_memory();
  std::set<std::string> accessed;
  const Trace trace = trace_at(shared_);
  for (const EventId id : trace.events()) {
    if (!is_access(trace.kind(id))) continue;
    accessed.insert(trace.tables.describe(ObjectType::location, trace.object(id)));
  }
  EXPECT_EQ(accessed, std::set<std::string>{"counter"});
}

TEST_F(SharedOnly, RunsAgainWhereTheForecastWasWrong) {
  record_both(program_under_test("late_sharing"), {}, {"--first-look", "500"});
  expect_the_same_without_private_memory();
  const auto accesses = accesses_in(trace_at(shared_));
  EXPECT_GT(accesses.size(), 4000u);
}

TEST_F(SharedOnly, OutputOfAFirstTryComesOnceToo) {
  const std::vector<std::string> look = {"--quiet", "--first-look", "20"};
  const auto result = record(program_under_test("printing"), shared_, look);
  const auto by_itself = run_subprocess({program_under_test("printing")}).value();
  EXPECT_EQ(result.output.size(), by_itself.output.size());
  EXPECT_EQ(result.errors, "");
}

TEST_F(SharedOnly, AFirstTryIsEndedWhereARunCannotBeDoneTwice) {
  const auto result = heddle(
      {"record", "--first-look", "5", "--out", shared_, "--", program_under_test("child_process")});
  EXPECT_THAT(result.errors, HasSubstr("recorded everything in one run: "));
  EXPECT_EQ(note_of(shared_, "left out"), "");
}

TEST_F(SharedOnly, WritesOnceToADescriptorThatTheProgramInherits) {
  for (const char* look : {"0", "100"}) {
    const std::string written = folder_.file(std::string("written") + look);
    const std::string command =
        fmt::format("exec 5> {}; {} record --quiet --first-look {} --out {} -- {}", written,
                    HEDDLE_PROGRAM, look, shared_, program_under_test("inherits"));
    const auto result = run_subprocess({"/bin/bash", "-c", command}).value();
    EXPECT_EQ(result.exit_status, 0) << result.errors;
    EXPECT_EQ(content_of(written), "once\n") << look;
  }
}

TEST_F(SharedOnly, RecordsEverythingWhereARunCannotBeDoneTwice) {
  const auto result =
      heddle({"record", "--out", shared_, "--", program_under_test("child_process")});
  EXPECT_THAT(result.errors,
              HasSubstr("recorded everything in one run: the program starts another process, "
                        "which cannot be done twice\n"));
  EXPECT_EQ(note_of(shared_, "left out"), "");
}

TEST_F(SharedOnly, TakesNoInputAwayFromTheRecordedRun) {
  const std::string command = fmt::format("echo some words | {} record --out {} -- {}",
                                          HEDDLE_PROGRAM, shared_, program_under_test("input"));
  const auto result = run_subprocess({"/bin/sh", "-c", command}).value();
  EXPECT_EQ(result.output, "read: some words\n");
  EXPECT_THAT(result.errors, HasSubstr("the program reads its standard input"));
}

}  // namespace
}  // namespace heddle
