// Suppression files: those of the thread sanitizer are taken as they are.
#include "finding/suppressions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle {
namespace {

using testing::HasSubstr;

Finding race() {
  Finding finding;
  finding.kind = FindingKind::race;
  finding.message = "write of balance at bank.cpp:12 and read at bank.cpp:20";
  FindingEvent write{"main.1", "src/bank.cpp:12", "write balance", ""};
  write.stack = {"Account::deposit(int)  src/bank.cpp:12", "worker()  src/bank.cpp:40"};
  FindingEvent read{"main.2", "src/bank.cpp:20", "read balance", ""};
  read.stack = {"Account::show()  src/bank.cpp:20"};
  finding.events = {write, read};
  return finding;
}

bool covered(std::string_view file, const Finding& finding = race()) {
  Suppressions suppressions;
  const auto parsed = suppressions.parse(file, "s.txt");
  EXPECT_TRUE(parsed.ok());
  return suppressions.cover(finding, "0123456789ab");
}

TEST(SuppressionPattern, IsLookedForAnywhereUnlessTied) {
  EXPECT_TRUE(suppression_matches("deposit", "Account::deposit(int)"));
  EXPECT_FALSE(suppression_matches("^deposit", "Account::deposit(int)"));
  EXPECT_TRUE(suppression_matches("^Account", "Account::deposit(int)"));
  EXPECT_TRUE(suppression_matches("(int)$", "Account::deposit(int)"));
  EXPECT_FALSE(suppression_matches("deposit$", "Account::deposit(int)"));
  EXPECT_TRUE(suppression_matches("^abc$", "abc"));
  EXPECT_FALSE(suppression_matches("^abc$", "xabc"));
}

TEST(SuppressionPattern, HasStarsForAnything) {
  EXPECT_TRUE(suppression_matches("Acc*dep*int", "Account::deposit(int)"));
  EXPECT_FALSE(suppression_matches("dep*Acc", "Account::deposit(int)"));
  EXPECT_TRUE(suppression_matches("^Acc*)$", "Account::deposit(int)"));
  EXPECT_TRUE(suppression_matches("*", ""));
  EXPECT_FALSE(suppression_matches("^ab*bc$", "abc"));
}

TEST(Suppressions, CoverByFunctionFileAndVariable) {
  EXPECT_TRUE(covered("race:Account::show\n"));
  EXPECT_TRUE(covered("race:worker\n"));
  EXPECT_TRUE(covered("race:^src/bank.cpp\n"));
  EXPECT_TRUE(covered("race:balance\n"));
  EXPECT_FALSE(covered("race:withdraw\n"));
}

TEST(Suppressions, OfTheTopFrameLeaveOutCallers) {
  EXPECT_TRUE(covered("race_top:deposit\n"));
  EXPECT_FALSE(covered("race_top:worker\n"));
}

TEST(Suppressions, CoverTheirOwnKindOnly) {
  EXPECT_FALSE(covered("deadlock:deposit\n"));
  EXPECT_FALSE(covered("called_from_lib:bank\n"));
}

TEST(Suppressions, CoverOneFindingByItsNumber) {
  EXPECT_TRUE(covered("finding:0123456789ab\n"));
  EXPECT_FALSE(covered("finding:0123456789ac\n"));
}

TEST(Suppressions, WriteAnEntryThatCoversTheFinding) {
  EXPECT_TRUE(covered(suppression_entry(race(), "0123456789ab")));
}

TEST(Suppressions, PassOverCommentsAndBlanks) {
  EXPECT_TRUE(covered("# known\n\n   race: deposit \r\n"));
}

TEST(Suppressions, SayWhichEntriesWereOfNoUse) {
  Suppressions suppressions;
  ASSERT_TRUE(suppressions.parse("race:deposit\nrace:gone\nthread:x\ndeadlock:y", "s.txt").ok());
  EXPECT_TRUE(suppressions.cover(race(), "0123456789ab"));
  const auto unused = suppressions.unused();
  ASSERT_EQ(unused.size(), 2);
  EXPECT_EQ(unused[0].place, "s.txt:2");
  EXPECT_EQ(unused[1].place, "s.txt:4");
}

TEST(Suppressions, AreRefusedWithTheLine) {
  Suppressions suppressions;
  EXPECT_EQ(suppressions.parse("race:x\nrase:y\n", "s.txt").error().message,
            "s.txt:2: unknown type 'rase'; did you mean 'race'?");
  EXPECT_THAT(suppressions.parse("nothing", "s.txt").error().message, HasSubstr("s.txt:1"));
  EXPECT_THAT(suppressions.parse("race:", "s.txt").error().message, HasSubstr("lacks a pattern"));
  EXPECT_THAT(suppressions.read("/no/such/file").error().message, HasSubstr("/no/such/file"));
}

}  // namespace
}  // namespace heddle
