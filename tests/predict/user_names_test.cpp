#include "predict/user_names.h"

#include <gtest/gtest.h>

namespace heddle::predict {
namespace {

TEST(UserNames, OfFunctionsMayLeaveOutScopesAndParameters) {
  for (const char* word : {"deposit", "Bank::deposit", "bank::Bank::deposit",
                           "bank::Bank::deposit(int) const", "deposit(int)"}) {
    EXPECT_TRUE(names_function(word, "bank::Bank::deposit(int) const")) << word;
  }
  for (const char* word : {"", "posit", "Bank", "deposit(", "int", "deposit(long)"}) {
    EXPECT_FALSE(names_function(word, "bank::Bank::deposit(int) const")) << word;
  }
}

TEST(UserNames, OfFunctionsAreNotLookedForInArguments) {
  const char* function = "void run<work(int)>(std::vector<job>)";
  EXPECT_TRUE(names_function("run", function));
  EXPECT_FALSE(names_function("work", function));
  EXPECT_FALSE(names_function("job", function));
  EXPECT_FALSE(names_function("vector", function));
}

TEST(UserNames, OfVariablesMayLeaveOutMembersAndElements) {
  for (const char* word : {"accounts", "accounts[3]", "accounts[3].balance"}) {
    EXPECT_TRUE(names_variable(word, "accounts[3].balance")) << word;
  }
  EXPECT_TRUE(names_variable("sync", "sync._M_phase in main"));
  EXPECT_FALSE(names_variable("account", "accounts[3].balance"));
  EXPECT_FALSE(names_variable("balance", "accounts[3].balance"));
}

}  // namespace
}  // namespace heddle::predict
