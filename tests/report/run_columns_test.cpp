// Runs in columns: switches with their reasons, folded to the width.
#include "report/run_columns.h"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle {
namespace {

using ::testing::HasSubstr;

Run two_threads() {
  heddle::Run run;
  run.threads = {"left", "right"};
  run.steps = {{0, "dir/a.hm:1:3", "x += 1", "read x = 0", ""},
               {1, "dir/a.hm:2:3", "lock(m)", "", "left is preempted before `x += 1`"}};
  return run;
}

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, display_width(line));
  return widest;
}

TEST(RunColumns, ShowSwitchesWithTheirReasons) {
  EXPECT_EQ(run_in_columns(two_threads(), {}),
            "#  left        right       site\n"
            "1  read x = 0              a.hm:1:3\n"
            "   > left is preempted before `x += 1`\n"
            "2              lock(m)     a.hm:2:3\n");
}

TEST(RunColumns, ShowWhoIsBlockedInTheEnd) {
  heddle::Run run = two_threads();
  run.end = RunEnd{FindingKind::deadlock,
                   "",
                   {{"left", "dir/a.hm:3:3", "lock(m)", "lock m is held by right", {}},
                    {"idle", "dir/a.hm:9:3", "join left", "", {}}}};
  const std::string text = run_in_columns(run, {});
  EXPECT_THAT(text, HasSubstr("blocked: lock m is held"));
  EXPECT_THAT(text, HasSubstr("idle")) << "a thread without a step has a column too";
  EXPECT_THAT(text, HasSubstr("blocked: join left"));
}

TEST(RunColumns, FoldWhatIsTooLong) {
  heddle::Run run = two_threads();
  run.steps[0].values = "assertion first + second == 200 fails (first = 90, second = 100)";
  run.steps[1].switch_reason = "left is blocked: lock m is held by right and by nobody else here";
  const std::string text = run_in_columns(run, {.width = 60});
  EXPECT_LE(widest_line(text), 60u) << text;
  EXPECT_THAT(text, HasSubstr("100)"));
  EXPECT_THAT(text, HasSubstr("else here"));
}

TEST(RunColumns, AreStackedWhereThereAreTooManyThreads) {
  heddle::Run run;
  for (std::uint32_t i = 0; i < 9; ++i) {
    run.threads.push_back("philosopher(" + std::to_string(i) + ")");
    run.steps.push_back({i, "a.hm:1:3", "lock(fork)", "lock(fork)", ""});
  }
  const std::string text = run_in_columns(run, {.width = 80});
  EXPECT_LE(widest_line(text), 80u) << text;
  EXPECT_THAT(text, HasSubstr("9  philosopher(8): lock(fork)"));
}

TEST(Fold, BreaksAtSpacesWhereThereAreAny) {
  EXPECT_THAT(fold("one two three", 7), ::testing::ElementsAre("one two", "three"));
  EXPECT_THAT(fold("abcdefgh", 3), ::testing::ElementsAre("abc", "def", "gh"));
  EXPECT_THAT(fold("ääää", 2), ::testing::ElementsAre("ää", "ää"));
  EXPECT_THAT(fold("", 5), ::testing::ElementsAre(""));
}

}  // namespace
}  // namespace heddle
