// Every program in programs/: recorded, well-formed, the same again with the same seed and
// with address randomisation, replayed. How a program ends is said by its line
// "// expect: STATUS", "SIGNAL", "deadlock", or several with "or"; 0 without one.
//
// 3 seeds; HEDDLE_TEST_FULL=1: 50, and the same programs as GCC compiles them.
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/runtime/support.h"
#include "tests/sample.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

constexpr int kDeadlock = 42;

bool full() { return std::getenv("HEDDLE_TEST_FULL") != nullptr; }
std::uint64_t seeds() { return full() ? 50 : kSanitized ? 1 : 3; }

std::vector<std::string> program_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(HEDDLE_RUNTIME_SOURCES)) {
    names.push_back(entry.path().stem());
  }
  std::sort(names.begin(), names.end());
  return sample_of(names);
}

int status_named(const std::string& word) {
  if (word == "deadlock") return kDeadlock;
  if (word == "SIGABRT") return 128 + SIGABRT;
  if (word == "SIGSEGV") return 128 + SIGSEGV;
  if (word == "SIGINT") return 128 + SIGINT;
  if (word == "SIGKILL") return 128 + SIGKILL;
  return std::stoi(word);
}

std::string source_of(const std::string& name) {
  const std::string base = fmt::format("{}/{}", HEDDLE_RUNTIME_SOURCES, name);
  return content_of(fs::exists(base + ".c") ? base + ".c" : base + ".cpp");
}

bool takes_long(const std::string& name) {
  return source_of(name).find("// takes long") != std::string::npos;
}

std::vector<int> expected_statuses(const std::string& name) {
  const std::string marker = "// expect: ";
  std::istringstream source(source_of(name));
  for (std::string line; std::getline(source, line);) {
    if (!line.starts_with(marker)) continue;
    std::vector<int> statuses;
    std::istringstream words(line.substr(marker.size()));
    for (std::string word; words >> word;) {
      if (word != "or") statuses.push_back(status_named(word));
    }
    return statuses;
  }
  return {0};
}

class Programs : public testing::TestWithParam<std::string> {
 protected:
  void record_and_replay(const std::string& path, std::uint64_t seed, const std::string& schedule) {
    SCOPED_TRACE(fmt::format("--schedule {} --seed {}", schedule, seed));
    const std::vector<std::string> options = {"--schedule", schedule, "--seed",
                                              fmt::format("{}", seed)};
    const auto first = record(path, trace_, options);
    EXPECT_THAT(expected_statuses(GetParam()), testing::Contains(first.exit_status))
        << first.errors;
    EXPECT_EQ(first_offence(trace_), "");
    auto randomised = options;
    randomised.push_back("--randomise-addresses");
    const auto second = record(path, again_, randomised);
    EXPECT_EQ(second.exit_status, first.exit_status);
    EXPECT_EQ(second.output, first.output);
    EXPECT_TRUE(content_of(trace_) == content_of(again_)) << "the traces differ";
    const auto replayed = heddle({"replay", trace_});
    EXPECT_EQ(replayed.exit_status, first.exit_status) << replayed.errors;
    EXPECT_EQ(replayed.output, first.output);
  }

  TemporaryFolder folder_;
  std::string trace_ = folder_.file("trace.heddle");
  std::string again_ = folder_.file("again.heddle");
};

TEST_P(Programs, AreRecordedReplayedAndTheSameAgain) {
  for (std::uint64_t seed = 1; seed <= seeds() && !HasFailure(); ++seed) {
    record_and_replay(program_under_test(GetParam()), seed, "random");
    if (takes_long(GetParam())) break;
  }
}

TEST_P(Programs, WorkUnderTheOtherPolicies) {
  if (takes_long(GetParam())) GTEST_SKIP() << "takes long";
  record_and_replay(program_under_test(GetParam()), 7, "pct");
  record_and_replay(program_under_test(GetParam()), 7, "round-robin");
}

TEST_P(Programs, WorkAsCompiledByGcc) {
  if (!full()) GTEST_SKIP() << "only with HEDDLE_TEST_FULL";
  const std::string path = fmt::format("{}/programs_gcc/{}", HEDDLE_RUNTIME_PROGRAMS, GetParam());
  ASSERT_TRUE(fs::exists(path)) << "build the target runtime_programs_gcc first";
  for (std::uint64_t seed = 1; seed <= seeds() && !HasFailure(); ++seed) {
    record_and_replay(path, seed, "random");
    if (takes_long(GetParam())) break;
  }
}

INSTANTIATE_TEST_SUITE_P(Runtime, Programs, testing::ValuesIn(program_names()),
                         [](const auto& name) { return name.param; });

}  // namespace
}  // namespace heddle
