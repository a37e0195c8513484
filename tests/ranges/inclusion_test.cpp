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

}  // namespace
}  // namespace heddle::ranges
