// Replays that stop before an event: by themselves, and under gdb.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "record/record.h"
#include "tests/runtime/support.h"
#include "tests/sample.h"
#include "trace/open.h"

namespace heddle {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class Stopping : public testing::Test {
 protected:
  Stopping() { record(program_under_test("named_things"), trace_, {"--seed", "3"}); }

  // The first event of that kind about an object of that name.
  std::uint64_t event_on(EventKind kind, const std::string& object) {
    const auto source = open_trace(trace_);
    const auto trace = collect(**source);
    for (const EventId e : trace->events()) {
      const bool same = trace->kind(e) == kind &&
                        trace->tables.describe(object_type(kind), trace->object(e)) == object;
      if (same) return e.value();
    }
    ADD_FAILURE() << "no " << name_of(kind) << " of " << object;
    return 0;
  }
  SubprocessResult shell(const std::string& line) {
    return run_subprocess({"bash", "-c", line}).value();
  }
  std::string replay() { return fmt::format("{} replay {}", HEDDLE_PROGRAM, trace_); }

  TemporaryFolder folder_;
  std::string trace_ = folder_.file("trace.heddle");
};

// The write of a copy, announced before the read that stands in front of it: nothing can be held
// between these two, so a stop that is wanted there comes after both.
bool may_be_write_of_copy(const Trace& trace, std::uint64_t event) {
  const EventId write(static_cast<std::uint32_t>(event));
  const EventId read(write.value() - 1);
  return trace.kind(write) == EventKind::write && trace.kind(read) == EventKind::read &&
         trace.thread(write) == trace.thread(read);
}

TEST_F(Stopping, HappensExactlyBeforeEveryEventThatIsAskedFor) {
  const Trace trace = collect(**open_trace(trace_)).value();
  ASSERT_GT(trace.size(), 30u);
  for (std::uint64_t event = 1; event < trace.size(); event += kSampleStep) {
    const auto replayed = replay_run(trace_, {.launch = {}, .until = event});
    ASSERT_TRUE(replayed.ok()) << replayed.error().message;
    EXPECT_FALSE(replayed->divergence) << event;
    EXPECT_EQ(replayed->result.ending, Ending::reached) << event;
    if (replayed->events == event + 1 && may_be_write_of_copy(trace, event)) continue;
    EXPECT_EQ(replayed->events, event);
  }
}

TEST_F(Stopping, SaysWhereEveryThreadIs) {
  const std::uint64_t event = event_on(EventKind::write, "total");
  const auto result = heddle({"replay", trace_, "--until", fmt::format("{}", event)});
  EXPECT_EQ(result.exit_status, 0) << result.errors;
  EXPECT_THAT(result.errors,
              HasSubstr(fmt::format("heddle: stopped before event {}: main.1 write total = 10\n"
                                    "heddle:   at add(long*, long)  named_things.cpp:25\n"
                                    "heddle:   at deposit(int, long)  named_things.cpp:31\n"
                                    "heddle:   at clerk(void*)  named_things.cpp:38\n",
                                    event)));
  EXPECT_THAT(result.errors,
              ContainsRegex("heddle: another thread stands before its event [0-9]+: main "));
}

TEST_F(Stopping, AtAnEventThatIsNotThereIsRefused) {
  const auto result = heddle({"replay", trace_, "--until", "100000"});
  EXPECT_EQ(result.exit_status, 64);
  EXPECT_THAT(result.errors, HasSubstr("has no event 100000: its "));
}

class UnderGdb : public Stopping {
 protected:
  void SetUp() override {
    if (shell("command -v gdb").exit_status != 0) GTEST_SKIP() << "no gdb here";
    const auto works = shell("gdb -q -batch -ex run --args /bin/true 2>&1");
    if (works.output.find("exited normally") == std::string::npos) {
      GTEST_SKIP() << "gdb cannot trace programs here: " << works.output;
    }
  }
};

TEST_F(UnderGdb, TheProgramStandsAtTheLineOfTheEventInItsThread) {
  const auto result =
      shell(fmt::format("printf 'print total\\nup\\ncontinue\\n' | {} --gdb --until {} 2>&1",
                        replay(), event_on(EventKind::write, "total")));
  EXPECT_THAT(result.output, HasSubstr("in add (to="));
  EXPECT_THAT(result.output, HasSubstr("*to += amount;"));
  EXPECT_THAT(result.output, HasSubstr("$1 = 0"));
  EXPECT_THAT(result.output, ContainsRegex("deposit \\(which=.*3, amount=.*10\\)"));
  EXPECT_THAT(result.output, HasSubstr("exited normally"));
}

TEST_F(UnderGdb, TheReplayCanBeLeftWithoutACommentAboutItsEnd) {
  const auto result = shell(fmt::format("printf 'kill\\nquit\\n' | {} --gdb --until {} 2>&1",
                                        replay(), event_on(EventKind::acquire, "total_lock")));
  EXPECT_EQ(result.exit_status, 0) << result.output;
  EXPECT_THAT(result.output, HasSubstr("pthread_mutex_lock(&total_lock);"));
  EXPECT_THAT(result.output, Not(HasSubstr("heddle: ")));
}

TEST_F(UnderGdb, ASecondRunNeedsASecondReplay) {
  const auto result = shell(fmt::format("printf 'run\\n' | {} --gdb 2>&1", replay()));
  EXPECT_THAT(result.output, HasSubstr("this run was made already; start 'heddle replay' again"));
}

TEST_F(Stopping, WithoutGdbSaysThatItIsMissing) {
  const auto result = shell(fmt::format("PATH=/nowhere {} --gdb 2>&1", replay()));
  EXPECT_EQ(result.exit_status, 125);
  EXPECT_EQ(result.output,
            "heddle: gdb is not there, so the replay cannot be watched in it: apt-get install "
            "gdb\n");
}

}  // namespace
}  // namespace heddle
