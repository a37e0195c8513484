// Ranges against brute force: every reachable value lies in its interval.
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.h"
#include "ranges/analysis.h"
#include "tests/model/random_model.h"
#include "tests/model/support.h"
#include "tests/ranges/random_program.h"
#include "tests/ranges/reachable.h"

namespace heddle::ranges {
namespace {

constexpr std::size_t kMostStates = 3000;

// Models per test case: few where all tests run, many where time does not matter.
bool tests_everything() { return std::getenv("HEDDLE_TEST_FULL") != nullptr; }
int models_per_case() { return tests_everything() ? 10 : 1; }
// Lookahead costs most with many threads.
std::uint32_t lookahead_or_less(std::uint32_t quick) { return tests_everything() ? 3 : quick; }

struct Variant {
  GraphKind kind;
  PropagateOptions options;
};

std::string name_of(const Variant& variant) {
  return fmt::format("{}, lookahead {}{}", ranges::name_of(variant.kind), variant.options.lookahead,
                     variant.options.published ? ", published" : "");
}

std::vector<Variant> all_variants(std::uint32_t most_lookahead) {
  std::vector<Variant> made;
  for (const GraphKind kind : kGraphKinds) {
    for (std::uint32_t lookahead = 1; lookahead <= most_lookahead; ++lookahead) {
      made.push_back({kind, {.lookahead = lookahead}});
    }
    made.push_back({kind, {.lookahead = 1, .published = true}});
  }
  return made;
}

void check_model(const std::string& text, std::uint32_t most_lookahead,
                 model::Granularity granularity) {
  const model::Model model = model_of(text, {.granularity = granularity});
  const auto program = make_program(model, 3);
  RC_ASSERT(program.ok());
  const std::vector<Variant> variants = all_variants(most_lookahead);
  std::vector<Analysis> analyses;
  for (const Variant& variant : variants) {
    analyses.push_back(analyse(**program, variant.kind, variant.options));
  }
  model::Interpreter interpreter(model);
  for_each_state(interpreter, kMostStates, [&] {
    for (std::size_t i = 0; i < variants.size(); ++i) {
      if (!analyses[i].complete) continue;
      const auto wrong = wrong_here(interpreter, analyses[i]);
      if (wrong) RC_FAIL(fmt::format("{}: {}\n{}", name_of(variants[i]), *wrong, text));
    }
  });
}

model::Granularity any_granularity(Random& random) {
  return random.chance(50) ? kAccess : model::Granularity::statement;
}

RC_GTEST_PROP(Ranges, HoldInEveryStateOfTwoThreads, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  for (int i = 0; i < models_per_case(); ++i) {
    const std::string text = random_program({.threads = 2, .statements = 6}, random.next());
    check_model(text, 3, any_granularity(random));
  }
}

RC_GTEST_PROP(Ranges, HoldInEveryStateOfThreeThreads, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  for (int i = 0; i < models_per_case(); ++i) {
    const std::string text = random_program({.threads = 3, .statements = 3}, random.next());
    check_model(text, lookahead_or_less(2), any_granularity(random));
  }
}

RC_GTEST_PROP(Ranges, HoldInEveryStateOfFourThreads, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  for (int i = 0; i < models_per_case(); ++i) {
    const std::string text = random_program({.threads = 4, .statements = 2}, random.next());
    check_model(text, lookahead_or_less(1), any_granularity(random));
  }
}

// Semaphores, conditions, tries, choices: whatever the language has.
RC_GTEST_PROP(Ranges, HoldInEveryStateOfAnyModel, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  for (int i = 0; i < models_per_case(); ++i) {
    const std::string text =
        random_model({.threads = 2 + random.below(2), .statements = 2}, random.next());
    check_model(text, 1, any_granularity(random));
  }
}

// The models that ship, whatever their loops do within the bound.
TEST(Ranges, HoldInTheExampleModels) {
  for (const auto& entry : std::filesystem::directory_iterator(HEDDLE_MODELS)) {
    if (entry.path().extension() != ".hm") continue;
    const auto model = model::load(entry.path().string());
    ASSERT_TRUE(model.ok());
    const auto program = make_program(*model, 8);
    ASSERT_TRUE(program.ok());
    for (const GraphKind kind : kGraphKinds) {
      const Analysis analysis = analyse(**program, kind);
      if (!analysis.complete) continue;
      model::Interpreter interpreter(*model);
      for_each_state(interpreter, 2000, [&] {
        ASSERT_EQ(wrong_here(interpreter, analysis).value_or(""), "")
            << entry.path() << " " << ranges::name_of(kind);
      });
    }
  }
}

// What a thread waited for before it forked another one, the other one knows.
TEST(Ranges, AreKnownToAForkedThreadAsToItsForker) {
  const model::Model model = model_of(
      "int ready = 0; int x = 0;\n"
      "thread setter { ready = 1; }\n"
      "thread forker { x = 5; assume(ready == 1); fork worker; }\n"
      "thread worker forked { assert(ready == 1 && x == 5); }\n");
  const auto program = make_program(model, 3);
  for (const GraphKind kind : kGraphKinds) {
    const Analysis analysis = analyse(**program, kind);
    ASSERT_EQ(analysis.assertions.size(), 1U);
    EXPECT_EQ(analysis.assertions.front().verdict, Verdict::proved) << ranges::name_of(kind);
  }
}

// Each worker of the indexer has a slot of its own, so that it never tries a second one, though
// the thread that forks them all hears what they write while it waits for them.
TEST(Ranges, ShowThatIndexersWithSlotsOfTheirOwnTryOnce) {
  const auto model = model::load(std::string(HEDDLE_MODELS) + "/tsg/index.hm");
  ASSERT_TRUE(model.ok());
  const auto program = make_program(*model, 3);
  for (const GraphKind kind : kGraphKinds) {
    EXPECT_EQ(analyse(**program, kind).unreachable.size(), 48U) << ranges::name_of(kind);
  }
}

// A model without a single variable has states all the same.
TEST(Ranges, ReachStatesWithoutVariables) {
  const model::Model model =
      model_of("lock l; thread a { lock(l); unlock(l); } thread b { lock(l); unlock(l); }");
  const auto program = make_program(model, 3);
  for (const GraphKind kind : kGraphKinds) {
    EXPECT_TRUE(analyse(**program, kind).unreachable.empty());
  }
}

}  // namespace
}  // namespace heddle::ranges
