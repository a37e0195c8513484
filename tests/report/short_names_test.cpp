#include "report/short_names.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

Run run_on(const std::vector<std::string>& objects) {
  Run run;
  run.threads = {"main"};
  for (const std::string& object : objects) {
    run.steps.push_back({0, "a.cpp:1", "write " + object, "write " + object + " = 1", ""});
  }
  return run;
}

std::string shortened(const std::vector<std::string>& objects) {
  const auto run = run_on(objects);
  std::string words;
  for (const RunStep& step : ShortNames({}, run).in(run).steps) words += step.values + "; ";
  return words;
}

TEST(ShortNames, LeaveOutTheFunctionOfAVariable) {
  EXPECT_EQ(shortened({"queue.size_ in main"}), "write queue.size_ = 1; ");
  EXPECT_EQ(shortened({"sum in work of main.1"}), "write sum = 1; ");
}

TEST(ShortNames, KeepTheFunctionWhereTwoVariablesHaveOneName) {
  EXPECT_EQ(shortened({"sum in main", "sum in work"}),
            "write sum in main = 1; write sum in work = 1; ");
}

TEST(ShortNames, LeaveOutNamelessNamespaces) {
  EXPECT_EQ(shortened({"(anonymous namespace)::stop"}), "write stop = 1; ");
}

TEST(ShortNames, SetApartWhereABlockComesFrom) {
  EXPECT_EQ(shortened({"heap block #1 of main, allocated at a.cpp:8 +16"}),
            "write heap block #1 of main (from a.cpp:8) +16 = 1; ");
}

TEST(ShortNames, DoNotMistakeANameForTheBeginningOfAnother) {
  EXPECT_EQ(shortened({"sum in main", "sum in main::lambda"}),
            "write sum in main = 1; write sum in main::lambda = 1; ");
}

TEST(ShortNames, AreUsedInMessages) {
  const auto run = run_on({"total in main"});
  EXPECT_EQ(ShortNames({}, run).in("write of total in main at a.cpp:3"),
            "write of total at a.cpp:3");
}

}  // namespace
}  // namespace heddle
