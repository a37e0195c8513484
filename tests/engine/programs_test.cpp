// Every program in programs/ is explored, by two algorithms and with both ways of putting it
// back to its start. Its first comments say what is expected: the example with the same number
// of traces, that number itself, the number of distinct outputs, or the kind of what is found;
// and with which options. Most have a twin in models/, with which they are compared.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/subprocess.h"
#include "tests/sample.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "heddle-engine-XXXXXX").string();
    CHECK(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

SubprocessResult explore(std::vector<std::string> words) {
  words.insert(words.begin(), {HEDDLE_PROGRAM, "explore"});
  return run_subprocess(words).value();
}

// "finds" -> "deadlock", from a line "// finds: deadlock".
std::map<std::string, std::string> expectations_of(const std::string& source) {
  std::map<std::string, std::string> expectations;
  std::ifstream file(source);
  for (std::string line; std::getline(file, line) && line.starts_with("// ");) {
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos)
      expectations[line.substr(3, colon - 3)] = line.substr(colon + 2);
  }
  return expectations;
}

std::uint64_t traces_of_model(const std::vector<std::string>& words) {
  std::vector<std::string> all = {"--json", "--keep-going", "--no-races", "--algorithm", "odpor"};
  all.insert(all.end(), words.begin(), words.end());
  const SubprocessResult result = explore(all);
  const Json json = Json::parse(result.output, nullptr, false);
  EXPECT_FALSE(json.is_discarded()) << result.errors;
  return json.is_discarded() ? 0 : json["traces"].get<std::uint64_t>();
}

// One of the examples: "bank-transfer.hm N=2", perhaps with a granularity behind it.
std::uint64_t traces_of_example(const std::string& text) {
  std::istringstream words(text);
  std::string model;
  std::string definition;
  std::string granularity;
  words >> model >> definition;
  if (!(words >> granularity)) granularity = "access";
  return traces_of_model(
      {"--granularity", granularity, "-D", definition, fmt::format("{}/{}", HEDDLE_MODELS, model)});
}

std::vector<std::string> sources() {
  std::vector<std::string> sources;
  for (const auto& entry : fs::directory_iterator(HEDDLE_EXPLORED_SOURCES)) {
    if (entry.is_regular_file() && entry.path().extension() != ".h")
      sources.push_back(entry.path().string());
  }
  std::sort(sources.begin(), sources.end());
  return sample_of(sources);
}

std::string name_of_source(const std::string& source) { return fs::path(source).stem(); }

class ExploredProgram : public testing::TestWithParam<std::string> {
 protected:
  Json explored(std::vector<std::string> options) {
    const std::string name = name_of_source(GetParam());
    std::istringstream more(expectations_of(GetParam())["options"]);
    for (std::string option; more >> option;) options.push_back(option);
    options.insert(options.end(), {"--json", "--out", folder_.path(), "--",
                                   fmt::format("{}/{}", HEDDLE_EXPLORED_PROGRAMS, name)});
    const SubprocessResult result = explore(options);
    Json json = Json::parse(result.output, nullptr, false);
    EXPECT_FALSE(json.is_discarded()) << result.output << result.errors;
    return json.is_discarded() ? Json() : json;
  }

  TemporaryFolder folder_;
};

void expect(const Json& json, const std::map<std::string, std::string>& expectations) {
  ASSERT_TRUE(json.is_object());
  const auto finds = expectations.find("finds");
  const std::string kind = finds != expectations.end() ? finds->second : "nothing";
  if (kind == "nothing") {
    EXPECT_TRUE(json["findings"].empty()) << json.dump(2);
    EXPECT_TRUE(json["complete"].get<bool>()) << json.dump(2);
  } else {
    ASSERT_EQ(json["findings"].size(), 1U) << json.dump(2);
    EXPECT_EQ(json["findings"][0]["kind"], kind) << json.dump(2);
    EXPECT_EQ(json["findings"][0]["confirmed"], "replay") << json.dump(2);
  }
  if (expectations.contains("model")) {
    EXPECT_EQ(json["traces"], traces_of_example(expectations.at("model")));
  }
  if (expectations.contains("traces")) {
    EXPECT_EQ(json["traces"], std::stoull(expectations.at("traces")));
  }
  if (expectations.contains("outputs")) {
    EXPECT_EQ(json["outputs"].size(), std::stoull(expectations.at("outputs"))) << json.dump(2);
  }
}

TEST_P(ExploredProgram, GivesWhatIsExpectedWhenResetInMemory) {
  const auto expectations = expectations_of(GetParam());
  const Json by_odpor = explored({"--algorithm", "odpor"});
  expect(by_odpor, expectations);
  EXPECT_EQ(by_odpor["reset"], "memory");
  expect(explored({"--algorithm", "epor"}), expectations);
}

// The model does the same, operation by operation; what both find does not end the search.
TEST_P(ExploredProgram, HasAsManyTracesAsTheSameProgramAsAModel) {
  const std::string model =
      fmt::format("{}/{}.hm", HEDDLE_EXPLORED_MODELS, name_of_source(GetParam()));
  if (!fs::exists(model)) GTEST_SKIP() << "it has no such model";
  const std::uint64_t traces =
      traces_of_model({"--granularity", "access", "--out", folder_.path(), model});
  EXPECT_EQ(explored({"--keep-going", "--algorithm", "odpor"})["traces"], traces);
}

TEST_P(ExploredProgram, GivesTheSameWhenEveryExecutionIsAFork) {
  const auto expectations = expectations_of(GetParam());
  if (expectations.contains("traces") && std::getenv("HEDDLE_TEST_FULL") == nullptr) {
    GTEST_SKIP() << "only with HEDDLE_TEST_FULL";
  }
  const Json in_memory = explored({"--algorithm", "odpor"});
  const Json by_fork = explored({"--algorithm", "odpor", "--reset", "fork"});
  expect(by_fork, expectations);
  EXPECT_EQ(by_fork["reset"], "fork");
  EXPECT_EQ(by_fork["traces"], in_memory["traces"]);
  EXPECT_EQ(by_fork["transitions"], in_memory["transitions"]);
}

std::string program(const std::string& name) {
  return fmt::format("{}/{}", HEDDLE_EXPLORED_PROGRAMS, name);
}

Json explored_json(std::vector<std::string> words) {
  words.insert(words.begin(), "--json");
  return Json::parse(explore(words).output);
}

std::uint64_t peak_after(std::uint64_t executions) {
  const Json json = explored_json({"--max-executions", std::to_string(executions), "--algorithm",
                                   "odpor", "--", program("fib"), "6"});
  EXPECT_TRUE(json["findings"].empty()) << json.dump(2);
  EXPECT_GE(json["traces"], executions - 1);
  return json["peak_bytes"];
}

TEST(ExploredProgramMemory, DoesNotGrowOverAMillionExecutions) {
  if (std::getenv("HEDDLE_TEST_FULL") == nullptr) GTEST_SKIP() << "only with HEDDLE_TEST_FULL";
  const std::uint64_t before = peak_after(20'000);
  EXPECT_LE(peak_after(1'000'000), before + (std::uint64_t{1} << 20));
}

TEST(ExploredProgramThatHangs, IsGivenUpWithOneLine) {
  for (const char* reset : {"memory", "fork"}) {
    const SubprocessResult result =
        explore({"--step-time", "0.5", "--reset", reset, "--", program("special/hangs")});
    EXPECT_EQ(result.exit_status, 125) << result.output;
    EXPECT_THAT(result.errors, HasSubstr("without an operation that others see"));
    EXPECT_THAT(result.errors, HasSubstr(", now in run at hangs.c:1"));  // line 12 or 13
  }
}

TEST(ExploredProgramOutputs, AreListedWithHowManyExecutionsPrintedThem) {
  const Json json = explored_json({"--outputs", "--", program("outputs")});
  std::uint64_t executions = 0;
  for (const Json& output : json["outputs"]) {
    executions += output["executions"].get<std::uint64_t>();
    EXPECT_EQ(output["text"].get<std::string>().size(), std::string("thread 0\n").size() * 3);
  }
  EXPECT_EQ(executions, json["traces"]);
}

// So a finding of the search can be replayed on threads of the operating system.
TEST(ExploredProgramStacks, LieWhereThoseOfARecordedOneDo) {
  const TemporaryFolder folder;
  const Json json = explored_json({"--outputs", "--", program("special/stack_address")});
  const SubprocessResult recorded =
      run_subprocess({HEDDLE_PROGRAM, "record", "--out", folder.path(), "--",
                      program("special/stack_address")})
          .value();
  ASSERT_EQ(json["outputs"].size(), 1u) << json.dump(2);
  EXPECT_NE(recorded.output.find(json["outputs"][0]["text"].get<std::string>()), std::string::npos)
      << recorded.output << json.dump(2);
}

TEST(ExploredProgramNotes, TellOfThreadsThatNobodyJoins) {
  EXPECT_TRUE(explored_json({"--", program("fib")})["unjoined_threads"]);
  EXPECT_FALSE(explored_json({"--", program("ring")})["unjoined_threads"]);
}

TEST(ExploredProgramRace, NamesBothAccessesAlsoWhereTheyOverlapInPart) {
  const TemporaryFolder folder;
  const Json json = explored_json({"--out", folder.path(), "--", program("copies")});
  ASSERT_EQ(json["findings"].size(), 1u) << json.dump(2);
  ASSERT_EQ(json["findings"][0]["events"].size(), 2u) << json.dump(2);
  EXPECT_EQ(json["findings"][0]["events"][0]["thread"], "main.1");
  EXPECT_EQ(json["findings"][0]["events"][1]["thread"], "main.2");
}

// It is found before the later one happens, so that one has no value yet.
TEST(ExploredProgramRace, GivesTheEarlierWriteItsValueOnly) {
  const TemporaryFolder folder;
  const Json json = explored_json({"--out", folder.path(), "--", program("write_race")});
  ASSERT_EQ(json["findings"].size(), 1u) << json.dump(2);
  EXPECT_EQ(json["findings"][0]["events"][0]["operation"], "write x = 1") << json.dump(2);
  EXPECT_EQ(json["findings"][0]["events"][1]["operation"], "write x") << json.dump(2);
}

TEST(ExploredProgramFinding, IsWhereTheDebuggerStops) {
  const auto shell = [](const std::string& line) {
    return run_subprocess({"bash", "-c", line}).value();
  };
  if (shell("gdb -q -batch -ex run --args /bin/true 2>&1 | grep -q normally").exit_status != 0) {
    GTEST_SKIP() << "no gdb that can trace programs here";
  }
  const TemporaryFolder folder;
  explore({"--out", folder.path(), "--", program("write_race")});
  const SubprocessResult stopped =
      shell(fmt::format("printf 'print x\\nkill\\nquit\\n' | '{}' replay --gdb "
                        "'{}/finding-1.json' 2>&1",
                        HEDDLE_PROGRAM, folder.path()));
  EXPECT_THAT(stopped.output, HasSubstr("write_race.c:8"));
  EXPECT_THAT(stopped.output, HasSubstr("$1 = 1"));
}

TEST(ExploredProgramFinding, IsReplayedWithBothStacks) {
  const TemporaryFolder folder;
  explore({"--out", folder.path(), "--", program("write_race")});
  const SubprocessResult replayed =
      run_subprocess({HEDDLE_PROGRAM, "replay", folder.path() + "/finding-1.json"}).value();
  EXPECT_THAT(replayed.output, HasSubstr("\nmain.1: write x = 1\n  at run  write_race.c:8\n"));
  EXPECT_THAT(replayed.output, HasSubstr("\nmain.2: write x\n  at run  write_race.c:8\n"));
}

TEST(ExploredProgramReport, LeavesOutWhatOnlyOneThreadTouches) {
  const TemporaryFolder folder;
  const std::string text =
      explore({"--no-progress", "--out", folder.path(), "--", program("copies")}).output;
  EXPECT_THAT(text, HasSubstr("write shared"));
  EXPECT_THAT(text, HasSubstr("what only one thread touches is left out"));
  EXPECT_THAT(text, Not(HasSubstr("threads[")));  // main's own
}

TEST(ExploredProgramReport, SaysWhatWasNotSeenAlsoAsJson) {
  EXPECT_EQ(explored_json({"--", program("message_passing")})["not_seen"].size(), 1u);
  EXPECT_TRUE(explored_json({"--", program("ring")})["not_seen"].empty());
}

TEST(ExploredProgramReport, SaysWhatChancePromises) {
  const std::string text =
      explore({"--no-progress", "--random", "20", "--pct", "2", "--", program("ring")}).output;
  EXPECT_THAT(text, HasSubstr("pct: 20 executions"));
  EXPECT_THAT(text, HasSubstr("promise "));
}

TEST(ExploredProgramNondet, IsReplayedWithTheSameValues) {
  const TemporaryFolder folder;
  const SubprocessResult found =
      explore({"--nondet=-1..5", "--out", folder.path(), "--", program("nondet_finding")});
  EXPECT_EQ(found.exit_status, 42) << found.output << found.errors;
  const SubprocessResult replayed =
      run_subprocess({HEDDLE_PROGRAM, "replay", folder.path() + "/finding-1.json"}).value();
  EXPECT_EQ(replayed.exit_status, 0) << replayed.output << replayed.errors;
  EXPECT_NE(replayed.output.find("the same finding"), std::string::npos) << replayed.output;
}

TEST(ExploredProgramNondet, RefusesWhatIsNoRange) {
  for (const char* range : {"--nondet=3", "--nondet=5..1", "--nondet=0..70000"}) {
    EXPECT_EQ(explore({range, "--", program("nondet")}).exit_status, 64);
  }
}

TEST(ExploredProgramFiles, BeginWithTheSamePositionInEveryExecution) {
  const TemporaryFolder folder;
  const std::string input = folder.path() + "/input";
  std::ofstream(input) << "abc";
  const std::string command = fmt::format("'{}' explore --json -- '{}' < '{}'", HEDDLE_PROGRAM,
                                          program("special/reads_input"), input);
  const Json json = Json::parse(run_subprocess({"sh", "-c", command}).value().output);
  EXPECT_EQ(json["traces"], 2) << json.dump(2);
  EXPECT_EQ(json["reset"], "memory") << json.dump(2);
  EXPECT_TRUE(json["findings"].empty()) << json.dump(2);
}

INSTANTIATE_TEST_SUITE_P(Programs, ExploredProgram, testing::ValuesIn(sources()),
                         [](const auto& source) { return name_of_source(source.param); });

}  // namespace
}  // namespace heddle
