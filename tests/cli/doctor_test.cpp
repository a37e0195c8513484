// heddle doctor on machines good and bad. What it finds depends on the machine, so the
// tests make their own: a PATH with nothing in it, or with a compiler that does nothing.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/heddle_program.h"

namespace heddle {
namespace {

using ::testing::AnyOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

// A folder of programs to be the whole PATH.
class FakePath {
 public:
  FakePath() {
    std::string name = testing::TempDir() + "heddle-path-XXXXXX";
    folder_ = ::mkdtemp(name.data());
  }
  ~FakePath() { std::filesystem::remove_all(folder_); }

  void add(const std::string& name, const std::string& shell_commands) {
    std::ofstream(folder_ / name) << "#!/bin/bash\n" << shell_commands << "\n";
    std::filesystem::permissions(folder_ / name, std::filesystem::perms::owner_all);
  }

  // Heddle alone, without what stands beside it.
  std::string copy_of_heddle() const {
    std::filesystem::copy_file(HEDDLE_PROGRAM, folder_ / "heddle");
    return (folder_ / "heddle").string();
  }

  SubprocessResult run_doctor(std::vector<std::string> options = {}) const {
    options.insert(options.begin(), "doctor");
    return run_heddle(options, {.environment = {"PATH=" + folder_.string()}});
  }

 private:
  std::filesystem::path folder_;
};

TEST(Doctor, GivesEveryCheckAVerdictAndEveryProblemARemedy) {
  const SubprocessResult result = run_heddle({"doctor"});
  EXPECT_THAT(result.output,
              MatchesRegex("((ok  |warn|fail)  [^\n]+: [^\n]+\n(      remedy: [^\n]+\n)?)+"
                           "\n[0-9]+ ok, [0-9]+ to look at, [0-9]+ failed\n"));
  EXPECT_THAT(result.output, Not(ContainsRegex("(warn|fail)  [^\n]+\n(ok|warn|fail)")));
  EXPECT_THAT(result.exit_status, AnyOf(0, 69));
}

TEST(Doctor, LooksForTheRuntimeAndTheWrappersBesideItself) {
  const SubprocessResult result = FakePath().run_doctor();
  EXPECT_THAT(result.output, ContainsRegex("ok    runtime: /[^\n]*/libheddle_rt.so\n"));
  EXPECT_THAT(result.output, ContainsRegex("ok    engine: /[^\n]*/libheddle_engine.so\n"));
  EXPECT_THAT(result.output, ContainsRegex("ok    heddle-cc: /[^\n]*/heddle-cc\n"));
  EXPECT_THAT(result.output, ContainsRegex("ok    heddle-c\\+\\+: /[^\n]*/heddle-c\\+\\+\n"));
}

TEST(Doctor, FailsWhereTheRuntimeIsMissing) {
  const FakePath elsewhere;
  const std::string copy = elsewhere.copy_of_heddle();
  const auto result = run_subprocess({copy, "doctor"}).value();
  EXPECT_THAT(result.output, HasSubstr("fail  runtime: libheddle_rt.so is not there"));
  EXPECT_THAT(result.output, HasSubstr("fail  engine: libheddle_engine.so is not beside"));
  EXPECT_THAT(result.output, HasSubstr("fail  heddle-cc: heddle-cc is missing (looked for "));
  EXPECT_EQ(result.exit_status, 69);
}

TEST(Doctor, FailsWithoutAnyCompiler) {
  const SubprocessResult result = FakePath().run_doctor();
  EXPECT_THAT(result.output, HasSubstr("warn  g++: not found\n      remedy: apt-get install g++"));
  EXPECT_THAT(result.output, ContainsRegex("fail  instrumenting compiler: none works"));
  EXPECT_EQ(result.exit_status, 69);
}

TEST(Doctor, IsContentWithOneCompilerThatInstruments) {
  FakePath path;
  path.add("clang++", R"(
if [[ $1 == --version ]]; then echo "Vendor clang version 17.0.6"; exit; fi
printf '__tsan_read4 __tsan_write4 __tsan_atomic32_fetch_add memcpy' > "${@: -1}")");
  const SubprocessResult result = path.run_doctor();
  EXPECT_THAT(result.output, HasSubstr("ok    clang++: 17.0.6 ("));
  EXPECT_THAT(result.output, HasSubstr("ok    clang++ instrumentation: sees reads, writes, atomics "
                                       "and copies"));
  EXPECT_EQ(result.exit_status, 0);
}

TEST(Doctor, NoticesACompilerThatDoesNotInstrument) {
  FakePath path;
  path.add("g++", R"(if [[ $1 == --version ]]; then echo "g++ (Vendor 1-2) 12.2.0"; exit; fi
printf '__tsan_read4' > "${@: -1}")");
  const SubprocessResult result = path.run_doctor();
  EXPECT_THAT(result.output, HasSubstr("ok    g++: 12.2.0 ("));
  EXPECT_THAT(result.output, HasSubstr("warn  g++ instrumentation: no calls of __tsan_write4 "
                                       "__tsan_atomic32_fetch_add\n      remedy: "));
  EXPECT_EQ(result.exit_status, 69);
}

TEST(Doctor, ShowsWhyACompilerFails) {
  FakePath path;
  path.add("g++", "echo 'unknown option -fsanitize=thread' >&2; exit 1");
  EXPECT_THAT(path.run_doctor().output, HasSubstr("unknown option -fsanitize=thread"));
}

TEST(Doctor, PrintsTheSameAsJson) {
  const SubprocessResult result = FakePath().run_doctor({"--json"});
  const auto report = nlohmann::json::parse(result.output);
  EXPECT_EQ(report.at("ok"), false);
  EXPECT_EQ(result.exit_status, 69);
  for (const auto& check : report.at("checks")) {
    EXPECT_THAT(check.at("verdict"), AnyOf("ok", "warn", "fail"));
    EXPECT_EQ(check.at("verdict") == "ok", check.at("remedy") == "") << check;
  }
}

TEST(Doctor, IsColouredOnATerminalOnly) {
  const std::string on_terminal = R"(script -qec "'$HEDDLE' doctor" /dev/null)";
  EXPECT_THAT(run_bash("TERM=xterm NO_COLOR= " + on_terminal).output, HasSubstr("\033[32mok"));
  EXPECT_THAT(run_bash("TERM=xterm NO_COLOR=1 " + on_terminal).output, Not(HasSubstr("\033")));
  EXPECT_THAT(run_heddle({"doctor"}).output, Not(HasSubstr("\033")));
}

}  // namespace
}  // namespace heddle
