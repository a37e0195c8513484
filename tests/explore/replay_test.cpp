// Replay: switches and their reasons, and where a changed model leaves the schedule.
#include "explore/replay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/model/support.h"

namespace heddle {
namespace {

using ::testing::HasSubstr;

Finding finding_of(FindingKind kind, const std::vector<std::string>& threads) {
  Finding finding;
  finding.kind = kind;
  for (const std::string& thread : threads) finding.add_step(thread, 0);
  return finding;
}

Run run_on(const std::string& text, const Finding& finding) {
  const model::Model model = model_of(text);
  model::Interpreter system(model);
  return replay(system, finding);
}

const std::string kLocked =
    "int x; lock m; thread a { lock(m); x = 1; unlock(m); } thread b { lock(m); x = 2; unlock(m); "
    "}";

TEST(Replay, SaysThatAThreadIsFinished) {
  const heddle::Run run = run_on(kLocked, finding_of(FindingKind::assertion, {"a", "a", "a", "b"}));
  EXPECT_EQ(run.steps[3].switch_reason, "a is finished");
}

TEST(Replay, SaysWhyAThreadIsBlocked) {
  const heddle::Run run = run_on(
      "lock m; thread a { lock(m); unlock(m); } "
      "thread b { skip; atomic { lock(m); } unlock(m); } int x; "
      "thread c { x = 1; x = 2; lock(m); }",
      finding_of(FindingKind::assertion, {"a", "c", "c", "a"}));
  EXPECT_EQ(run.steps[3].switch_reason, "c is blocked: lock m is held by a");
}

TEST(Replay, SaysWithWhatAPreemptionConflicts) {
  const heddle::Run run =
      run_on("int x; int y; thread a { y = 1; x = 1; } thread b { y = 2; x = 2; }",
             finding_of(FindingKind::assertion, {"a", "b", "b", "a"}));
  EXPECT_EQ(run.steps[1].switch_reason,
            "a is preempted before `x = 1`, which conflicts with step 3 on x");
  EXPECT_EQ(run.steps[3].switch_reason, "b is finished");
}

TEST(Replay, DoesNotCallAHarmlessSwitchAConflict) {
  const heddle::Run run =
      run_on("int x; int y; thread a { x = 1; x = 2; } thread b { y = 1; y = 2; }",
             finding_of(FindingKind::assertion, {"a", "b", "a"}));
  EXPECT_EQ(run.steps[1].switch_reason, "a is preempted before `x = 2`");
}

TEST(Replay, TellsWhereAnotherModelDiffers) {
  Finding finding = finding_of(FindingKind::assertion, {"a", "a", "b"});
  finding.schedule[1].operation = "x = 7";
  const heddle::Run run = run_on(kLocked, finding);
  ASSERT_TRUE(run.divergence);
  EXPECT_EQ(run.divergence->step, 2u);
  EXPECT_EQ(run.divergence->expected, "`x = 7` of a");
  EXPECT_EQ(run.divergence->came, "`x = 1`");
  EXPECT_EQ(run.steps.size(), 2u) << "b cannot take its step, a has the lock";
}

TEST(Replay, TellsWhyAStepCannotBeTaken) {
  const auto came = [](const std::vector<std::string>& threads) {
    const heddle::Run run =
        run_on(kLocked + " thread f forked { skip; }", finding_of(FindingKind::assertion, threads));
    return run.divergence ? run.divergence->came : "";
  };
  EXPECT_EQ(came({"z"}), "there is no such thread");
  EXPECT_EQ(came({"a", "a", "a", "a"}), "the thread is finished");
  EXPECT_EQ(came({"a", "b"}), "it is blocked in `lock(m)`: lock m is held by a");
  EXPECT_EQ(came({"f"}), "the thread has not been forked");
  Finding choosing = finding_of(FindingKind::assertion, {"a"});
  choosing.schedule[0].choice = 5;
  EXPECT_THAT(run_on("int x; thread a { x = choose(0..1); }", choosing).divergence->came,
              HasSubstr("with 2 ways to happen"));
}

TEST(Replay, NamesTheEventsThatAFailureDependsOn) {
  const heddle::Run run =
      run_on("int x; int y; thread a { y = 5; x = 1; } thread b { assert(x == 0); }",
             finding_of(FindingKind::assertion, {"a", "a", "b"}));
  ASSERT_TRUE(run.end);
  ASSERT_EQ(run.end->events.size(), 2u);
  EXPECT_EQ(run.end->events[0].operation, "x = 1");
  EXPECT_EQ(run.end->events[0].step, 2u);
  EXPECT_EQ(run.end->events[1].values, "assertion x == 0 fails (x = 1)");
}

TEST(Replay, OfARaceEndsWhereBothAccessesAreNext) {
  Finding finding = finding_of(FindingKind::race, {"a"});
  finding.events = {{"a", "", "", "", {}}, {"b", "", "", "", {}}};
  const std::string text = "int x; int y; thread a { y = 1; x = 1; } thread b { x = 2; }";
  EXPECT_EQ(run_on(text, finding).end->kind, FindingKind::race);
  finding.add_step("b", 0);
  EXPECT_FALSE(run_on(text, finding).end);
}

}  // namespace
}  // namespace heddle
