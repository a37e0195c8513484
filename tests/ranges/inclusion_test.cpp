// Fewer nodes and fewer switches, narrower intervals.
#include <cstdlib>

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

constexpr PropagateOptions kPublished{.lookahead = 1, .published = true};

// The smallest model, of statements like these, for which it is so: joined per step, as
// published, the TSG's intervals are wider than those of the CCFG, which has more of
// everything. The CCFG's steps end before what the last ones bring has come around.
TEST(Published, PropagationIsNotMonotoneInTheGraph) {
  const model::Model model = model_of(
      "int x = 0; int y = 0;\n"
      "thread a { int u = 0; u = x; }\n"
      "thread b { y = x; x = 1; x = y; x = 1; }\n");
  const auto program = make_program(model, 3);
  ASSERT_TRUE(program.ok());
  const Analysis ccfg = analyse(**program, GraphKind::ccfg, kPublished);
  const Analysis tsg = analyse(**program, GraphKind::tsg, kPublished);
  EXPECT_NE(first_wider(model, tsg, ccfg), "");
  EXPECT_EQ(
      first_wider(model, analyse(**program, GraphKind::tsg), analyse(**program, GraphKind::ccfg)),
      "");
}

// How often that happens. docs/ranges.md says what this prints.
TEST(Published, PropagationIsSeldomNotMonotoneInTheGraph) {
  const std::uint64_t models = std::getenv("HEDDLE_TEST_FULL") != nullptr ? 2000 : 200;
  int tsg_wider = 0, prime_wider = 0;
  for (std::uint64_t seed = 0; seed < models; ++seed) {
    const model::Model model = model_of(random_program({.threads = 2, .statements = 6}, seed));
    const auto program = make_program(model, 3);
    ASSERT_TRUE(program.ok());
    const Analysis ccfg = analyse(**program, GraphKind::ccfg, kPublished);
    const Analysis tsg = analyse(**program, GraphKind::tsg, kPublished);
    const Analysis prime = analyse(**program, GraphKind::tsg_prime, kPublished);
    tsg_wider += first_wider(model, tsg, ccfg).empty() ? 0 : 1;
    prime_wider += first_wider(model, prime, tsg).empty() ? 0 : 1;
  }
  fmt::print(
      "of {} random models, intervals are wider on TSG than on CCFG in {}, on TSG' than on TSG in "
      "{}\n",
      models, tsg_wider, prime_wider);
  EXPECT_GT(tsg_wider + prime_wider, 0);
}

}  // namespace
}  // namespace heddle::ranges
