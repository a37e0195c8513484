// Of a run, what tells how it came to a finding, with a reason for every switch.
#include "check/steps_that_matter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle {
namespace {

using ::testing::ElementsAre;

const std::vector<std::string> kThreads = {"main", "main.1", "main.2"};

Run run_of(const std::vector<std::pair<std::uint32_t, std::string>>& steps) {
  Run run;
  run.threads = kThreads;
  for (const auto& [thread, operation] : steps) {
    run.steps.push_back({thread, "a.cpp:1", operation, "", ""});
  }
  return run;
}

Finding finding_of(FindingKind kind, std::vector<FindingEvent> events) {
  Finding finding;
  finding.kind = kind;
  finding.events = std::move(events);
  return finding;
}

std::vector<std::string> in_words(const Run& run) {
  std::vector<std::string> lines;
  for (const RunStep& step : run.steps) {
    const std::string reason = step.switch_reason.empty() ? "" : " | " + step.switch_reason;
    lines.push_back(run.threads[step.thread] + ": " + step.operation + reason);
  }
  return lines;
}

TEST(StepsThatMatter, HaveAReasonForEverySwitch) {
  const auto run = run_of({{1, "read x"}, {2, "write x"}, {1, "write x"}});
  const Finding race = finding_of(FindingKind::race, {{"main.2", "a.cpp:1", "write x", ""}});
  EXPECT_THAT(in_words(steps_that_matter(run, race, 9)),
              ElementsAre("main.1: read x", "main.2: write x | main.1 is held before `write x`",
                          "main.1: write x | main.2 has done its part"));
}

TEST(StepsThatMatter, LeaveOutOtherObjects) {
  const auto run = run_of({{1, "write y"}, {1, "write x"}, {2, "read y"}, {2, "read x"}});
  const Finding race = finding_of(FindingKind::race, {{"main.1", "a.cpp:1", "write x", ""},
                                                      {"main.2", "a.cpp:1", "read x", ""}});
  EXPECT_THAT(in_words(steps_that_matter(run, race, 9)),
              ElementsAre("main.1: write x", "main.2: read x | main.1 has done its part"));
}

TEST(StepsThatMatter, HaveColumnsInTheOrderInWhichThreadsWereBorn) {
  auto run = run_of({{2, "write x"}, {1, "write x"}, {0, "read x"}});
  run.threads = {"main.10", "main.2", "main"};
  const Finding race = finding_of(FindingKind::race, {{"main", "a.cpp:1", "write x", ""}});
  EXPECT_THAT(steps_that_matter(run, race, 9).threads, ElementsAre("main", "main.2", "main.10"));
}

// After a free, the block that was read goes by its address only.
TEST(StepsThatMatter, KnowAnEventThatHasAnotherNameInTheReplay) {
  auto run = run_of({{1, "read list"}, {2, "free block #1"}, {1, "read memory +16"}});
  run.steps[2].site = "a.cpp:7";
  const Finding race = finding_of(
      FindingKind::race,
      {{"main.1", "a.cpp:7", "read block #1 +16", ""}, {"main.2", "a.cpp:1", "free block #1", ""}});
  EXPECT_THAT(
      in_words(steps_that_matter(run, race, 9)),
      ElementsAre("main.2: free block #1", "main.1: read memory +16 | main.2 has done its part"));
}

TEST(StepsThatMatter, OfACrashAreThoseOnWhatThreadsShareWhereItsPlaceTellsNothing) {
  const auto run =
      run_of({{1, "read list"}, {2, "write list"}, {2, "read only_mine"}, {1, "read memory +16"}});
  const Finding crash =
      finding_of(FindingKind::crash, {{"main.1", "a.cpp:1", "read memory +16", ""}});
  EXPECT_THAT(in_words(steps_that_matter(run, crash, 9)),
              ElementsAre("main.1: read list",
                          "main.2: write list | main.1 is held before `read memory +16`",
                          "main.1: read memory +16 | main.2 has done its part"));
}

}  // namespace
}  // namespace heddle
