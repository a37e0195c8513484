// The number of a finding: the same for the same finding, another for another one.
#include "finding/fingerprint.h"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace heddle {
namespace {

class Fingerprint : public testing::Test {
 protected:
  Fingerprint() { std::filesystem::create_directories(folder_); }
  ~Fingerprint() override { std::filesystem::remove_all(folder_); }

  std::string of(const Finding& finding, const std::string& source) {
    std::ofstream(folder_ + "/a.cpp") << source;
    SourceLines sources({folder_});
    return fingerprint(finding, sources);
  }

  static Finding race(int first, int second) {
    Finding finding;
    finding.kind = FindingKind::race;
    finding.events = {{"main.1", fmt::format("a.cpp:{}", first), "write x", ""},
                      {"main.2", fmt::format("a.cpp:{}", second), "read x", ""}};
    return finding;
  }

  std::string folder_ = fmt::format("{}/heddle-fingerprint-{}", testing::TempDir(),
                                    testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(Fingerprint, StaysWhenLinesMoveAndAreIndented) {
  EXPECT_EQ(of(race(1, 2), "x = 1;\ny = x;\n"), of(race(3, 5), "\n\n  x = 1;\n\n\ty = x;\n"));
}

TEST_F(Fingerprint, DoesNotDependOnOrderAndThreads) {
  Finding turned = race(1, 2);
  std::swap(turned.events[0], turned.events[1]);
  turned.events[0].thread = "main.9";
  EXPECT_EQ(of(race(1, 2), "x = 1;\ny = x;\n"), of(turned, "x = 1;\ny = x;\n"));
}

TEST_F(Fingerprint, DiffersWithTheLineTheOperationAndTheKind) {
  const std::string source = "x = 1;\ny = x;\nz = x;\n";
  const std::string plain = of(race(1, 2), source);
  EXPECT_EQ(plain.size(), 12);
  EXPECT_NE(plain, of(race(1, 3), source));
  Finding other = race(1, 2);
  other.events[0].operation = "write y";
  EXPECT_NE(plain, of(other, source));
  other = race(1, 2);
  other.kind = FindingKind::atomicity;
  EXPECT_NE(plain, of(other, source));
}

TEST_F(Fingerprint, NeedsNoSource) {
  SourceLines nowhere({folder_ + "/none"});
  EXPECT_EQ(fingerprint(race(1, 2), nowhere).size(), 12);
}

TEST(SourceLines, AreNumberedFromOneAndEnd) {
  const std::string path = testing::TempDir() + "/heddle-lines.cpp";
  std::ofstream(path) << "first\r\nsecond";
  SourceLines sources({"/"});
  EXPECT_EQ(sources.line(path, 1), "first");
  EXPECT_EQ(sources.line(path, 2), "second");
  EXPECT_EQ(sources.line(path, 3), std::nullopt);
  EXPECT_EQ(sources.line(path, 0), std::nullopt);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace heddle
