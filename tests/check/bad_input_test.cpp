// Programs that are hard to check: each gets a clear line and the right exit status, and
// nothing is left behind, neither files nor processes.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/subprocess.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

struct Difficult {
  std::string what;
  int status;
  std::string says;  // on standard output, or on standard error if the check was refused
  std::string seconds = "60";
  bool slow = false;
};

std::vector<Difficult> cases() {
  return {{"forks", 0, "a child process"},
          {"binary", 0, "nothing found in 2 runs"},
          {"input", 0, "reads its standard input"},
          {"nothreads", 0, "never started a second thread"},
          {"aborts", 42, "crash: the program gave up (killed by SIGABRT)"},
          {"counts", 0, "Heddle's stop", "3"},
          {"blocks", 65, "the program hangs", "60", true}};
}

// Whether a process runs that was started in the folder.
bool has_process_in(const fs::path& folder) {
  for (const auto& entry : fs::directory_iterator("/proc")) {
    std::error_code gone;
    const fs::path there = fs::read_symlink(entry.path() / "cwd", gone);
    if (!gone && there == folder) return true;
  }
  return false;
}

class BadInput : public testing::TestWithParam<Difficult> {
 protected:
  BadInput() {
    fs::remove_all(folder_);
    fs::create_directories(temporary_);
  }
  ~BadInput() override { fs::remove_all(folder_); }

  const fs::path folder_ =
      fs::canonical(testing::TempDir()) / fmt::format("heddle-difficult-{}", GetParam().what);
  const fs::path temporary_ = folder_ / "temporary";
};

TEST_P(BadInput, GetsAClearLineAndLeavesNothingBehind) {
  if (GetParam().slow && std::getenv("HEDDLE_TEST_FULL") == nullptr) {
    GTEST_SKIP() << "takes seconds; ./test --full runs it";
  }
  const auto result =
      run_subprocess({"/usr/bin/env", fmt::format("TMPDIR={}", temporary_.string()), HEDDLE_PROGRAM,
                      "check", "--runs", "2", "--time", GetParam().seconds, "--",
                      HEDDLE_EXAMPLE_PROGRAMS "/difficult", GetParam().what},
                     {.directory = folder_.string()});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->exit_status, GetParam().status) << result->output << result->errors;
  const bool refused = GetParam().status == 65;
  EXPECT_THAT(refused ? result->errors : result->output, HasSubstr(GetParam().says));
  EXPECT_EQ(std::count(result->errors.begin(), result->errors.end(), '\n'), refused ? 1 : 0)
      << result->errors;
  for (const auto& left : fs::directory_iterator(temporary_)) ADD_FAILURE() << left.path();
  EXPECT_EQ(fs::exists(folder_ / "heddle-out"), GetParam().status == 42);
  EXPECT_FALSE(has_process_in(folder_));
}

INSTANTIATE_TEST_SUITE_P(Program, BadInput, testing::ValuesIn(cases()),
                         [](const testing::TestParamInfo<Difficult>& each) {
                           return each.param.what;
                         });

}  // namespace
}  // namespace heddle
