// Findings as files: what is written is read again, and what is wrong is said.
#include "finding/finding_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace heddle {
namespace {

using ::testing::HasSubstr;

Finding example() {
  Finding finding;
  finding.kind = FindingKind::race;
  finding.message = "data race on x";
  finding.events = {{"left", "a.hm:3:1", "x = 1", "writes x", 2}, {"right", "", "", "", {}}};
  finding.add_step("left", 0, "lock(m)");
  finding.add_step("left", 2);
  finding.add_step("right", 0);
  finding.add_step("right", 0);
  finding.subject = ModelSubject{"a.hm", text_hash("int x;"), {{"N", -4}}, "access"};
  finding.found_by = "explore";
  finding.confirmed = Confirmation::replay;
  return finding;
}

std::string error_of(const nlohmann::ordered_json& json) {
  const Result<Finding> parsed = parse_finding(json.dump());
  return parsed.ok() ? "no error" : parsed.error().message;
}

TEST(FindingFile, IsReadAsItWasWritten) {
  EXPECT_EQ(parse_finding(json_of(example()).dump(2)).value(), example());
}

TEST(FindingFile, KeepsTheCommandOfAProgram) {
  Finding finding = example();
  finding.subject = ProgramSubject{{"./bank", "--fast"}, "a1b2"};
  EXPECT_EQ(parse_finding(json_of(finding).dump()).value(), finding);
}

TEST(FindingFile, KeepsItsNumberAndTheFolderOfSources) {
  Finding finding = example();
  finding.id = "3f2a90c1d04e";
  finding.subject = ProgramSubject{{"./bank"}, "a1b2", {}, {}, "/home/me/bank"};
  EXPECT_EQ(parse_finding(json_of(finding).dump()).value(), finding);
}

TEST(FindingFile, OfVersion2HasNoNumber) {
  auto json = json_of(example());
  json["heddle_finding"] = 2;
  EXPECT_EQ(parse_finding(json.dump()).value(), example());
}

TEST(FindingFile, WritesEqualStepsAsOneEntry) {
  const auto schedule = json_of(example())["schedule"];
  ASSERT_EQ(schedule.size(), 3u);
  EXPECT_EQ(schedule[2]["thread"], "right");
  EXPECT_EQ(schedule[2]["steps"], 2);
}

TEST(FindingFile, IsRefusedInAnotherVersion) {
  auto json = json_of(example());
  json["heddle_finding"] = 4;
  EXPECT_THAT(error_of(json),
              HasSubstr("a finding of version 4; this Heddle reads versions 1 to 3"));
}

TEST(FindingFile, OfVersion1IsReadWithoutWhatItDoesNotHave) {
  Finding finding = example();
  finding.subject = ProgramSubject{{"./bank"}, "ab12", {"main", "main.1"}, "0:8"};
  auto json = json_of(finding);
  json["heddle_finding"] = 1;
  json["program"].erase("threads");
  json["program"].erase("shared");
  const auto read = parse_finding(json.dump());
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->subject, (decltype(read->subject)(ProgramSubject{{"./bank"}, "ab12"})));
}

TEST(FindingFile, KeepsWhatTheReplayOfAProgramNeeds) {
  Finding finding = example();
  finding.subject = ProgramSubject{{"./bank", "7"}, "ab12", {"main", "main.1"}, "0:8"};
  const auto read = parse_finding(json_of(finding).dump());
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(*read, finding);
}

TEST(FindingFile, SaysWhatIsWrongWithIt) {
  const auto with = [](std::string_view key, const nlohmann::ordered_json& value) {
    auto json = json_of(example());
    json[std::string(key)] = value;
    return error_of(json);
  };
  const auto without = [](const std::string& key) {
    auto json = json_of(example());
    json.erase(key);
    return error_of(json);
  };
  EXPECT_THAT(without("heddle_finding"), HasSubstr("no finding of Heddle"));
  for (const std::string key : {"kind", "message", "confirmed", "found_by", "events", "schedule"}) {
    EXPECT_EQ(without(key), fmt::format("\"{}\" is missing", key));
  }
  EXPECT_THAT(without("model"), HasSubstr("one of \"model\" and \"program\""));
  EXPECT_THAT(with("program", 1), HasSubstr("one of \"model\" and \"program\""));
  EXPECT_THAT(with("kind", "rase"), HasSubstr("unknown kind 'rase'; known are assertion"));
  EXPECT_THAT(with("confirmed", "yes"), HasSubstr("should be \"replay\" or \"no\""));
  EXPECT_THAT(with("schedul", 1), HasSubstr("did you mean 'schedule'?"));
  EXPECT_THAT(with("schedule", {1, 2}), HasSubstr("an array of objects"));
  EXPECT_THAT(with("schedule", {{{"thread", 3}}}), HasSubstr("\"thread\" should be a string"));
  EXPECT_THAT(with("events", {{{"thread", "a"}}}), HasSubstr("\"site\" is missing"));
}

TEST(FindingFile, NamesTheFileInItsErrors) {
  const auto missing = read_finding("/nowhere/finding-1.json");
  EXPECT_THAT(missing.error().message, HasSubstr("/nowhere/finding-1.json"));
}

RC_GTEST_PROP(FindingFile, DoesNotStumbleOverDamage, (const std::string& noise)) {
  std::string text = json_of(example()).dump();
  const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
  text.replace(at, std::min(noise.size(), text.size() - at), noise);
  const Result<Finding> parsed = parse_finding(text);
  if (!parsed.ok()) RC_ASSERT(parsed.error().message.find('\n') == std::string::npos);
}

}  // namespace
}  // namespace heddle
