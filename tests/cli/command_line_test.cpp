// Command lines as users type them: what is printed where, and the exit status.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/heddle_program.h"

namespace heddle {
namespace {

using ::testing::ContainsRegex;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;

struct Example {
  std::string name;
  std::vector<std::string> arguments;
  std::string expected;  // regular expression: within the output, or the whole error line
  int exit_status = 0;
};

void PrintTo(const Example& example, std::ostream* out) { *out << example.name; }

std::string name_of_example(const testing::TestParamInfo<Example>& info) { return info.param.name; }

class Answers : public testing::TestWithParam<Example> {};

TEST_P(Answers, OnStandardOutputAlone) {
  const SubprocessResult result = run_heddle(GetParam().arguments);
  EXPECT_THAT(result.output, ContainsRegex(GetParam().expected));
  EXPECT_THAT(result.errors, IsEmpty());
  EXPECT_EQ(result.exit_status, 0);
}

INSTANTIATE_TEST_SUITE_P(
    Command, Answers,
    testing::Values(
        Example{"Nothing", {}, "usage: heddle COMMAND"},
        Example{"Help", {"help"}, "commands:\n  .*doctor +check what"},
        Example{"HelpOption", {"--help"}, "usage: heddle COMMAND"},
        Example{"ShortHelpOption", {"-h"}, "usage: heddle COMMAND"},
        Example{"Version", {"--version"}, "^heddle [0-9]+\\.[0-9]+\\.[0-9]+\n.*[0-9]"},
        Example{"HelpOfCommand", {"help", "doctor"}, "usage: heddle doctor .options."},
        Example{"HelpOptionOfCommand", {"doctor", "--help"}, "--json +print one JSON object"},
        Example{"HelpOfGroup", {"help", "completion"}, "usage: heddle completion COMMAND"},
        Example{"HelpOfNested", {"help", "completion", "bash"}, "usage: heddle completion bash"},
        Example{"HelpOptionOfNested", {"completion", "bash", "-h"}, "heddle completion bash: "},
        Example{"HelpOfHelp", {"help", "help"}, "usage: heddle help .COMMAND\\.\\.\\.."}),
    name_of_example);

class Complaints : public testing::TestWithParam<Example> {};

TEST_P(Complaints, AreOneLineOnStandardError) {
  const SubprocessResult result = run_heddle(GetParam().arguments);
  EXPECT_THAT(result.output, IsEmpty());
  EXPECT_THAT(result.errors, MatchesRegex("heddle: [^\n]*" + GetParam().expected + "[^\n]*\n"));
  EXPECT_EQ(result.exit_status, 64);
}

INSTANTIATE_TEST_SUITE_P(
    CommandLine, Complaints,
    testing::Values(
        Example{"MistypedCommand",
                {"docotr"},
                "unknown command 'docotr'; did you mean 'doctor'\\?  \\(heddle help\\)"},
        Example{"MistypedCommandWithHelp", {"docotr", "--help"}, "unknown command 'docotr';"},
        Example{"MistypedCommandWithVersion", {"docotr", "--version"}, "unknown command 'docotr';"},
        Example{
            "UnlikeAnyCommand", {"frobnicate"}, "unknown command 'frobnicate'  \\(heddle help\\)"},
        Example{"EmptyCommand", {""}, "unknown command ''"},
        Example{"MistypedNestedCommand",
                {"completion", "bsah"},
                "unknown command 'completion bsah'; did you mean 'completion bash'\\?  "
                "\\(heddle help completion\\)"},
        Example{"GroupAlone", {"completion"}, "'completion' needs one of its commands: bash"},
        Example{"HelpOfUnknown", {"help", "docotr"}, "unknown command 'docotr'; did you mean"},
        Example{"MistypedOption",
                {"doctor", "--jsno"},
                "unknown option '--jsno' of 'doctor'; did you mean '--json'\\?  "
                "\\(heddle help doctor\\)"},
        Example{"MistypedOptionWithValue", {"doctor", "--jsno=1"}, "unknown option '--jsno' of"},
        Example{"OptionOfNoCommand", {"--verison"}, "unknown option '--verison'; did you mean"},
        Example{"ShortOption", {"doctor", "-x"}, "unknown option '-x' of 'doctor'  \\(heddle help"},
        Example{"OptionBeforeAProgram",
                {"record", "-o", "x.heddle", "--", "./program"},
                "unknown option '-o' of 'record'  \\(heddle help record\\)"},
        Example{"ValueForAFlag", {"doctor", "--json=3"}, "doctor: --json takes no value"},
        Example{"ArgumentTooMany", {"doctor", "now"}, "unexpected argument 'now' of 'doctor'"},
        Example{"SecondCommand", {"doctor", "help"}, "unexpected argument 'help' of 'doctor'"}),
    name_of_example);

TEST(StandardOutput, ThatIsFullIsAnError) {
  const SubprocessResult result = run_heddle({"help"}, {.output_path = "/dev/full"});
  EXPECT_EQ(result.errors, "heddle: cannot write to standard output: No space left on device\n");
  EXPECT_EQ(result.exit_status, 74);
}

TEST(StandardOutput, ThatIsClosedIsAnError) {
  const SubprocessResult result = run_bash(R"("$HEDDLE" help >&-)");
  EXPECT_EQ(result.errors, "heddle: cannot write to standard output: Bad file descriptor\n");
  EXPECT_EQ(result.exit_status, 74);
}

TEST(StandardOutput, ThatNobodyReadsIsAnError) {
  const SubprocessResult result =
      run_bash(R"({ sleep 0.2; "$HEDDLE" help; echo "$?" >&2; } | true)");
  EXPECT_EQ(result.errors, "heddle: cannot write to standard output: Broken pipe\n74\n");
}

TEST(StandardError, MayBeClosed) {
  EXPECT_EQ(run_bash(R"("$HEDDLE" nonsense 2>&-)").exit_status, 64);
}

}  // namespace
}  // namespace heddle
