// The trace commands as users type them.
#include <cstdio>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/heddle_program.h"

namespace heddle {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

const std::string kBank = HEDDLE_TEST_DATA "/traces/bank.std";
const std::string kUntidy = HEDDLE_TEST_DATA "/traces/untidy.std";

nlohmann::json json_of(const SubprocessResult& result) {
  return nlohmann::json::parse(result.output);
}

TEST(TraceInfo, CountsAsInTableA1) {
  const auto result = run_heddle({"trace", "info", kBank, "--json"});
  EXPECT_EQ(result.exit_status, 0) << result.errors;
  const nlohmann::json json = json_of(result);
  EXPECT_EQ(json["threads"], 3);
  EXPECT_EQ(json["events"], 13);
  EXPECT_EQ(json["lock_events"], 4);
  EXPECT_EQ(json["locks"], 1);
  EXPECT_EQ(json["accesses"], 5);
  EXPECT_EQ(json["variables"], 1);
  EXPECT_EQ(json["shared_variables"], 1);
  EXPECT_EQ(json["wait_notify_events"], 0);
}

TEST(TraceShow, PrintsColumns) {
  const auto result = run_heddle({"trace", "show", kBank, "--from", "2", "--to", "6"});
  EXPECT_EQ(result.output,
            "#  alice                bob                  site\n"
            "2  acquire m                                 bank.cpp:12\n"
            "3  read balance = 100                        bank.cpp:13\n"
            "4  write balance = 150                       bank.cpp:14\n"
            "5  release m                                 bank.cpp:15\n"
            "6                       read balance = 150   bank.cpp:20\n");
}

TEST(TraceShow, KeepsToAThreadAndAnObject) {
  const auto result =
      run_heddle({"trace", "show", kBank, "--thread", "bob", "--object", "m", "--json"});
  const nlohmann::json events = json_of(result)["events"];
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0]["text"], "acquire m");
  EXPECT_EQ(events[1]["index"], 9);
}

TEST(TraceShow, SuggestsTheNameThatWasMeant) {
  const auto result = run_heddle({"trace", "show", kBank, "--thread", "alcie"});
  EXPECT_EQ(result.errors, "heddle: the trace has no thread 'alcie'; did you mean 'alice'?\n");
  EXPECT_EQ(result.exit_status, 64);
}

TEST(TraceConvert, GoesAroundThroughEveryFormat) {
  const auto result = run_bash("set -e; d=$(mktemp -d); \"$HEDDLE\" trace convert " + kBank +
                               " $d/a.heddle; \"$HEDDLE\" trace convert $d/a.heddle $d/b.jsonl.gz; "
                               "\"$HEDDLE\" trace convert $d/b.jsonl.gz $d/c.std.zst; "
                               "\"$HEDDLE\" trace convert $d/c.std.zst - --to std | cmp - " +
                               kBank + " && echo same; rm -r $d");
  EXPECT_EQ(result.output, "same\n") << result.errors;
}

TEST(TraceConvert, NeedsToKnowTheFormat) {
  const auto result = run_heddle({"trace", "convert", kBank, "/tmp/x.unknown"});
  EXPECT_THAT(result.errors, HasSubstr("does not tell the format; say --to"));
  EXPECT_EQ(result.exit_status, 64);
}

TEST(TraceConvert, LeavesNothingBehindWhenItFails) {
  const std::string path = testing::TempDir() + "heddle_untidy.heddle";
  const auto result = run_heddle({"trace", "convert", kUntidy, path});
  EXPECT_EQ(result.exit_status, 65);
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(TraceValidate, NamesEventAndRule) {
  EXPECT_EQ(run_heddle({"trace", "validate", kBank}).output, "well-formed: 13 events\n");
  const auto result = run_heddle({"trace", "validate", kUntidy});
  EXPECT_THAT(result.output, ContainsRegex("untidy.std:2: .*\\(rule reentrant-acquire\\)"));
  EXPECT_THAT(result.output, ContainsRegex("untidy.std:7: .*\\(rule foreign-release\\)"));
  EXPECT_EQ(result.exit_status, 65);
}

TEST(Repair, IsAskedForByNameOrTheFirstOffenceIsAnError) {
  const auto strict = run_heddle({"trace", "info", kUntidy});
  EXPECT_THAT(strict.errors, ContainsRegex("^heddle: .*untidy.std:2: .*--repair can mend this\n$"));
  EXPECT_EQ(strict.exit_status, 65);
  const auto repaired = run_heddle({"trace", "info", kUntidy, "--repair", "--json"});
  EXPECT_EQ(repaired.exit_status, 0);
  EXPECT_THAT(repaired.errors, HasSubstr("untidy.std:7: "));
  EXPECT_EQ(json_of(repaired)["lock_events"], 4);
}

TEST(CheckReordering, SaysYesOrWhichEventBreaksWhichRule) {
  const auto yes = run_heddle({"trace", "check-reordering", kBank, "0-5"});
  EXPECT_EQ(yes.output, "yes: a reordering of 6 events\n");
  EXPECT_EQ(yes.exit_status, 0);
  const auto no = run_heddle({"trace", "check-reordering", kBank, "0 1 6"});
  EXPECT_THAT(no.output, ContainsRegex("^no: at position 2, event 6: .*\\(rule read: "));
  EXPECT_EQ(no.exit_status, 42);
  const auto question =
      run_heddle({"trace", "check-reordering", kBank, "0 1 6", "--last-is-question"});
  EXPECT_EQ(question.exit_status, 0);
}

TEST(CheckReordering, RefusesWhatIsNoSequence) {
  const auto result = run_heddle({"trace", "check-reordering", kBank, "0,one"});
  EXPECT_THAT(result.errors, HasSubstr("'0,one' is neither a file nor a sequence of events"));
  EXPECT_EQ(result.exit_status, 65);
  const auto largest = run_heddle({"trace", "check-reordering", kBank, "0-4294967295"});
  EXPECT_EQ(largest.exit_status, 65);
  EXPECT_THAT(largest.errors, HasSubstr("no trace has an event 4294967295"));
  const auto beyond = run_heddle({"trace", "check-reordering", kBank, "0,99"});
  EXPECT_THAT(beyond.output, HasSubstr("not-an-event"));
  EXPECT_EQ(beyond.exit_status, 42);
}

TEST(TraceCommands, ReadStandardInputAndSayWhenThereIsNothing) {
  EXPECT_THAT(run_bash("\"$HEDDLE\" trace info - <" + kBank).output,
              HasSubstr("events         13"));
  const auto result = run_heddle({"trace", "info", "/nonexistent.heddle"});
  EXPECT_EQ(result.errors, "heddle: /nonexistent.heddle: No such file or directory\n");
  EXPECT_EQ(result.exit_status, 65);
}

TEST(TraceCommands, GoOnWithWhatADamagedFileStillHas) {
  const auto result = run_bash(
      "d=$(mktemp -d); \"$HEDDLE\" trace convert " + kBank +
      " $d/a.heddle; truncate -s -10 $d/a.heddle; \"$HEDDLE\" trace info $d/a.heddle; rm -r $d");
  EXPECT_THAT(result.output, HasSubstr("events         13"));
  EXPECT_THAT(result.errors, HasSubstr("truncated after event"));
}

}  // namespace
}  // namespace heddle
