#include "base/subprocess.h"

#include <cstdlib>

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(Subprocess, KeepsOutputErrorsAndExitStatus) {
  const auto result = run_subprocess({"sh", "-c", "echo out; echo err >&2; exit 7"});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->output, "out\n");
  EXPECT_EQ(result->errors, "err\n");
  EXPECT_EQ(result->exit_status, 7);
}

TEST(Subprocess, TakesMoreOutputThanAPipeHolds) {
  const auto result = run_subprocess({"sh", "-c", "head -c 1000000 /dev/zero; echo x >&2"});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->output.size(), 1000000u);
  EXPECT_EQ(result->errors, "x\n");
}

TEST(Subprocess, SaysDeathBySignalAsShellsDo) {
  EXPECT_EQ(run_subprocess({"sh", "-c", "kill -TERM $$"})->exit_status, 128 + 15);
}

TEST(Subprocess, RunsInADirectoryAndWithSettings) {
  const auto result = run_subprocess({"sh", "-c", "pwd; echo $SETTING"},
                                     {.directory = "/", .environment = {"SETTING=on"}});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->output, "/\non\n");
}

TEST(Subprocess, SaysWhyAProgramDoesNotStart) {
  const auto result = run_subprocess({"/no/such/program"});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().message, "cannot start '/no/such/program': No such file or directory");
}

TEST(BecomeProgram, SaysWhyAProgramDoesNotStartAndForgetsItsSettings) {
  const Error error = become_program({"/no/such/program"}, {"HEDDLE_TEST_SETTING=on"});
  EXPECT_EQ(error.message, "cannot start '/no/such/program': No such file or directory");
  EXPECT_EQ(std::getenv("HEDDLE_TEST_SETTING"), nullptr);
}

TEST(FindProgram, LooksInThePath) {
  EXPECT_TRUE(find_program("sh").has_value());
  EXPECT_EQ(find_program("no-such-program-anywhere"), std::nullopt);
}

}  // namespace
}  // namespace heddle
