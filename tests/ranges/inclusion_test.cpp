// Fewer nodes and fewer switches, narrower intervals.
#include <cstdlib>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.h"
#include "ranges/analysis.h"
#include "tests/model/random_model.h"
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

// Empty: all is well.
std::string broken_inclusion(const std::string& text, model::Granularity granularity) {
  const model::Model model = model_of(text, {.granularity = granularity});
  const auto program = make_program(model, 3);
  if (!program.ok()) return program.error().message;
  const Analysis ccfg = analyse(**program, GraphKind::ccfg);
  const Analysis tsg = analyse(**program, GraphKind::tsg);
  const Analysis prime = analyse(**program, GraphKind::tsg_prime);
  const std::string first = first_wider(model, tsg, ccfg);
  if (!first.empty()) return fmt::format("tsg in ccfg: {}\n{}", first, text);
  const std::string second = first_wider(model, prime, tsg);
  if (!second.empty()) return fmt::format("tsg-prime in tsg: {}\n{}", second, text);
  return {};
}

int models_per_case() { return std::getenv("HEDDLE_TEST_FULL") != nullptr ? 10 : 2; }

void check_inclusion(const std::string& text, Random& random) {
  const auto granularity = random.chance(50) ? kAccess : model::Granularity::statement;
  const std::string broken = broken_inclusion(text, granularity);
  if (!broken.empty()) RC_FAIL(broken);
}

RC_GTEST_PROP(Inclusion, HoldsForAllProgramsOfTwoToFourThreads, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  for (int i = 0; i < models_per_case(); ++i) {
    const std::uint32_t threads = 2 + random.below(3);
    check_inclusion(random_program({.threads = threads, .statements = 12 / threads}, random.next()),
                    random);
  }
}

// Semaphores, conditions, tries, choices, forks: whatever the language has.
RC_GTEST_PROP(Inclusion, HoldsForAnyModel, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  for (int i = 0; i < models_per_case(); ++i) {
    check_inclusion(random_model({.threads = 2 + random.below(3)}, random.next()), random);
  }
}

// What comes late to where ways meet must not go on from there early, with what another
// way brings at its own time. On the TSG the choice's second way has no node before it meets the
// first one; what t0 reads there when t1 is over would be heard by t1 at its beginning.
TEST(Inclusion, HoldsWhereWaysMeetAtDifferentTimes) {
  const std::string text =
      "int x = 0; int y = 0;\n"
      "thread t0 { int v = 0; int c = 0; v = x; choose { y = 0; c = y; } or { } y = v; }\n"
      "thread t1 { int u = 0; u = y; x = 5; }\n";
  EXPECT_EQ(broken_inclusion(text, kAccess), "");
  EXPECT_EQ(broken_inclusion(text, model::Granularity::statement), "");
}

// What is written on one way is not written on the other. On the TSG one transaction has both;
// t1 must not hear from the first way that a is 4 as if t0 had written that.
TEST(Inclusion, HoldsWhereOnlyOneWayWrites) {
  const std::string text =
      "int x = 0; int a = 4;\n"
      "thread t0 { choose { assume(false); } or { x = 0; a = 0; } }\n"
      "thread t1 { int u = 0; a = 2; u = a; }\n";
  EXPECT_EQ(broken_inclusion(text, kAccess), "");
  EXPECT_EQ(broken_inclusion(text, model::Granularity::statement), "");
}

// On the CCFG the condition's second part begins at a node of its own, so that two walks come to
// where both parts meet; on the TSG one does.
TEST(Inclusion, HoldsWhereWalksFromSeveralNodesMeet) {
  const std::string text =
      "int x = 1; int y = 2; int a[2] = {3, 4}; lock n;\n"
      "thread t0 { int u = 0; int v = 0; a[1] = x - 1; lock(n); y = u * v; unlock(n); }\n"
      "thread t1 { int u = 1; int v = 0;\n"
      "  a[1] = v;\n"
      "  lock(n);\n"
      "  if (y < u || !(x == 1)) { u = x - 2; x = u < a[u % 2 == 0 ? 0 : 1] ? v : 0; }\n"
      "  else { v = v + x; }\n"
      "  v = y - u;\n"
      "  unlock(n);\n"
      "}\n"
      "thread t2 { int u = 2; a[0] = u + a[u % 2 == 0 ? 0 : 1]; u = y - 2; }\n"
      "thread t3 { int u = 3; a[1] = a[1] - u; }\n";
  EXPECT_EQ(broken_inclusion(text, kAccess), "");
}

// What t0 writes is what t1 has written before, so nothing in t0's intervals tells that it was
// written once more; others have to hear of it all the same.
TEST(Inclusion, HoldsWhereAThreadWritesWhatItKnows) {
  const std::string text =
      "int x = 1; int y = 2; int a[2] = {3, 4}; lock l; lock m;\n"
      "thread t0 { int u = 0; int v = 0;\n"
      "  lock(l); y = u; lock(m); x = 0;\n"
      "  if (a[0] < 1) { a[u % 2 == 0 ? 0 : 1] = v % -3; }\n"
      "  unlock(m); unlock(l);\n"
      "}\n"
      "thread t1 { int u = 1; int v = 0;\n"
      "  lock(l); a[0] = v * 2; for (i0 : 0..1) { y = x; } x = a[0]; unlock(l);\n"
      "}\n"
      "thread t2 { assert(a[0] == y); y = a[1]; assert(y == 0); }\n"
      "thread t3 { int u = 3; lock(m); u = 1; unlock(m); }\n";
  EXPECT_EQ(broken_inclusion(text, model::Granularity::statement), "");
}

// What a thread writes on a long transaction is news when the transaction ends, not before.
TEST(Inclusion, HoldsWhereWritesTakeTime) {
  const std::string text =
      "int x = 1; int y = 2; int[-8..8] z = 0; int a[2] = {3, 4}; lock l; lock m; lock n;\n"
      "thread t0 {\n"
      "int u = 0; int v = 0;\n"
      "u = v + a[0];\n"
      "lock(m);\n"
      "a[0] = u * 2;\n"
      "lock(n);\n"
      "atomic { x = u; y = u / 2; }\n"
      "unlock(n);\n"
      "v = v + y;\n"
      "unlock(m);\n"
      "}\n"
      "thread t1 {\n"
      "int u = 1; int v = 0;\n"
      "u = v / 3;\n"
      "u = u + a[0];\n"
      "lock(l);\n"
      "a[u % 2 == 0 ? 0 : 1] = u * v;\n"
      "x = 5;\n"
      "unlock(l);\n"
      "lock(n);\n"
      "lock(m);\n"
      "a[0] = y - u;\n"
      "a[0] = u + a[u % 2 == 0 ? 0 : 1];\n"
      "unlock(m);\n"
      "lock(l);\n"
      "a[u % 2 == 0 ? 0 : 1] = a[0] - 2;\n"
      "y = v * v;\n"
      "unlock(l);\n"
      "if (x - v >= 1) {\n"
      "lock(l);\n"
      "y = a[0] - u;\n"
      "v = v * 2;\n"
      "unlock(l);\n"
      "}\n"
      "unlock(n);\n"
      "}\n";
  EXPECT_EQ(broken_inclusion(text, model::Granularity::statement), "");
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
