// Golden tests of what the terminal shows: one file per kind of finding in golden/, with the
// report in 80 and in 160 columns, plain and in colour (an escape character stands there as
// "<esc>"). HEDDLE_UPDATE_GOLDEN=1 writes the files anew; read what has changed.
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/check_report.h"
#include "report/column_layout.h"
#include "tests/check/sample_findings.h"

namespace heddle {
namespace {

CheckResult result_with(std::vector<Reported> findings) {
  CheckResult result;
  result.findings = std::move(findings);
  result.runs = 40;
  result.predicted_runs = 6;
  result.endings = {{"exit status 0", 34}, {"killed by SIGABRT", 6}};
  result.most_threads = 3;
  result.information = 3;
  result.undecided = 1;
  result.source_folder = HEDDLE_GOLDEN;
  return result;
}

std::string with_visible_escapes(const std::string& text) {
  std::string made;
  for (const char c : text) made += c == '\x1b' ? "<esc>" : std::string(1, c);
  return made;
}

std::string in_all_layouts(const CheckResult& result) {
  std::string text;
  for (const std::size_t width : {80U, 160U}) {
    for (const bool colour : {false, true}) {
      text += fmt::format("===== {} columns{}\n", width, colour ? ", in colour" : "");
      text += with_visible_escapes(check_in_words(result, {}, "bank.cpp", {width, colour}));
    }
  }
  return text;
}

std::string content_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

void expect_golden(const std::string& name, const std::string& text) {
  const std::string path = fmt::format("{}/{}.txt", HEDDLE_GOLDEN, name);
  if (std::getenv("HEDDLE_UPDATE_GOLDEN") != nullptr) std::ofstream(path) << text;
  EXPECT_EQ(text, content_of(path)) << path;
}

class Report : public testing::TestWithParam<Reported> {};

TEST_P(Report, IsAsInTheFile) {
  expect_golden(std::string(name_of(GetParam().finding.kind)),
                in_all_layouts(result_with({GetParam()})));
}

TEST_P(Report, FitsItsColumns) {
  for (const std::size_t width : {80U, 160U}) {
    std::istringstream lines(check_in_words(result_with({GetParam()}), {}, "bank.cpp", {width}));
    for (std::string line; std::getline(lines, line);)
      EXPECT_LE(display_width(line), width) << line;
  }
}

INSTANTIATE_TEST_SUITE_P(OfAKind, Report, testing::ValuesIn(sample_findings()),
                         [](const testing::TestParamInfo<Reported>& sample) {
                           std::string name(name_of(sample.param.finding.kind));
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Report, HasASampleOfEveryKind) {
  EXPECT_EQ(sample_findings().size(), kFindingKindNames.size());
}

TEST(Report, OfNothingIsAsInTheFile) {
  CheckResult result = result_with({});
  result.endings = {{"exit status 0", 40}};
  result.searched = 128;
  result.searched_all = true;
  expect_golden("nothing", in_all_layouts(result));
}

}  // namespace
}  // namespace heddle
