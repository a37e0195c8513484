// Recording ends with a list of what was not seen. One test for each of its lines: a program
// that has it, and that others do not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/runtime/support.h"

namespace heddle {
namespace {

using testing::HasSubstr;

std::string unseen_in(const std::string& path) {
  const TemporaryFolder folder;
  const std::string trace = folder.file("trace.heddle");
  record(path, trace, {"--all"});
  return note_of(trace, "not seen");
}

struct Case {
  std::string program;
  std::string line;
};

const Case kCases[] = {
    {"unseen_weak_order",
     "weak memory orders: atomic operations were carried out as sequentially consistent"},
    {"timed_wait", "real time: waits with a deadline timed out when nothing else could happen"},
    {"unseen_quarantine",
     "addresses: so much memory was freed by threads other than its own that it was reused"},
    {"child_process", "a child process: it ran by itself"},
    {"unseen_spawn", "a child process: it ran by itself"},
    {"unseen_exec", "the program that the process became by exec: it ran by itself"},
    {"unseen_spawn", "calls that block outside the gate: when they return is not part of the seed"},
    {"signals", "signal handlers: they run when the signal comes, which is not part of the seed"},
    {"unseen_shared_memory",
     "other processes: they may write to the memory that the program shares with them"},
    {"unseen_shared_memory",
     "1 read of values that no event wrote, the first of mapped memory +20 at "
     "unseen_shared_memory.c:16: code that is not instrumented wrote them"},
    {"unseen_assembly",
     "1 read of values that no event wrote, the first of shared at unseen_assembly.c:9: code "
     "that is not instrumented wrote them"},
};

class Unseen : public testing::TestWithParam<Case> {};

TEST_P(Unseen, IsSaid) {
  EXPECT_THAT(unseen_in(program_under_test(GetParam().program)), HasSubstr(GetParam().line));
}

INSTANTIATE_TEST_SUITE_P(Things, Unseen, testing::ValuesIn(kCases));

TEST(UnseenThings, AreNoneInAProgramThatHasNone) {
  EXPECT_EQ(unseen_in(program_under_test("peterson")), "");
}

TEST(UnseenThings, IncludeTheCodeOfLibrariesThatAreNotInstrumented) {
  const std::string lines = unseen_in(HEDDLE_RUNTIME_PROGRAMS "/library/uses_foreign");
  EXPECT_THAT(lines, HasSubstr("the code of libforeign.so: it is not instrumented"));
  EXPECT_THAT(lines, HasSubstr("the first of filled at uses_foreign.c:9: "));
}

TEST(UnseenThings, AreListedAtTheEndOfRecording) {
  const TemporaryFolder folder;
  const auto result =
      heddle({"record", "--out", folder.path(), "--", program_under_test("unseen_weak_order")});
  EXPECT_THAT(result.errors, HasSubstr("heddle: not seen: weak memory orders: "));
}

}  // namespace
}  // namespace heddle
