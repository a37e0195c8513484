// The examples: in each buggy one the bug is found and happens again, whatever the seed; in its
// fixed twin nothing is found.
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/subprocess.h"
#include "tests/sample.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

std::vector<std::string> examples() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(HEDDLE_EXAMPLES)) {
    if (fs::exists(entry.path() / "buggy.cpp")) names.push_back(entry.path().filename());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::uint64_t seeds() { return std::getenv("HEDDLE_TEST_FULL") != nullptr ? 50 : 2; }

class Example : public testing::TestWithParam<std::string> {
 protected:
  // What `heddle check` says about a program of the example.
  SubprocessResult check(const std::string& kind, std::uint64_t seed) {
    const std::string program = fmt::format("{}/{}-{}", HEDDLE_EXAMPLE_PROGRAMS, GetParam(), kind);
    return run_subprocess({HEDDLE_PROGRAM, "check", "--json", "--out", folder_, "--seed",
                           fmt::format("{}", seed), "--", program})
        .value();
  }
  ~Example() override { fs::remove_all(folder_); }

  std::string folder_ = fmt::format("{}/heddle-example-{}", testing::TempDir(), GetParam());
};

TEST_P(Example, HasABugThatIsFoundAndHappensAgain) {
  for (std::uint64_t seed = 1; seed <= seeds(); ++seed) {
    SCOPED_TRACE(seed);
    const SubprocessResult result = check("buggy", seed);
    EXPECT_EQ(result.exit_status, 42) << result.errors;
    const Json report = Json::parse(result.output);
    ASSERT_FALSE(report["findings"].empty());
    const Json& worst = report["findings"][0];
    EXPECT_EQ(worst["standing"], "confirmed");
    for (const Json& finding : report["findings"]) EXPECT_NE(finding["standing"], "refuted");
    EXPECT_EQ(run_subprocess({HEDDLE_PROGRAM, "replay", worst["file"]})->exit_status, 0);
  }
}

TEST_P(Example, HasAFixedTwinInWhichNothingIsFound) {
  for (std::uint64_t seed = 1; seed <= seeds(); ++seed) {
    SCOPED_TRACE(seed);
    const SubprocessResult result = check("fixed", seed);
    EXPECT_EQ(result.exit_status, 0) << result.output << result.errors;
    EXPECT_TRUE(Json::parse(result.output)["findings"].empty());
  }
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, Example, testing::ValuesIn(sample_of(examples())), test_name);

}  // namespace
}  // namespace heddle
