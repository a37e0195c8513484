// heddle check as its user sees it: sources, programs, reports, and bad input.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/subprocess.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class Checking : public testing::Test {
 protected:
  Checking() { fs::create_directories(folder_); }
  ~Checking() override { fs::remove_all(folder_); }

  SubprocessResult check(std::vector<std::string> words) {
    words.insert(words.begin(), {HEDDLE_PROGRAM, "check"});
    return run_subprocess(words, {.directory = folder_}).value();
  }
  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ + "/" + name) << text;
  }
  std::string read(const std::string& name) {
    std::ostringstream text;
    text << std::ifstream(folder_ + "/" + name).rdbuf();
    return text.str();
  }
  static std::string example(const std::string& name) {
    return fmt::format("{}/{}", HEDDLE_EXAMPLE_PROGRAMS, name);
  }
  static int lines_in(const std::string& text) {
    return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
  }

  std::string folder_ = fmt::format("{}/heddle-checking-{}", testing::TempDir(),
                                    testing::UnitTest::GetInstance()->current_test_info()->name());
};

constexpr std::string_view kRacy =
    "#include <thread>\n"
    "int shared = 0;\n"
    "void work() { ++shared; }\n"
    "int main() {\n"
    "  std::thread one(work);\n"
    "  std::thread two(work);\n"
    "  one.join();\n"
    "  two.join();\n"
    "}\n";

TEST_F(Checking, GoesFromASourceToAConfirmedFinding) {
  write("racy.cpp", std::string(kRacy));
  const SubprocessResult result = check({"racy.cpp"});
  EXPECT_EQ(result.exit_status, 42) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("data race"));
  EXPECT_THAT(result.output, HasSubstr("confirmed by replay"));
  EXPECT_THAT(result.output, HasSubstr("void work() { ++shared; }"));
  EXPECT_THAT(result.output, HasSubstr("heddle replay heddle-out/finding-1.json"));
  const auto replayed = run_subprocess({HEDDLE_PROGRAM, "replay", "heddle-out/finding-1.json"},
                                       {.directory = folder_});
  EXPECT_EQ(replayed->exit_status, 0) << replayed->errors;
}

// Two threads wait with `if`, and are woken by one notify: the second one fails, and it is that one
// which is shown.
TEST_F(Checking, ShowsTheThreadThatFailsAndHowItWasWoken) {
  write("mailbox.cpp",
        "#include <cassert>\n"
        "#include <condition_variable>\n"
        "#include <mutex>\n"
        "#include <thread>\n"
        "std::mutex lock;\n"
        "std::condition_variable arrived;\n"
        "int letters = 0;\n"
        "void take() {\n"
        "  std::unique_lock guard(lock);\n"
        "  if (letters == 0) arrived.wait(guard);\n"
        "  assert(letters > 0);\n"
        "  --letters;\n"
        "}\n"
        "void put() {\n"
        "  std::lock_guard guard(lock);\n"
        "  ++letters;\n"
        "  arrived.notify_all();\n"
        "}\n"
        "int main() {\n"
        "  std::thread one(take), two(take);\n"
        "  put();\n"
        "  put();\n"
        "  one.join();\n"
        "  two.join();\n"
        "}\n");
  const SubprocessResult result = check({"mailbox.cpp"});
  EXPECT_EQ(result.exit_status, 42) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("read letters = 0\n        assert(letters > 0);"));
  EXPECT_THAT(result.output, HasSubstr("notify-all arrived"));
  EXPECT_THAT(result.output, HasSubstr("wake arrived"));
}

// The tree is rebalanced in the library, which nobody sees: prediction from a run goes wrong, the
// search does not.
TEST_F(Checking, FindsByASearchWhatWasPredictedInVain) {
  write("sessions.cpp",
        "#include <map>\n"
        "#include <mutex>\n"
        "#include <thread>\n"
        "std::map<int, int> sessions = {{1, 1}, {2, 2}, {3, 3}};\n"
        "std::mutex lock;\n"
        "int sum = 0;\n"
        "int main() {\n"
        "  std::thread cleaner([] {\n"
        "    std::lock_guard guard(lock);\n"
        "    sessions.erase(2);\n"
        "  });\n"
        "  for (const auto& [name, age] : sessions) sum += age;\n"
        "  cleaner.join();\n"
        "}\n");
  const SubprocessResult result = check({"sessions.cpp"});
  EXPECT_EQ(result.exit_status, 42) << result.output << result.errors;
  EXPECT_THAT(result.output, HasSubstr("free heap block"));
  EXPECT_THAT(result.output, Not(HasSubstr("did not happen when replayed")));
}

TEST_F(Checking, NamesALocalVariableThatThreadsShare) {
  write("local.cpp",
        "#include <thread>\n"
        "struct Account { int number; long balance; };\n"
        "int main() {\n"
        "  Account accounts[2] = {};\n"
        "  std::thread one([&] { accounts[1].balance += 5; });\n"
        "  std::thread two([&] { accounts[1].balance += 7; });\n"
        "  one.join();\n"
        "  two.join();\n"
        "}\n");
  const SubprocessResult result = check({"local.cpp"});
  EXPECT_EQ(result.exit_status, 42) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("accounts[1].balance at local.cpp:"));
  EXPECT_THAT(result.output, Not(HasSubstr("stack of")));
}

TEST_F(Checking, SaysTheSameTwice) {
  const auto first = check({"--", example("progress-counter-buggy")});
  EXPECT_EQ(first.output, check({"--", example("progress-counter-buggy")}).output);
}

TEST_F(Checking, LeavesNothingBehindWhereNothingIsFound) {
  write("quiet.cpp", "int main() {}\n");
  const SubprocessResult result = check({"quiet.cpp", "--runs", "2"});
  EXPECT_EQ(result.exit_status, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("never started a second thread"));
  EXPECT_FALSE(fs::exists(folder_ + "/heddle-out"));
}

TEST_F(Checking, ShowsWhatTheCompilerSays) {
  write("broken.cpp", "int main() { return nothing; }\n");
  const SubprocessResult result = check({"broken.cpp"});
  EXPECT_EQ(result.exit_status, 65);
  EXPECT_THAT(result.errors, HasSubstr("broken.cpp:1:21: error"));
  EXPECT_THAT(result.errors, HasSubstr("heddle: the sources do not compile"));
}

TEST_F(Checking, RefusesBadInputInOneLine) {
  struct Case {
    std::vector<std::string> words;
    int status;
    std::string message;
  };
  for (const Case& each : std::vector<Case>{
           {{"none.cpp"}, 65, "none.cpp: no such file"},
           {{"--", "./none"}, 65, "./none: no such program"},
           {{"--", "/bin/true"}, 65, "/bin/true"},
           {{}, 64, "give a source file"},
           {{"--suppressions", "none", "--", example("statistics-buggy")}, 65, "none"},
           {{"--baseline", "none", "--", example("statistics-buggy")}, 65, "none"},
       }) {
    const SubprocessResult result = check(each.words);
    EXPECT_EQ(result.exit_status, each.status) << each.message;
    EXPECT_THAT(result.errors, HasSubstr(each.message));
    EXPECT_EQ(lines_in(result.errors), 1) << result.errors;
    EXPECT_EQ(result.output, "");
  }
}

// One run does not reach the branch in which the race is, so that prediction cannot see it, and a
// search of so few interleavings does not come to it.
TEST_F(Checking, HuntsWhatNeitherPredictionNorASearchHasFound) {
  const SubprocessResult result = check(
      {"--json", "--runs", "1", "--executions", "400", "--", example("hybrid-tsp_locked"), "4"});
  EXPECT_EQ(result.exit_status, 42) << result.output << result.errors;
  const Json report = Json::parse(result.output);
  EXPECT_EQ(report["searched"], 400);
  EXPECT_EQ(report["searched_all"], false);
  EXPECT_GT(report["hunted"], 0);
  ASSERT_EQ(report["findings"].size(), 1u);
  EXPECT_EQ(report["findings"][0]["kind"], "race");
  EXPECT_EQ(report["findings"][0]["standing"], "confirmed");
}

TEST_F(Checking, CallsALoopThatNobodyEndsALivelock) {
  write("spins.cpp",
        "#include <atomic>\n#include <thread>\n"
        "std::atomic<bool> stop = false;\n"
        "int main() { std::thread t([] { while (!stop) {} }); t.join(); }\n");
  const SubprocessResult result = check({"spins.cpp", "--runs", "1", "--time", "5"});
  EXPECT_EQ(result.exit_status, 42) << result.output << result.errors;
  EXPECT_THAT(result.output, HasSubstr("livelock"));
}

TEST_F(Checking, CallsACrashACrash) {
  write("crash.cpp",
        "#include <thread>\nint* nowhere = nullptr;\n"
        "int main() { std::thread t([] { *nowhere = 1; }); t.join(); }\n");
  const SubprocessResult result = check({"crash.cpp", "--runs", "2"});
  EXPECT_EQ(result.exit_status, 42) << result.output << result.errors;
  EXPECT_THAT(result.output, HasSubstr("crash: killed by SIGSEGV"));
}

TEST_F(Checking, PassesArgumentsOn) {
  write("status.cpp", "int main(int count, char**) { return count == 3 ? 7 : 0; }\n");
  EXPECT_EQ(check({"status.cpp", "--runs", "1"}).exit_status, 0);
  const SubprocessResult result = check({"status.cpp", "--runs", "1", "--", "a", "b"});
  EXPECT_EQ(result.exit_status, 42);
  EXPECT_THAT(result.output, HasSubstr("exit status 7"));
}

// Fails if the reader comes right between two pairs of writes, which no seed of the first forty
// hits.
constexpr std::string_view kRare =
    "#include <atomic>\n#include <cassert>\n#include <thread>\n"
    "std::atomic<int> step = 0;\n"
    "int main() {\n"
    "  std::thread writer([] { for (int i = 1; i <= 30; ++i) step = i; });\n"
    "  const int first = step;\n"
    "  const int second = step;\n"
    "  writer.join();\n"
    "  assert(!(first == 11 && second == 23));\n"
    "}\n";

TEST_F(Checking, SearchesForWhatRunsMiss) {
  write("rare.cpp", std::string(kRare));
  const SubprocessResult runs = check({"rare.cpp", "--executions", "1"});
  EXPECT_EQ(runs.exit_status, 0) << runs.output;
  EXPECT_THAT(runs.output, HasSubstr("there are more"));
  const SubprocessResult result = check({"rare.cpp"});
  EXPECT_EQ(result.exit_status, 42) << result.output;
  EXPECT_THAT(result.output, HasSubstr("failed assertion"));
  EXPECT_THAT(result.output, HasSubstr("confirmed by replay"));
}

TEST_F(Checking, SaysWhenAllInterleavingsWereSearched) {
  const SubprocessResult result = check({"--", example("bank-transfer-fixed")});
  EXPECT_EQ(result.exit_status, 0);
  EXPECT_THAT(result.output, HasSubstr("has run all of its 2 interleavings"));
}

TEST_F(Checking, LeavesOutWhatIsSuppressed) {
  write("known.txt", "race:Statistics::mean\nrace:never_seen\n");
  const SubprocessResult result =
      check({"--suppressions", "known.txt", "--", example("statistics-buggy")});
  EXPECT_EQ(result.exit_status, 0) << result.output;
  EXPECT_THAT(result.output, HasSubstr("suppressed"));
  EXPECT_THAT(result.output, HasSubstr("known.txt:2: 'race:never_seen' suppresses nothing"));
}

TEST_F(Checking, SuppressesAFindingByItsNumber) {
  const auto report = Json::parse(check({"--json", "--", example("statistics-buggy")}).output);
  const auto id = report["findings"][0]["id"].get<std::string>();
  const auto suppress = [&](const std::string& finding) {
    return run_subprocess({HEDDLE_PROGRAM, "suppress", finding}, {.directory = folder_}).value();
  };
  const SubprocessResult added = suppress(id.substr(0, 6));
  EXPECT_EQ(added.exit_status, 0) << added.errors;
  EXPECT_THAT(added.output, HasSubstr("now suppresses " + id));
  EXPECT_THAT(read("heddle.supp"), HasSubstr("finding:" + id));
  EXPECT_THAT(suppress("heddle-out/finding-1.json").output, HasSubstr("is suppressed already"));
  const SubprocessResult again =
      check({"--suppressions", "heddle.supp", "--", example("statistics-buggy")});
  EXPECT_THAT(again.output, HasSubstr("1 suppressed"));
  EXPECT_THAT(again.output, Not(HasSubstr("suppresses nothing")));
  const SubprocessResult unknown = suppress("000000");
  EXPECT_EQ(unknown.exit_status, 65);
  EXPECT_EQ(unknown.errors,
            "heddle: no finding in heddle-out has the number 000000; `heddle check` shows them\n");
}

TEST_F(Checking, ReportsOnlyWhatIsNewAgainstABaseline) {
  write("old.json", check({"--json", "--", example("statistics-buggy")}).output);
  const SubprocessResult same =
      check({"--baseline", "old.json", "--", example("statistics-buggy")});
  EXPECT_EQ(same.exit_status, 0) << same.output;
  EXPECT_THAT(same.output, HasSubstr("known from the baseline"));
  const SubprocessResult other = check({"--baseline", "old.json", "--", example("logger-buggy")});
  EXPECT_EQ(other.exit_status, 42);
}

TEST_F(Checking, CountsNondeterminismWhereItIsAskedFor) {
  EXPECT_EQ(check({"--", example("statistics-fixed")}).exit_status, 0);
  const SubprocessResult result = check({"--deterministic", "--", example("statistics-fixed")});
  EXPECT_EQ(result.exit_status, 42) << result.output;
  EXPECT_THAT(result.output, HasSubstr("nondeterministic read"));
  EXPECT_EQ(check({"--deterministic=nothing", "--", example("statistics-fixed")}).exit_status, 0);
}

TEST_F(Checking, WritesSarif) {
  check({"--sarif", "r.sarif", "--", example("lock-order-buggy")});
  const Json sarif = Json::parse(read("r.sarif"));
  EXPECT_EQ(sarif["version"], "2.1.0");
  const Json& run = sarif["runs"][0];
  const Json& rules = run["tool"]["driver"]["rules"];
  const Json& result = run["results"][0];
  EXPECT_EQ(result["ruleId"], "deadlock");
  EXPECT_EQ(rules[result["ruleIndex"].get<std::size_t>()]["id"], "deadlock");
  EXPECT_EQ(result["level"], "error");
  EXPECT_EQ(result["partialFingerprints"]["heddle/v1"].get<std::string>().size(), 12);
  std::set<int> orders;
  for (const Json& flow : result["codeFlows"][0]["threadFlows"]) {
    for (const Json& location : flow["locations"])
      orders.insert(location["executionOrder"].get<int>());
  }
  EXPECT_EQ(*orders.begin(), 1);
  EXPECT_EQ(*orders.rbegin(), static_cast<int>(orders.size()));
}

TEST_F(Checking, WritesJunit) {
  check({"--junit", "r.xml", "--", example("lock-order-buggy")});
  const std::string text = read("r.xml");
  EXPECT_THAT(text, HasSubstr("failures=\"1\""));
  EXPECT_THAT(text, HasSubstr("<failure type=\"deadlock\""));
  EXPECT_THAT(text, Not(HasSubstr("<failure type=\"race\"")));
}

}  // namespace
}  // namespace heddle
