// SARIF files against the rules of SARIF 2.1.0, for every kind of finding.
#include "report/sarif.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/check/json_rules.h"
#include "tests/check/sample_findings.h"

namespace heddle {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

json rules() {
  std::ifstream file(HEDDLE_SARIF_RULES);
  return json::parse(file);
}

json sample_log() { return json::parse(sarif_of(sample_findings(), "1.2.3").dump()); }

TEST(Sarif, OfEveryKindFollowsTheRules) {
  const json log = sample_log();
  EXPECT_EQ(log["runs"][0]["results"].size(), kFindingKindNames.size());
  EXPECT_THAT(broken_rules(rules(), log), IsEmpty());
}

TEST(Sarif, OfNothingFollowsTheRules) {
  EXPECT_THAT(broken_rules(rules(), json::parse(sarif_of({}, "1.2.3").dump())), IsEmpty());
}

TEST(Sarif, WithOddFileNamesFollowsTheRules) {
  std::vector<Reported> findings = sample_findings();
  for (FindingEvent& event : findings[0].finding.events) event.site = "/a b/100%/\xc3\xa4.cpp:3";
  findings[1].finding.events.clear();
  findings[2].finding.events.front().site = "?";
  EXPECT_THAT(broken_rules(rules(), json::parse(sarif_of(findings, "1.2.3").dump())), IsEmpty());
}

TEST(Sarif, OrdersStepsOfAllThreadsAsTheyHappen) {
  const json log = sample_log();
  for (const json& result : log["runs"][0]["results"]) {
    std::vector<int> orders;
    for (const json& flow : result["codeFlows"][0]["threadFlows"]) {
      for (const json& location : flow["locations"]) orders.push_back(location["executionOrder"]);
    }
    std::sort(orders.begin(), orders.end());
    for (std::size_t i = 0; i < orders.size(); ++i) EXPECT_EQ(orders[i], static_cast<int>(i) + 1);
  }
}

// The rules can be broken.
TEST(Sarif, RulesFindWhatIsWrong) {
  json log = sample_log();
  json& run = log["runs"][0];
  log["version"] = "2.0.0";
  run["results"][0].erase("message");
  run["results"][1]["level"] = "fatal";
  run["results"][2]["ruleIndex"] = "2";
  run["results"][3]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0;
  run["results"][4]["codeFlows"][0]["threadFlows"] = json::array();
  run["results"][5]["colour"] = "red";
  run["results"][6]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] = "a b.cpp";
  EXPECT_THAT(
      broken_rules(rules(), log),
      ElementsAre("/runs/0/results/0: lacks 'message'",
                  "/runs/0/results/1/level: \"fatal\" is none of "
                  "[\"none\",\"note\",\"warning\",\"error\"]",
                  "/runs/0/results/2/ruleIndex: is no whole number",
                  "/runs/0/results/3/locations/0/physicalLocation/region/startLine: is less than 1",
                  "/runs/0/results/4/codeFlows/0/threadFlows: is empty",
                  "/runs/0/results/5/colour: is not known",
                  "/runs/0/results/6/locations/0/physicalLocation/artifactLocation/uri: is no URI",
                  "/version: \"2.0.0\" is none of [\"2.1.0\"]"));
}

}  // namespace
}  // namespace heddle
