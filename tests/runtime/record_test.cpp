// heddle record and heddle replay as users type them, and what the runtime exports.
#include <filesystem>
#include <map>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/runtime/support.h"
#include "trace/open.h"
#include "trace/stream.h"

namespace heddle {
namespace {

using testing::HasSubstr;
using testing::Not;

class Recording : public testing::Test {
 protected:
  TemporaryFolder folder_;
  std::string trace_ = folder_.file("trace.heddle");
};

TEST_F(Recording, DoesNotDependOnFolderAndEnvironment) {
  const std::string program = program_under_test("containers");
  const std::string other = folder_.file("other.heddle");
  ASSERT_EQ(record(program, trace_).exit_status, 0);
  SubprocessOptions elsewhere;
  elsewhere.directory = folder_.path();
  elsewhere.environment = {"LARGE=" + std::string(5000, 'x')};
  ASSERT_EQ(record(program, other, {}, elsewhere).exit_status, 0);
  EXPECT_TRUE(content_of(trace_) == content_of(other)) << "the traces differ";
}

TEST_F(Recording, DifferentSeedsGiveDifferentRuns) {
  const std::string program = program_under_test("try_locks");
  const std::string other = folder_.file("other.heddle");
  record(program, trace_, {"--seed", "1"});
  record(program, other, {"--seed", "2"});
  EXPECT_FALSE(events_of(trace_) == events_of(other));
}

TEST_F(Recording, SaysHowTheProgramEnded) {
  record(program_under_test("killed"), trace_);
  EXPECT_EQ(note_of(trace_, "ended"), "killed by SIGKILL");
  record(program_under_test("segmentation_fault"), trace_);
  EXPECT_EQ(note_of(trace_, "ended"), "killed by SIGSEGV");
  record(program_under_test("exit_status"), trace_);
  EXPECT_EQ(note_of(trace_, "ended"), "exit status 7");
}

TEST_F(Recording, ReportsADeadlockAtOnce) {
  const auto result = record(program_under_test("self_deadlock"), trace_);
  EXPECT_EQ(result.exit_status, 42);
  EXPECT_THAT(result.errors, HasSubstr("deadlock: no thread can go on\n"));
  EXPECT_THAT(result.errors, HasSubstr("main waits for mutex in main"));
  EXPECT_THAT(result.errors, HasSubstr(", held by main ("));
  EXPECT_EQ(note_of(trace_, "ended"), "deadlock");
}

TEST_F(Recording, FindsADeadlockThatSomeSchedulesHave) {
  int deadlocks = 0;
  for (int seed = 1; seed <= 30; ++seed) {
    const auto result =
        record(program_under_test("deadlock"), trace_, {"--seed", fmt::format("{}", seed)});
    if (result.exit_status != 42) continue;
    ++deadlocks;
    EXPECT_THAT(result.errors, HasSubstr("main waits for "));
    EXPECT_THAT(result.errors, HasSubstr(", held by main.1"));
    EXPECT_THAT(result.errors, HasSubstr("main.1 waits for "));
  }
  EXPECT_GT(deadlocks, 0);
  EXPECT_LT(deadlocks, 30);
}

void expect_copies(const std::vector<EventRecord>& events, std::size_t count) {
  ASSERT_EQ(events.size(), 2 * count);
  for (std::size_t i = 0; i < events.size(); i += 2) {
    EXPECT_EQ(events[i].kind, EventKind::read);
    EXPECT_EQ(events[i + 1].kind, EventKind::write);
    EXPECT_EQ(events[i].thread, events[i + 1].thread);
    EXPECT_EQ(events[i].value, events[i + 1].value);
  }
}

// GCC announces the write first, and before either is done.
TEST_F(Recording, SeesCopiesOfStructsAsAReadAndAWriteOfTheSameValue) {
  for (const char* compiler : {"programs", "programs_gcc"}) {
    SCOPED_TRACE(compiler);
    record(fmt::format("{}/{}/struct_copy", HEDDLE_RUNTIME_PROGRAMS, compiler), trace_, {"--all"});
    const Trace trace = collect(**open_trace(trace_)).value();
    std::map<std::uint32_t, std::vector<EventRecord>> copies;  // by size
    for (const EventId id : trace.events()) {
      const EventRecord event = trace.record(id);
      if (object_type(event.kind) != ObjectType::location || event.thread.value() == 0) continue;
      copies[trace.tables.locations[LocationId(event.object)].size].push_back(event);
    }
    expect_copies(copies[8], 40);
    expect_copies(copies[24], 80);
  }
}

TEST_F(Recording, RefusesAProgramWithoutTheRuntimeInOneLine) {
  const auto result = record("/bin/true", trace_);
  EXPECT_EQ(result.exit_status, 125);
  EXPECT_EQ(result.errors,
            "heddle: '/bin/true' does not contain Heddle's runtime; build it with heddle-c++ (or "
            "heddle-cc)\n");
  EXPECT_FALSE(std::filesystem::exists(trace_));
}

TEST_F(Recording, SaysWhenTheProgramCannotBeStarted) {
  const auto result = record("/nowhere/at-all", trace_);
  EXPECT_EQ(result.exit_status, 125);
  EXPECT_THAT(result.errors, HasSubstr("cannot start '/nowhere/at-all'"));
}

TEST_F(Recording, OfSeveralRunsGivesATraceEach) {
  const auto result = heddle({"record", "--runs", "3", "--seed", "5", "--out", folder_.path(), "--",
                              program_under_test("posix_once")});
  EXPECT_EQ(result.exit_status, 0) << result.errors;
  for (const char* name : {"posix_once-5", "posix_once-6", "posix_once-7"}) {
    EXPECT_EQ(first_offence(folder_.file(fmt::format("{}.heddle", name))), "");
  }
}

TEST_F(Recording, OfSeveralRunsCountsHowTheyEnded) {
  const auto result = heddle(
      {"record", "--runs", "20", "--out", folder_.path(), "--", program_under_test("deadlock")});
  EXPECT_EQ(result.exit_status, 42);
  EXPECT_THAT(result.errors,
              testing::ContainsRegex("heddle: 20 runs; deadlock: [0-9]+, exit status 0: [0-9]+\n"));
}

TEST_F(Recording, OfNoRunsIsRefused) {
  EXPECT_EQ(record(program_under_test("posix_once"), trace_, {"--runs", "0"}).exit_status, 64);
}

TEST_F(Recording, CanBeVerified) {
  const auto result = record(program_under_test("thread_pool"), trace_, {"--verify"});
  EXPECT_EQ(result.exit_status, 0) << result.errors;
}

TEST_F(Recording, ThatIsVerifiedPrintsWhatTheProgramPrintsOnce) {
  const std::string program = program_under_test("printing");
  const auto alone = record(program, trace_);
  const auto verified = heddle({"record", "--verify", "--out", trace_, "--", program});
  EXPECT_EQ(verified.output, alone.output);
  EXPECT_THAT(verified.errors, HasSubstr(": a replay gave the same events\n"));
}

// What it reads from its standard input is gone when the replay asks for it.
TEST_F(Recording, ThatCannotBeVerifiedSaysWhere) {
  const auto result =
      run_subprocess({"bash", "-c",
                      fmt::format("echo some words | {} record --verify --out {} -- {}",
                                  HEDDLE_PROGRAM, trace_, program_under_test("reads_input"))});
  EXPECT_EQ(result->exit_status, 125);
  EXPECT_THAT(result->errors, testing::ContainsRegex("the replay of .* diverged at event [0-9]+: "
                                                     "expected .*; came "));
}

TEST_F(Recording, FollowsTheScheduleOfATrace) {
  const std::string program = program_under_test("peterson");
  const std::string other = folder_.file("other.heddle");
  record(program, trace_, {"--seed", "9"});
  ASSERT_EQ(record(program, other, {"--schedule", trace_}).exit_status, 0);
  EXPECT_TRUE(events_of(trace_) == events_of(other));
}

// Along the events of a trace, every access is a record of its own.
TEST_F(Recording, OfAccessesInRowsIsThatOfSingleOnes) {
  const std::string other = folder_.file("other.heddle");
  for (const char* compiler : {"programs", "programs_gcc"}) {
    const std::string program = fmt::format("{}/{}/rows", HEDDLE_RUNTIME_PROGRAMS, compiler);
    for (const char* seed : {"1", "2", "3"}) {
      for (const char* selection : {"--shared-only", "--all"}) {
        SCOPED_TRACE(fmt::format("{} {} {}", compiler, seed, selection));
        ASSERT_EQ(record(program, trace_, {"--seed", seed, selection}).exit_status, 0);
        ASSERT_EQ(record(program, other, {"--schedule", trace_, selection}).exit_status, 0);
        EXPECT_EQ(first_offence(trace_), "");
        EXPECT_GT(events_of(trace_).size(), 4'000u);
        EXPECT_TRUE(events_of(trace_) == events_of(other));
      }
    }
  }
}

TEST_F(Recording, OfAProgramKilledInARowHasAllOfIt) {
  record(program_under_test("killed_in_a_row"), trace_, {"--all"});
  std::vector<EventRecord> events = events_of(trace_);
  std::erase_if(events, [](const EventRecord& event) { return event.kind != EventKind::write; });
  ASSERT_GE(events.size(), 100u);
  events.erase(events.begin(), events.end() - 100);
  for (std::uint32_t i = 0; i < 100; ++i) {
    EXPECT_EQ(events[i].object, events[0].object + i);
    EXPECT_EQ(events[i].has_value, i < 99) << i;  // the last one has not come to the next hook
    EXPECT_EQ(events[i].value, i < 99 ? 2 * i : 0);
  }
}

TEST_F(Recording, OfAProgramWithSharedLibrariesReplays) {
  const std::string folder = HEDDLE_RUNTIME_PROGRAMS "/library";
  const auto result = heddle(
      {"record", "--verify", "--out", trace_, "--", folder + "/main", folder + "/libloaded.so"});
  EXPECT_EQ(result.exit_status, 0) << result.errors;
  EXPECT_EQ(first_offence(trace_), "");
}

TEST_F(Recording, OfAnotherProgramDivergesInOneLine) {
  record(program_under_test("posix_once"), trace_);
  const auto result = heddle({"replay", trace_, "--", program_under_test("posix_barrier")});
  EXPECT_EQ(result.exit_status, 125);
  EXPECT_THAT(result.errors, testing::MatchesRegex("heddle: diverged at event [0-9]+: expected "
                                                   ".*; came .*\n"));
}

TEST_F(Recording, SuggestsTheNearestSchedule) {
  const auto unknown = heddle({"record", "--schedule", "randon", "--", "/bin/true"});
  EXPECT_EQ(unknown.exit_status, 64);
  EXPECT_THAT(unknown.errors, HasSubstr("did you mean 'random'?"));
}

TEST(InstrumentedProgram, RunsByItself) {
  for (const char* name : {"printing", "futures", "thread_pool", "containers", "keys"}) {
    const auto result = run_subprocess({program_under_test(name)}).value();
    EXPECT_EQ(result.exit_status, 0) << name << ": " << result.errors;
  }
}

TEST(Runtime, ExportsOnlyWhatItInterposes) {
  const auto result = run_subprocess({"nm", "-D", HEDDLE_RUNTIME}).value();
  ASSERT_EQ(result.exit_status, 0);
  std::istringstream lines(result.output);
  std::size_t exported = 0;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string type, name;
    if (line[0] != ' ') words >> name;  // the address
    words >> type >> name;
    if (name.starts_with("__tsan_heddle_")) continue;  // for the hooks in the program
    exported += type == "T" ? 1 : 0;
    EXPECT_THAT(name, Not(HasSubstr("heddle"))) << line;
    EXPECT_TRUE(type == "T" || type == "U" || type == "w") << line;
    // A weak import of libgcc or the loader is all right, a template's is not.
    const bool from_cxx = name.starts_with("_Z") || name.find("GLIBCXX") != std::string::npos;
    EXPECT_FALSE(from_cxx && type != "T") << line;
  }
  EXPECT_GT(exported, 300u);
}

// One that ran after start() would undo what start() set.
TEST(Runtime, HasNoConstructorsThatDoWork) {
  const auto result = run_subprocess({"nm", HEDDLE_RUNTIME}).value();
  EXPECT_THAT(result.output, Not(HasSubstr("_GLOBAL__sub_I")));
}

}  // namespace
}  // namespace heddle
