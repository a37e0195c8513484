// Witnesses get shorter, never wrong: whatever is kept was shown by a replay.
#include "check/minimise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle {
namespace {

using ::testing::ElementsAre;

struct Step {
  std::string thread;
  std::string operation;
};

Finding finding_with(const std::vector<Step>& steps, std::vector<FindingEvent> events) {
  Finding finding;
  finding.kind = FindingKind::race;
  ProgramSubject program{{"./program"}, "", {"main"}};
  for (const Step& step : steps) {
    finding.add_step(step.thread, 0, step.operation + " at a.cpp:1");
    if (step.operation.starts_with("fork ")) program.threads.push_back(step.operation.substr(5));
  }
  finding.subject = program;
  finding.events = std::move(events);
  return finding;
}

std::string in_words(const Finding& finding) {
  std::string text;
  for (const ScheduleStep& step : finding.schedule) {
    text += finding.threads[step.thread] + ": " +
            step.operation.substr(0, step.operation.rfind(" at ")) + "; ";
  }
  return text;
}

bool always(const Finding&) { return true; }
bool never(const Finding&) { return false; }

Finding two_workers() {
  return finding_with({{"main", "fork main.1"},
                       {"main.1", "begin"},
                       {"main", "fork main.2"},
                       {"main.2", "write y"},
                       {"main.1", "write x"},
                       {"main.2", "write z"},
                       {"main.1", "write w"}},
                      {{"main.1", "a.cpp:1", "write w", "", 7}});
}

TEST(Minimised, BringsStepsOfAThreadTogether) {
  const Finding made = minimised(two_workers(), 1, always);
  EXPECT_EQ(in_words(made),
            "main: fork main.1; main: fork main.2; main.2: write y; main.2: write z; "
            "main.1: begin; main.1: write x; main.1: write w; ");
  EXPECT_EQ(switches_of(made), 2U);
  EXPECT_EQ(made.events[0].step, 7U);
}

// The race's other access is main.2's next step.
TEST(Minimised, BringsTheThreadThatGoesOnToTheEnd) {
  Finding finding = two_workers();
  finding.events.push_back({"main.2", "a.cpp:1", "read w", "", std::nullopt});
  const Finding made = minimised(finding, 1, always);
  EXPECT_EQ(in_words(made),
            "main: fork main.1; main: fork main.2; main.1: begin; main.1: write x; "
            "main.1: write w; main.2: write y; main.2: write z; ");
  EXPECT_EQ(made.events[0].step, 5U);
}

TEST(Minimised, IsTheOldOneWhereNothingElseIsShown) {
  EXPECT_EQ(minimised(two_workers(), 40, never), two_workers());
}

// Two orders of steps that have to do with each other: only a replay can tell.
TEST(Minimised, TriesOtherMovesOneByOne) {
  const Finding finding =
      finding_with({{"main", "fork main.1"},
                    {"main", "write x"},
                    {"main.1", "read x"},
                    {"main", "write x"},
                    {"main.1", "read x"}},
                   {{"main.1", "a.cpp:1", "read x", "", 5}, {"main", "", "", "", std::nullopt}});
  int replays = 0;
  const Finding made = minimised(finding, 40, [&](const Finding& candidate) {
    ++replays;
    return candidate.threads[candidate.schedule.back().thread] == "main.1";
  });
  EXPECT_EQ(switches_of(made), 1U);
  EXPECT_GT(replays, 0);
  EXPECT_EQ(minimised(finding, 0, always), finding);
}

TEST(Minimised, KeepsTheOrderOfLocksAndJoins) {
  const Finding finding = finding_with(
      {{"main", "fork main.1"},
       {"main.1", "acquire m"},
       {"main", "read x"},
       {"main.1", "release m"},
       {"main.1", "end"},
       {"main", "acquire m"},
       {"main", "join main.1"}},
      {{"main", "a.cpp:1", "join main.1", "", 7}, {"main.1", "", "", "", std::nullopt}});
  minimised(finding, 40, [&](const Finding& candidate) {
    const std::string words = in_words(candidate);
    EXPECT_LT(words.find("main.1: release m"), words.find("main: acquire m")) << words;
    EXPECT_LT(words.find("main.1: end"), words.find("main: join main.1")) << words;
    return true;
  });
}

TEST(Minimised, LeavesOutThreadsThatDoNotMatter) {
  const Finding finding = finding_with(
      {{"main", "fork main.1"},
       {"main", "fork main.2"},
       {"main.2", "write y"},
       {"main.1", "write x"}},
      {{"main.1", "a.cpp:1", "write x", "", 4}, {"main", "a.cpp:1", "read x", "", std::nullopt}});
  const Finding made = minimised(finding, 40, always);
  EXPECT_EQ(in_words(made), "main: fork main.1; main: fork main.2; main.1: write x; ");
  EXPECT_EQ(made.events[0].step, 3U);
  EXPECT_THAT(std::get<ProgramSubject>(made.subject).threads,
              ElementsAre("main", "main.1", "main.2"));
}

TEST(Minimised, LeavesScheduleWithoutWordsAlone) {
  Finding finding = two_workers();
  finding.schedule[2].operation.clear();
  EXPECT_EQ(minimised(finding, 40, always), finding);
}

}  // namespace
}  // namespace heddle
