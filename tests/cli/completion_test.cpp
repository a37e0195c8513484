// The completion script, loaded into a real bash that then completes a line.
#include <gtest/gtest.h>

#include "tests/cli/heddle_program.h"

namespace heddle {
namespace {

// What the script offers for the last of these words (quoted for the shell), sorted; where
// it asks bash for something by compopt, what it asks for.
std::string completions(const std::string& words) {
  const SubprocessResult result = run_bash(
      "set -eu; source <(\"$HEDDLE\" completion bash)\n"
      "compopt() { COMPREPLY=(\"$*\"); }\n"
      "COMP_WORDS=(heddle " +
      words +
      "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n"
      "$(complete -p heddle | sed 's/.*-F \\([^ ]*\\).*/\\1/')\n"
      "printf '%s\\n' \"${COMPREPLY[@]}\" | sort | tr '\\n' ' '");
  EXPECT_EQ(result.errors, "");
  return result.output;
}

TEST(Completion, CompletesCommands) {
  EXPECT_EQ(completions("doc"), "doctor ");
  EXPECT_EQ(completions("completion ''"), "bash ");
  EXPECT_EQ(completions("help doc"), "doctor ");
  EXPECT_EQ(completions("help completion b"), "bash ");
}

TEST(Completion, OffersEveryCommandAtTheStart) {
  const std::string offered = completions("''");
  for (const char* command : {"completion ", "doctor ", "help "}) {
    EXPECT_NE(offered.find(command), std::string::npos) << command;
  }
}

TEST(Completion, CompletesOptions) {
  EXPECT_EQ(completions("doctor --j"), "--json ");
  EXPECT_EQ(completions("doctor -"), "--help --json -h ");
  EXPECT_EQ(completions("--v"), "--version ");
}

TEST(Completion, KnowsTheOptionsOfTheCompilerWrappers) {
  EXPECT_EQ(completions("c++ --heddle-c"), "--heddle-compiler ");
  EXPECT_EQ(completions("build --"), "--compiler --help --ignore --only ");
}

TEST(Completion, LeavesFileNamesToBash) { EXPECT_EQ(completions("doctor fi"), "-o default "); }

}  // namespace
}  // namespace heddle
