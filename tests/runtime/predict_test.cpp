// Findings predicted from one recorded run, put to the test on the program.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/runtime/support.h"

namespace heddle {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::json;

std::string predicted_program(const std::string& name) {
  return std::string(HEDDLE_RUNTIME_PROGRAMS) + "/predicted/" + name;
}

int seeds() { return std::getenv("HEDDLE_TEST_FULL") != nullptr ? 20 : 2; }

class Predicted : public testing::Test {
 protected:
  int record_seed(const std::string& program, int seed, std::vector<std::string> options = {}) {
    options.insert(options.end(), {"--seed", std::to_string(seed)});
    return record(program, trace_, options).exit_status;
  }
  SubprocessResult predict(std::vector<std::string> options = {}) {
    options.insert(options.begin(), {"predict", trace_, "--out", folder_.path()});
    return heddle(options);
  }
  Json predict_json(std::vector<std::string> options = {}) {
    options.emplace_back("--json");
    return Json::parse(predict(options).output);
  }
  void expect_all_confirmed(const std::string& name) {
    record_seed(program_under_test(name), 1);
    const Json json = predict_json({"--confirm-others", "1000"});
    EXPECT_FALSE(json["findings"].empty()) << name;
    for (const Json& found : json["findings"]) {
      EXPECT_EQ(found["replay"], "confirmed") << name << ": " << found["what"];
    }
  }
  std::string finding(int number) const {
    return folder_.file(fmt::format("finding-{}.json", number));
  }

  TemporaryFolder folder_;
  std::string trace_ = folder_.file("trace.heddle");
};

struct Expected {
  std::string program;
  std::string kind;
  std::string what;  // of one finding in every run
};

void PrintTo(const Expected& expected, std::ostream* out) { *out << expected.program; }

class EveryFinding : public Predicted, public testing::WithParamInterface<Expected> {};

TEST_P(EveryFinding, HappensOnTheProgramWithEverySeed) {
  for (int seed = 1; seed <= seeds(); ++seed) {
    const int status = record_seed(predicted_program(GetParam().program), seed);
    const Json json = predict_json({"--confirm-others", "1000"});
    std::string all;
    for (const Json& found : json["findings"]) {
      EXPECT_EQ(found["replay"], "confirmed") << "seed " << seed << ": " << found["what"];
      if (found["kind"] == GetParam().kind) all += found["what"].get<std::string>() + "\n";
    }
    EXPECT_EQ(json["replay_problem"], "");
    const bool happened_already = status == 42;  // a deadlock in the recorded run
    if (happened_already) continue;
    EXPECT_THAT(all, ContainsRegex(GetParam().what)) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Programs, EveryFinding,
    testing::Values(
        Expected{"lucky_lock", "race", "of progress at lucky_lock.cpp:"},
        Expected{"lock_order", "deadlock", "main.1 waits for second .*main.2 waits for first"},
        Expected{"three_philosophers", "deadlock", "main.3 waits for heap block"},
        Expected{"lost_update", "nondeterminism", "read of balance at lost_update.cpp:1"},
        Expected{"torn_scope", "atomicity", "write of limit at torn_scope.cpp:"},
        Expected{"nondeterministic_read", "nondeterminism", "read of state at .*can see the"},
        Expected{"wait_notify", "nondeterminism", "read of queue"},
        Expected{"fork_join", "race", "of unordered at fork_join.c"},
        Expected{"atomics_and_more", "race", "of loose at atomics_and_more.cpp"},
        Expected{"early_free", "nondeterminism", "done"},
        Expected{"timed", "race", "of unguarded"}),
    [](const auto& instance) { return instance.param.program; });

TEST_F(Predicted, ARaceIsSeenAgainByReplayAndTheProgramGoesOn) {
  record_seed(predicted_program("lucky_lock"), 1);
  const auto predicted = predict();
  EXPECT_EQ(predicted.exit_status, 42);
  EXPECT_THAT(predicted.output, HasSubstr("confirmed by replay: heddle replay " + finding(1)));
  const auto replayed = heddle({"replay", finding(1)});
  EXPECT_EQ(replayed.exit_status, 0) << replayed.output << replayed.errors;
  EXPECT_THAT(replayed.output, HasSubstr("replayed: it happens\n"
                                         "then the program went on by itself: exit status 0\n"));
}

TEST_F(Predicted, ARingIsSeenAgainAndSaysWhoWaitsForWhom) {
  record_seed(predicted_program("lock_order"), 1);
  EXPECT_EQ(predict({"--questions", "deadlocks"}).exit_status, 42);
  const auto replayed = heddle({"replay", finding(1)});
  EXPECT_EQ(replayed.exit_status, 0) << replayed.output << replayed.errors;
  EXPECT_THAT(replayed.output, AllOf(HasSubstr("main.1 waits for second, held by main.2"),
                                     HasSubstr("main.2 waits for first, held by main.1")));
}

TEST_F(Predicted, AReadThatMakesAnAssertionFailIsFollowedToThere) {
  record_seed(predicted_program("lost_update"), 1);
  const Json json = predict_json({"--deterministic", "--no-final-reads"});
  std::set<std::string> endings;
  for (const Json& found : json["findings"]) {
    const auto replayed = heddle({"replay", found["file"], "--json"});
    endings.insert(Json::parse(replayed.output)["ended"]);
  }
  EXPECT_THAT(endings, testing::Contains("killed by SIGABRT"));
}

TEST_F(Predicted, SaysThatAReadReachesAnAssertion) {
  record_seed(predicted_program("lost_update"), 1);
  EXPECT_THAT(predict().output,
              AllOf(HasSubstr("reaches the end of the program: killed by SIGABRT instead of "
                              "exit status 0\n"),
                    HasSubstr("reaches an assertion: 'balance == 130' fails\n")));
  const Json json = predict_json();
  EXPECT_EQ(json["findings"][0]["seen"]["ending"], "killed by SIGABRT");
  EXPECT_EQ(json["findings"][0]["seen"]["any"], true);
}

TEST_F(Predicted, SaysWhatAReadChangesInTheOutput) {
  record_seed(predicted_program("prints_what_it_read"), 1);
  const Json json = predict_json({"--no-final-reads", "--all"});
  std::map<std::string, Json> seen;
  for (const Json& found : json["findings"]) seen[found["what"]] = found["seen"];
  ASSERT_EQ(seen.size(), 2);
  for (const auto& [what, change] : seen) {
    const bool is_printed = what.find("printed") != std::string::npos;
    EXPECT_EQ(change["output"], is_printed ? "other lines" : "same") << what;
    EXPECT_EQ(change["ending"], "exit status 0");
  }
}

// A thread cannot be held between the lock of a futex' queue and the look at its word.
TEST_F(Predicted, AWordOfAFutexIsReadRightAfterItsQueueIsLocked) {
  expect_all_confirmed("futures");
  expect_all_confirmed("barrier");
}

// Trees and lists are linked by functions of the C++ library, which is not instrumented.
TEST_F(Predicted, WhatTheLibraryDoesToContainersIsNotOvertaken) {
  expect_all_confirmed("containers");
}

TEST_F(Predicted, EverythingRecordedIsConfirmedAsWell) {
  record_seed(predicted_program("lucky_lock"), 1, {"--all"});
  const Json json = predict_json();
  EXPECT_FALSE(json["findings"].empty());
  for (const Json& found : json["findings"]) EXPECT_EQ(found["replay"], "confirmed");
}

TEST_F(Predicted, IsNotReplayedIfToldSo) {
  record_seed(predicted_program("lucky_lock"), 1);
  const auto result = predict({"--no-confirm"});
  EXPECT_EQ(result.exit_status, 42);
  EXPECT_THAT(result.output, AllOf(HasSubstr("predicted only: heddle replay"),
                                   Not(HasSubstr("confirmed by replay"))));
}

TEST_F(Predicted, WithoutTheProgramOrWithAnotherBuildStaysAPrediction) {
  const std::string program = folder_.file("program");
  std::filesystem::copy_file(predicted_program("lucky_lock"), program);
  record_seed(program, 1);
  std::filesystem::remove(program);
  auto result = predict();
  EXPECT_EQ(result.exit_status, 42);
  EXPECT_THAT(result.output, HasSubstr("replay     the program '" + program + "' is not there"));
  std::filesystem::copy_file(predicted_program("lock_order"), program);
  result = predict();
  EXPECT_EQ(result.exit_status, 42);
  EXPECT_THAT(result.output, HasSubstr("has changed since the run was recorded"));
  EXPECT_THAT(result.output, Not(HasSubstr("confirmed by replay")));
}

TEST_F(Predicted, ADivergenceNamesTheStepWhatWasExpectedAndWhatCame) {
  record_seed(predicted_program("lucky_lock"), 1);
  predict();
  const auto result =
      heddle({"replay", finding(1), "--", predicted_program("nondeterministic_read")});
  EXPECT_EQ(result.exit_status, 125);
  EXPECT_THAT(result.output, ContainsRegex("diverged at step [0-9]+: expected main.*; came main"));
  EXPECT_THAT(result.output, HasSubstr("has changed since this was found"));
}

TEST_F(Predicted, AFindingThatDoesNotHoldIsRefuted) {
  record_seed(predicted_program("lucky_lock"), 1);
  predict({"--questions", "races"});
  Json json = Json::parse(content_of(finding(1)));
  json["schedule"].erase(json["schedule"].size() - 1);
  std::ofstream(finding(1)) << json.dump();
  const auto result = heddle({"replay", finding(1)});
  EXPECT_EQ(result.exit_status, 125);
  EXPECT_THAT(result.output, ContainsRegex("refuted at step [0-9]+: expected "));
}

TEST_F(Predicted, UnderGdbTheProgramStandsRightBeforeIt) {
  if (run_subprocess(
          {"bash", "-c", "gdb -q -batch -ex run --args /bin/true 2>&1 | grep -q normally"})
          .value()
          .exit_status != 0) {
    GTEST_SKIP() << "no gdb that can trace programs here";
  }
  record_seed(predicted_program("lucky_lock"), 1);
  predict({"--questions", "races"});
  const auto result = run_subprocess({"bash", "-c",
                                      fmt::format("printf 'continue\\n' | {} replay {} --gdb 2>&1",
                                                  HEDDLE_PROGRAM, finding(1))})
                          .value();
  EXPECT_THAT(result.output, ContainsRegex("progress = [12];"));
  EXPECT_THAT(result.output, HasSubstr("exited normally"));
}

}  // namespace
}  // namespace heddle
