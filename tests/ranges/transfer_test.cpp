// Transitions on intervals: the more there may be before, the more there may be behind.
#include "ranges/transfer.h"

#include <cstdlib>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.h"
#include "tests/model/random_model.h"
#include "tests/model/support.h"
#include "tests/ranges/random_program.h"

namespace heddle::ranges {
namespace {

int models_per_case() { return std::getenv("HEDDLE_TEST_FULL") != nullptr ? 10 : 1; }

Interval random_interval(Random& random) {
  const std::int64_t low = static_cast<std::int64_t>(random.below(9)) - 4;
  return {low, low + random.below(4)};
}

// Now and then nothing is known to be possible, or everything is.
Interval random_part(Random& random) {
  if (random.chance(3)) return Interval::none();
  return random.chance(3) ? Interval::full() : random_interval(random);
}

struct Nested {
  Environment inner;
  Environment outer;
};

Nested random_environments(const model::Model& model, ThreadId thread, Random& random) {
  Nested made{Environment::initial(model, thread), Environment::initial(model, thread)};
  for (std::uint32_t word = 0; word < model.layout.words; ++word) {
    const model::ModelThread& owner = model.threads[thread];
    const bool own = owner.first_word <= word && word < owner.end_word;
    if (!own && word >= model.layout.shared_words) continue;
    const Interval values = random_part(random);
    made.inner.set(word, values);
    made.outer.set(word, random.chance(50) ? values : model::join(values, random_interval(random)));
  }
  return made;
}

bool writes_within(const Write& inner, const Write& outer) {
  return inner.update == outer.update && outer.first_word <= inner.first_word &&
         inner.first_word + inner.length <= outer.first_word + outer.length &&
         inner.value.within(outer.value) && inner.certain >= outer.certain;
}

bool writes_within(const std::vector<Write>& inner, const std::vector<Write>& outer) {
  return std::all_of(inner.begin(), inner.end(), [&](const Write& write) {
    return std::any_of(outer.begin(), outer.end(),
                       [&](const Write& other) { return writes_within(write, other); });
  });
}

void check_transition(const model::Model& model, const model::Transition& transition,
                      Random& random) {
  auto [inner, outer] = random_environments(model, model.states[transition.source].thread, random);
  Outcome of_inner, of_outer;
  apply(model, transition, inner, of_inner);
  apply(model, transition, outer, of_outer);
  RC_ASSERT(inner.within(outer));
  RC_ASSERT(inner.empty() || writes_within(of_inner.writes, of_outer.writes));
  RC_ASSERT(of_outer.may_fail || !of_inner.may_fail);
  RC_ASSERT(of_inner.holds || !of_outer.holds);
}

RC_GTEST_PROP(Transitions, GrowWithWhatTheyAreGiven, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  for (int i = 0; i < models_per_case(); ++i) {
    const std::string text = random.chance(50) ? random_program({}, random.next())
                                               : random_model({.threads = 2}, random.next());
    const auto granularity = random.chance(50) ? kAccess : model::Granularity::statement;
    const model::Model model = model_of(text, {.granularity = granularity});
    for (const model::Transition& transition : model.transitions) {
      for (int round = 0; round < 10; ++round) check_transition(model, transition, random);
    }
  }
}

// A step that cannot but fail leads nowhere, and says so.
TEST(Transitions, LeadNowhereWhereTheyAreSureToFail) {
  for (const std::string value : {"1 / y", "1 % y", "a[y + 2]", "y == 0 && 1 / y > 0 ? 1 : 2"}) {
    const model::Model model = model_of("int x = 0; int y = 1; int a[2];\nthread t { x = " + value +
                                        "; }\nthread other { y = 0; }\n");
    Environment environment = Environment::initial(model, ThreadId(0));
    environment.set(word_named(model, "y"), Interval::of(0));
    Outcome outcome;
    apply(model, model.transitions_of(model.threads[ThreadId(0)].first).front(), environment,
          outcome);
    EXPECT_TRUE(environment.empty()) << value;
    EXPECT_TRUE(outcome.may_fail) << value;
  }
}

}  // namespace
}  // namespace heddle::ranges
