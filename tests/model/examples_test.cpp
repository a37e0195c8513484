// The models that ship as examples do what their comments say.
#include <filesystem>

#include <gmock/gmock.h>

#include "tests/model/brute_force.h"
#include "tests/model/support.h"

namespace heddle {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;

struct Expectation {
  std::string file;
  bool deadlock = false;
  std::string failure = {};  // described; empty: none
  model::Granularity granularity = model::Granularity::statement;
};

void PrintTo(const Expectation& expectation, std::ostream* out) { *out << expectation.file; }

// All states, by their hashes: spin loops have infinitely many interleavings.
struct Reached {
  std::set<std::uint64_t> states;
  std::set<std::string> failures;
  bool deadlock = false;
};

void visit(model::Interpreter& interpreter, Reached& reached) {
  if (!reached.states.insert(interpreter.state_hash()).second) return;
  bool moved = false, waits = false;
  const std::size_t depth = interpreter.depth();
  for (const ThreadId thread : indices<ThreadId>(interpreter.thread_count())) {
    waits = waits || interpreter.readiness(thread) == Readiness::blocked;
    if (interpreter.readiness(thread) != Readiness::ready) continue;
    moved = true;
    const Failure failure = interpreter.step(thread, 0);
    if (failure == Failure::none) visit(interpreter, reached);
    if (failure != Failure::none && failure != Failure::assumption) {
      reached.failures.insert(interpreter.describe_last_step());
    }
    interpreter.rewind(depth);
  }
  reached.deadlock = reached.deadlock || (!moved && waits);
}

class Example : public testing::TestWithParam<Expectation> {};

TEST_P(Example, DoesWhatItsCommentSays) {
  const std::string path = std::string(HEDDLE_MODELS) + "/" + GetParam().file + ".hm";
  const auto model = model::load(path, {.granularity = GetParam().granularity});
  ASSERT_TRUE(model.ok()) << model.error().message;
  model::Interpreter interpreter(*model);
  Reached reached;
  visit(interpreter, reached);
  EXPECT_EQ(reached.deadlock, GetParam().deadlock);
  if (GetParam().failure.empty()) {
    EXPECT_THAT(reached.failures, IsEmpty());
  } else {
    EXPECT_THAT(reached.failures, Contains(GetParam().failure));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Shipped, Example,
    testing::Values(Expectation{"peterson"}, Expectation{"dekker"}, Expectation{"bakery"},
                    Expectation{"dining-philosophers"},
                    Expectation{"dining-philosophers-deadlock", true},
                    Expectation{"bounded-buffer"},
                    Expectation{"bounded-buffer-if", true, "count := -1 is outside 0..2"},
                    Expectation{"readers-writer-lock"}, Expectation{"semaphore-rwlock"},
                    Expectation{"lock-free-stack-aba", false,
                                "assertion taken[node] == 0 fails (taken[2] = 1, node = 2)"},
                    Expectation{"double-checked-locking", false,
                                "assertion value == 42 fails (value = 0)"},
                    Expectation{"double-checked-locking-right"}, Expectation{"barrier"},
                    Expectation{"bank-transfer"},
                    Expectation{"bank-transfer-broken", false,
                                "assertion first + second == 200 fails (first = 90, second = 100)"},
                    Expectation{"lost-update"},
                    Expectation{"lost-update", false, "assertion x == 2 fails (x = 1)", kAccess},
                    Expectation{"lost-wakeup", true}, Expectation{"fork-join"},
                    Expectation{"spin-lock"}, Expectation{"leader-election", true}));

TEST(Examples, CanAllBeSplitIntoAccesses) {
  for (const auto& entry : std::filesystem::directory_iterator(HEDDLE_MODELS)) {
    if (entry.path().extension() != ".hm") continue;
    const auto loaded = model::load(entry.path().string(), {.granularity = kAccess});
    EXPECT_TRUE(loaded.ok()) << loaded.error().message;
  }
}

}  // namespace
}  // namespace heddle
