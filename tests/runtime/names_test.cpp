// What a recorded trace calls things: sites, stacks, variables, heap blocks, locks, threads.
#include <algorithm>
#include <filesystem>

#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "record/thread_names.h"
#include "tests/runtime/support.h"
#include "trace/open.h"

namespace heddle {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;

Trace recorded_trace(const std::string& path) {
  const auto source = open_trace(path);
  return *collect(**source);
}

std::vector<std::string> names_of(const Trace& trace, ObjectType type) {
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < trace.tables.object_count(type); ++i) {
    names.push_back(trace.tables.describe(type, i));
  }
  return names;
}

// "add(long*, long) named_things.cpp:25", innermost first.
std::vector<std::string> stack_of(const Trace& trace, EventId event) {
  const Tables& tables = trace.tables;
  std::vector<std::string> lines;
  for (SiteId site = trace.site(event); site.valid(); site = tables.sites[site].caller) {
    lines.push_back(
        fmt::format("{} {}", tables.strings[tables.sites[site].function], tables.describe(site)));
  }
  return lines;
}

// The first event of that kind about the object of that name.
EventId event_on(const Trace& trace, EventKind kind, const std::string& object) {
  for (const EventId e : trace.events()) {
    if (trace.kind(e) != kind) continue;
    if (trace.tables.describe(object_type(kind), trace.object(e)) == object) return e;
  }
  ADD_FAILURE() << "no " << name_of(kind) << " of " << object;
  return EventId(0);
}

class Names : public testing::Test {
 protected:
  Names() {
    EXPECT_EQ(record(program_under_test("named_things"), path_).exit_status, 0);
    trace_ = recorded_trace(path_);
  }
  TemporaryFolder folder_;
  std::string path_ = folder_.file("trace.heddle");
  Trace trace_;
};

TEST_F(Names, OfVariablesAndTheirPartsAreThoseOfTheSource) {
  EXPECT_THAT(names_of(trace_, ObjectType::location),
              IsSupersetOf({"total", "accounts[3].balance", "bank::fees"}));
}

TEST_F(Names, OfHeapBlocksSayWhoseTheyAreAndWhereTheyWereAllocated) {
  EXPECT_THAT(names_of(trace_, ObjectType::location),
              Contains("heap block #1 of main, allocated at named_things.cpp:48 +16"));
}

TEST_F(Names, OfLocalVariablesSayInWhichFunction) {
  EXPECT_THAT(names_of(trace_, ObjectType::location), Contains("on_stack in main"));
}

TEST_F(Names, OfSynchronisationObjectsAreThoseOfTheirVariables) {
  EXPECT_THAT(names_of(trace_, ObjectType::lock),
              IsSupersetOf({"accounts[3].mutex", "total_lock", "table_lock"}));
  EXPECT_THAT(names_of(trace_, ObjectType::condition), Contains("changed"));
  EXPECT_THAT(names_of(trace_, ObjectType::semaphore), Contains("tickets"));
}

TEST_F(Names, OfThreadsAreTheirFunctionsOrWhatTheProgramSays) {
  EXPECT_EQ(trace_.metadata.thread_name("main.1"), "clerk");
  EXPECT_EQ(trace_.metadata.thread_name("main.2"), "auditor");
  EXPECT_EQ(trace_.metadata.thread_name("main"), "");
}

TEST_F(Names, OfSitesAreLinesWithAllCallsInlinedOnesIncluded) {
  EXPECT_THAT(
      stack_of(trace_, event_on(trace_, EventKind::write, "total")),
      ElementsAre("add(long*, long) named_things.cpp:25", "deposit(int, long) named_things.cpp:31",
                  "clerk(void*) named_things.cpp:38"));
  EXPECT_THAT(
      stack_of(trace_, event_on(trace_, EventKind::write, "accounts[3].balance")),
      ElementsAre("deposit(int, long) named_things.cpp:29", "clerk(void*) named_things.cpp:38"));
}

TEST_F(Names, AreShownAsLinesOfTheProgramAndNotOfLibraries) {
  const auto shown = heddle({"trace", "show", path_, "--object", "accounts[3].mutex"});
  EXPECT_THAT(shown.output, HasSubstr("acquire accounts[3].mutex"));
  EXPECT_THAT(shown.output, HasSubstr("named_things.cpp:28\n"));
  EXPECT_THAT(shown.output, HasSubstr("main.1 (clerk)"));
  EXPECT_THAT(shown.output, Not(HasSubstr("std_mutex.h")));
  const auto stacks = heddle({"trace", "show", path_, "--object", "accounts[3].mutex", "--stacks"});
  EXPECT_THAT(stacks.output, HasSubstr("std_mutex.h"));
  EXPECT_THAT(stacks.output, HasSubstr("at deposit(int, long)  named_things.cpp:28\n"));
}

TEST_F(Names, DoNotDependOnTheFolderTheEnvironmentOrWhereModulesLie) {
  SubprocessOptions elsewhere;
  elsewhere.directory = folder_.path();
  elsewhere.environment = {"LARGE=" + std::string(3000, 'x')};
  const std::string other = folder_.file("other.heddle");
  record(program_under_test("named_things"), other, {"--randomise-addresses"}, elsewhere);
  EXPECT_TRUE(content_of(path_) == content_of(other)) << "the traces differ";
}

TEST_F(Names, SayThatFilesAreRelativeToTheFolderOfTheSources) {
  EXPECT_EQ(trace_.metadata.notes.at("sources"), HEDDLE_RUNTIME_SOURCES);
}

TEST_F(Names, OfAStrippedProgramAreMissedInOneLine) {
  const std::string stripped = folder_.file("stripped");
  ASSERT_EQ(run_subprocess({"strip", "-o", stripped, program_under_test("named_things")})
                .value()
                .exit_status,
            0);
  record(stripped, path_);
  EXPECT_THAT(note_of(path_, "not seen"),
              HasSubstr("'" + stripped +
                        "' has no debug information, so its lines and names are "
                        "unknown; compile it with -g"));
}

// What Clang and GCC make of the same program.
class NamesOnStacks : public testing::TestWithParam<std::string> {
 protected:
  NamesOnStacks() {
    EXPECT_EQ(record(program(), path_, {"--all"}).exit_status, 0);
    trace_ = recorded_trace(path_);
  }
  static std::string program() {
    return fmt::format("{}/{}/names_on_stacks", HEDDLE_RUNTIME_PROGRAMS, GetParam());
  }
  // The names of what lies in calls of the function.
  std::vector<std::string> names_in(const std::string& function) const {
    std::vector<std::string> names;
    for (const std::string& name : names_of(trace_, ObjectType::location)) {
      if (name.ends_with(" in " + function)) names.push_back(name);
    }
    return names;
  }
  TemporaryFolder folder_;
  std::string path_ = folder_.file("trace.heddle");
  Trace trace_;
};

INSTANTIATE_TEST_SUITE_P(Compilers, NamesOnStacks, testing::Values("programs", "programs_gcc"));

TEST_P(NamesOnStacks, AreThoseOfVariablesAndTheirPartsWithTheFunction) {
  EXPECT_THAT(names_of(trace_, ObjectType::location),
              IsSupersetOf({"counter in main", "accounts[3].balance in main", "ready in main",
                            "clerk.served in main", "customers in Clerk::serve",
                            "level in recursive", "inner in main::lambda of main.1"}));
}

TEST_P(NamesOnStacks, DoNotStickToAPlaceThatIsUsedAgain) {
  EXPECT_THAT(names_in("first_call"), Contains("first_value in first_call"));
  EXPECT_THAT(names_in("second_call"), Contains("second_value in second_call"));
  EXPECT_THAT(names_in("blocks"),
              IsSupersetOf({"in_first_block in blocks", "in_second_block in blocks"}));
  for (const EventId e : trace_.events()) {
    if (!is_access(trace_.kind(e))) continue;
    const std::string name = trace_.tables.describe(ObjectType::location, trace_.object(e));
    const std::string stack = fmt::format("{}", fmt::join(stack_of(trace_, e), "; "));
    for (const std::string function : {"first_call", "second_call", "blocks", "recursive"}) {
      if (!name.ends_with(" in " + function)) continue;
      EXPECT_THAT(stack, HasSubstr(function + "(")) << name;
    }
  }
}

TEST_P(NamesOnStacks, OfLocksAndConditionsAreThoseOfTheirVariables) {
  EXPECT_THAT(
      names_of(trace_, ObjectType::lock),
      IsSupersetOf({"mutex in main", "first_mutex in first_call", "second_mutex in second_call"}));
  EXPECT_THAT(names_of(trace_, ObjectType::condition), Contains("changed in main"));
}

TEST_P(NamesOnStacks, OfThreadLocalsSayWhoseTheyAre) {
  const auto names = names_of(trace_, ObjectType::location);
  EXPECT_THAT(names, Contains("own_total of main"));
  EXPECT_EQ(std::count_if(names.begin(), names.end(),
                          [](const auto& name) { return name.starts_with("own_total of main."); }),
            1);
}

TEST_P(NamesOnStacks, AreTheSameWhereverThingsLieAndWhenReplayed) {
  const std::string other = folder_.file("other.heddle");
  record(program(), other, {"--all", "--randomise-addresses"});
  EXPECT_TRUE(content_of(path_) == content_of(other)) << "the traces differ";
  EXPECT_EQ(heddle({"replay", path_}).exit_status, 0);
}

TEST(NamesInLibraries, AreFoundInThoseLoadedAtStartAndLater) {
  const TemporaryFolder folder;
  const std::string path = folder.file("trace.heddle");
  const std::string library = HEDDLE_RUNTIME_PROGRAMS "/library";
  heddle({"record", "--quiet", "--all", "--out", path, "--", library + "/main",
          library + "/libloaded.so"});
  const Trace trace = recorded_trace(path);
  EXPECT_THAT(names_of(trace, ObjectType::location), IsSupersetOf({"counter", "calls"}));
}

TEST(NamesInAProgramAtAFixedAddress, AreFoundToo) {
  const TemporaryFolder folder;
  const std::string path = folder.file("trace.heddle");
  record(HEDDLE_RUNTIME_PROGRAMS "/fixed/named_things", path);
  const Trace trace = recorded_trace(path);
  EXPECT_THAT(names_of(trace, ObjectType::location), Contains("total"));
  EXPECT_THAT(stack_of(trace, event_on(trace, EventKind::write, "total")).front(),
              "add(long*, long) named_things.cpp:25");
}

TEST(NamesOfFunctions, AreShownWithoutParameters) {
  EXPECT_EQ(name_without_parameters("consumer(int)"), "consumer");
  EXPECT_EQ(name_without_parameters("clerk"), "clerk");
  EXPECT_EQ(name_without_parameters("main::{lambda(int)#1}::operator()(int) const"),
            "main::{lambda(int)#1}");
  EXPECT_EQ(name_without_parameters("void run<void (*)(int)>(void (*)(int))"),
            "void run<void (*)(int)>");
}

}  // namespace
}  // namespace heddle
