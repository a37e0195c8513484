// Fewer nodes and fewer switches, narrower intervals.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.h"
#include "ranges/analysis.h"
#include "tests/model/support.h"
#include "tests/ranges/random_program.h"

namespace heddle::ranges {
namespace {

// Where the first is not within the second; empty: nowhere.
std::string first_wider(const model::Model& model, const Analysis& a, const Analysis& b) {
  for (const model::StateId state : indices(a.states)) {
    const StateRange& inner = a.states[state];
    const StateRange& outer = b.states[state];
    if (inner.reachable && !outer.reachable) return fmt::format("s{} is reachable", state.value());
    for (std::size_t i = 0; inner.reachable && i < inner.words.size(); ++i) {
      if (inner.words[i].within(outer.words[i])) continue;
      return fmt::format("s{}: word {} of {}: {}..{} is not within {}..{}", state.value(), i,
                         model.states.size(), inner.words[i].low, inner.words[i].high,
                         outer.words[i].low, outer.words[i].high);
    }
  }
  return "";
}

void check_inclusions(const std::string& text, model::Granularity granularity) {
  const model::Model model = model_of(text, {.granularity = granularity});
  const auto program = make_program(model, 3);
  RC_ASSERT(program.ok());
  const Analysis ccfg = analyse(**program, GraphKind::ccfg);
  const Analysis tsg = analyse(**program, GraphKind::tsg);
  const Analysis prime = analyse(**program, GraphKind::tsg_prime);
  const std::string first = first_wider(model, tsg, ccfg);
  if (!first.empty()) RC_FAIL(fmt::format("tsg in ccfg: {}\n{}", first, text));
  const std::string second = first_wider(model, prime, tsg);
  if (!second.empty()) RC_FAIL(fmt::format("tsg-prime in tsg: {}\n{}", second, text));
}

RC_GTEST_PROP(Inclusion, HoldsForTheCumulativeFixpoint, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  const std::uint32_t threads = 2 + random.below(3);
  const std::string text =
      random_program({.threads = threads, .statements = 12 / threads}, random.next());
  check_inclusions(text, random.chance(50) ? kAccess : model::Granularity::statement);
}

// Joined per step, as published, intervals on a smaller graph need not be narrower. The share
// of such models is recorded with the test's result.
TEST(Published, PropagationIsNotMonotoneInTheGraph) {
  const PropagateOptions published{.lookahead = 1, .published = true};
  int wider = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const model::Model model = model_of(random_program({.threads = 2, .statements = 6}, seed));
    const auto program = make_program(model, 3);
    ASSERT_TRUE(program.ok());
    const Analysis ccfg = analyse(**program, GraphKind::ccfg, published);
    const Analysis tsg = analyse(**program, GraphKind::tsg, published);
    const Analysis prime = analyse(**program, GraphKind::tsg_prime, published);
    const bool within =
        first_wider(model, tsg, ccfg).empty() && first_wider(model, prime, tsg).empty();
    wider += within ? 0 : 1;
  }
  RecordProperty("models_of_200_with_wider_intervals", wider);
  std::printf("wider intervals in %d of 200 models\n", wider);
  EXPECT_GT(wider, 0);
}

}  // namespace
}  // namespace heddle::ranges
