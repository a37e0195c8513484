// heddle model, as users type it.
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/heddle_program.h"

namespace heddle {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

std::string example(const std::string& name) { return std::string(HEDDLE_MODELS) + "/" + name; }

TEST(ModelCheck, SumsAModelUp) {
  const SubprocessResult result = run_heddle({"model", "check", example("epor/ring.hm")});
  EXPECT_EQ(result.exit_status, 0);
  EXPECT_THAT(result.errors, IsEmpty());
  EXPECT_THAT(result.output, ContainsRegex("a model of 8 threads"));
  EXPECT_THAT(result.output, ContainsRegex("transitions +8\n"));
}

TEST(ModelCheck, SetsParametersInBothWaysOfWriting) {
  for (const std::vector<std::string>& definition :
       {std::vector<std::string>{"-D", "N=3"}, std::vector<std::string>{"-DN=3"},
        std::vector<std::string>{"--define", "N=3"}}) {
    std::vector<std::string> words = {"model", "check", "--json", example("epor/ring.hm")};
    words.insert(words.end(), definition.begin(), definition.end());
    const auto report = nlohmann::json::parse(run_heddle(words).output);
    EXPECT_EQ(report["threads"].size(), 3U);
    EXPECT_EQ(report["parameters"]["N"], 3);
  }
}

TEST(ModelCheck, SplitsStatementsByAccess) {
  const auto report = nlohmann::json::parse(
      run_heddle({"model", "check", "--json", "--granularity", "access", example("lost-update.hm")})
          .output);
  EXPECT_GT(report["transitions"], 6);
}

TEST(ModelCheck, ShowsMistakesInTheirPlace) {
  const SubprocessResult result =
      run_bash(R"(printf 'int x;\nthread t {\n  y = 1;\n}\n' | "$HEDDLE" model check -)");
  EXPECT_EQ(result.exit_status, 65);
  EXPECT_THAT(result.output, IsEmpty());
  EXPECT_EQ(result.errors,
            "heddle: -:3:3: unknown name 'y'; did you mean 'x'?\n      y = 1;\n      ^\n");
}

TEST(ModelCheck, SaysWhichFileIsMissing) {
  const SubprocessResult result = run_heddle({"model", "check", "/no/such.hm"});
  EXPECT_EQ(result.exit_status, 65);
  EXPECT_EQ(result.errors, "heddle: /no/such.hm: No such file or directory\n");
}

TEST(ModelCheck, RefusesAWrongDefinition) {
  const SubprocessResult result =
      run_heddle({"model", "check", example("epor/ring.hm"), "-D", "N"});
  EXPECT_EQ(result.exit_status, 64);
  EXPECT_THAT(result.errors, HasSubstr("'N' is no definition; write NAME=NUMBER"));
  EXPECT_EQ(run_heddle({"model", "check", example("epor/ring.hm"), "-D", "M=1"}).exit_status, 65);
}

TEST(ModelCheck, RefusesAnUnknownGranularity) {
  const SubprocessResult result =
      run_heddle({"model", "check", example("epor/ring.hm"), "--granularity", "byte"});
  EXPECT_EQ(result.exit_status, 64);
}

TEST(ModelGraph, WritesGraphviz) {
  const SubprocessResult result = run_heddle({"model", "graph", example("peterson.hm")});
  EXPECT_EQ(result.exit_status, 0);
  EXPECT_THAT(result.output, StartsWith("digraph "));
  EXPECT_THAT(result.output, HasSubstr("label=\"process(1)\""));
  EXPECT_THAT(result.output, HasSubstr("turn = 1 - i"));
}

TEST(ModelGraph, CanGoToAFile) {
  const auto path = std::filesystem::temp_directory_path() /
                    ("heddle-graph-" +
                     std::to_string(::testing::UnitTest::GetInstance()->random_seed()) + ".dot");
  EXPECT_EQ(run_heddle({"model", "graph", example("peterson.hm"), "-o", path.string()}).exit_status,
            0);
  EXPECT_GT(std::filesystem::file_size(path), 100U);
  std::filesystem::remove(path);
  EXPECT_EQ(
      run_heddle({"model", "graph", example("peterson.hm"), "-o", "/no/such/folder/x"}).exit_status,
      74);
}

}  // namespace
}  // namespace heddle
