#include "record/seen_run.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace heddle {
namespace {

SeenChange change(const std::string& printed, const std::string& other) {
  return seen_change({printed, "exit status 0"}, {other, "exit status 0"});
}

TEST(SeenChange, IsNothingWhereTextAndEndAreTheSame) {
  EXPECT_FALSE(change("a\nb\n", "a\nb\n").any());
  EXPECT_FALSE(change("", "").any());
}

TEST(SeenChange, TellsOtherLinesFromLinesInAnotherOrder) {
  EXPECT_EQ(change("a\nb\n", "b\na\n").printed, PrintedChange::order);
  EXPECT_EQ(change("a\na\n", "a\nb\n").printed, PrintedChange::lines);
  EXPECT_EQ(change("a\na\n", "a\n").printed, PrintedChange::lines);
}

TEST(SeenChange, HasTheFirstLineThatDiffers) {
  const SeenChange other = change("a\n10\nend", "a\n20\nend");
  EXPECT_EQ(other.line, "10");
  EXPECT_EQ(other.other_line, "20");
  const SeenChange shorter = change("a\n", "a\n20\n");
  EXPECT_EQ(shorter.line, "");
  EXPECT_EQ(shorter.other_line, "20");
}

TEST(SeenChange, HasTheWayInWhichTheProgramEnds) {
  const SeenChange other = seen_change({"", "killed by SIGABRT"}, {"", "exit status 0"});
  EXPECT_TRUE(other.ends_otherwise());
  EXPECT_TRUE(other.any());
  EXPECT_EQ(other.printed, PrintedChange::none);
}

TEST(SeenChange, NamesAnAssertionThatFailed) {
  const std::string line = "bank: bank.cpp:12: int main(): Assertion `total == 'x' + 1' failed.\n";
  EXPECT_EQ(change(line, "").assertion, "total == 'x' + 1");
  EXPECT_EQ(change("Assertion `without an end\n", "").assertion, "");
}

TEST(PrintedText, IsWhatWasWrittenToItsDescriptor) {
  const auto printed = PrintedText::create();
  ASSERT_TRUE(printed.ok());
  EXPECT_EQ(printed->text(), "");
  const std::string text(100'000, 'x');
  ASSERT_EQ(::write(printed->descriptor(), text.data(), text.size()),
            static_cast<ssize_t>(text.size()));
  EXPECT_EQ(printed->text(), text);
}

}  // namespace
}  // namespace heddle
