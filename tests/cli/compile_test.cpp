// heddle cc, c++ and build on the command line; what they build is tested in tests/compile.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/heddle_program.h"

namespace heddle {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(CompileCommand, LeavesEveryWordToTheCompiler) {
  EXPECT_EQ(run_bash("\"$HEDDLE\" c++ --heddle-compiler=g++ --version").output,
            run_bash("g++ --version").output);
  EXPECT_THAT(run_bash("\"$HEDDLE\" cc --heddle-compiler=gcc --help").output,
              StartsWith("Usage: gcc"));
  EXPECT_EQ(run_bash("\"$HEDDLE\" cc --heddle-compiler=gcc -c no-such-file.c").exit_status, 1);
}

TEST(CompileCommand, IsExplainedByHelp) {
  const SubprocessResult result = run_heddle({"help", "c++"});
  EXPECT_THAT(result.output, StartsWith("heddle c++: compile C++ for Heddle"));
  EXPECT_THAT(result.output, HasSubstr("--heddle-ignore FILE"));
}

TEST(CompileCommand, ComplainsInOneLine) {
  const SubprocessResult result = run_heddle({"c++", "--heddle-nonsense"});
  EXPECT_EQ(result.exit_status, 64);
  EXPECT_THAT(result.errors, StartsWith("heddle: unknown option '--heddle-nonsense'"));
}

TEST(BuildCommand, NeedsACommand) {
  const SubprocessResult result = run_heddle({"build"});
  EXPECT_EQ(result.exit_status, 64);
  EXPECT_EQ(result.errors, "heddle: build: COMMAND is required  (heddle help build)\n");
}

TEST(BuildCommand, HandsTheCommandsOwnOptionsOn) {
  EXPECT_EQ(run_heddle({"build", "--compiler", "gcc", "--", "sh", "-c", "echo $HEDDLE_CXX"}).output,
            "g++\n");
}

}  // namespace
}  // namespace heddle
