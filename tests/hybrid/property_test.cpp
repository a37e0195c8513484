// The search against brute force, on random models.
#include "hybrid/prefix.h"
#include "hybrid/suffix_search.h"
#include "tests/hybrid/handoff_model.h"
#include "tests/hybrid/support.h"
#include "tests/model/random_model.h"

namespace heddle::hybrid {
namespace {

// A run may spin for ever.
constexpr std::size_t kMaxSteps = 200;

model::Model any_model() {
  const RandomModelOptions options{.threads = *rc::gen::inRange(2u, 4u),
                                   .statements = *rc::gen::inRange(2u, 4u),
                                   .synchronisation = true,
                                   .failures = *rc::gen::arbitrary<bool>()};
  const auto seed = *rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>());
  const bool hands_over = *rc::gen::weightedElement<bool>({{3, true}, {1, false}});
  const std::string text =
      hands_over ? handoff_model(options.threads, seed) : random_model(options, seed);
  RC_LOG() << text;
  return access_model(text);
}

ObservedRun any_run(const model::Model& model) {
  model::Interpreter system(model);
  return observe(
      system,
      {.seed = *rc::gen::arbitrary<std::uint64_t>(), .switch_chance = 40, .max_steps = kMaxSteps});
}

// Follows the events of a prefix; false if one is not what it was in the run.
bool follow(model::Interpreter& system, const ObservedRun& run, const Prefix& prefix) {
  for (const std::size_t e : prefix.events) {
    const RunEvent& event = run.events[e];
    if (system.readiness(event.thread()) != Readiness::ready) return false;
    Operation operation;
    system.next_operation(event.thread(), operation);
    if (operation.accesses != event.accesses) return false;
    if (system.where_next(event.thread()) != run.site_of(e)) return false;
    if (system.step(event.thread(), event.transition.choice) != Failure::none) return false;
  }
  return true;
}

// What the search says about the pair, from where the system stands.
SuffixSearch search_from(model::Interpreter& system, const ObservedRun& run, const Pair& pair,
                         bool chops, bool deepens) {
  ChopQuestion question{{}, run.events[pair.first].thread(), pair.location};
  for (const ThreadId thread : indices(system.model().threads)) {
    question.controls.push_back(system.control(thread));
  }
  const Chop chop(system.model(), question);
  SuffixSettings settings{.paused = question.paused,
                          .first = run.events[pair.second].thread(),
                          .wanted_site = run.site_of(pair.second)};
  if (chops) settings.chop = &chop;
  settings.control = [&](ThreadId thread) { return system.control(thread); };
  Budget budget{.executions = 20'000};
  return search_suffix(system, settings, {.deepen = deepens, .max_steps = kMaxSteps}, budget);
}

RC_GTEST_PROP(HybridSearch, AGrownPrefixIsARunInWhichEveryThreadSeesTheSame, ()) {
  const model::Model model = any_model();
  const ObservedRun run = any_run(model);
  const RunFacts facts(run);
  for (const Pair& pair : all_pairs(facts, 2)) {
    const Prefix prefix = extended_prefix(run, pair);
    RC_ASSERT(prefix.events.size() == pair.first + prefix.extended_by);
    model::Interpreter system(model);
    RC_ASSERT(follow(system, run, prefix));
    RC_ASSERT(system.readiness(run.events[pair.first].thread()) == Readiness::ready);
    RC_ASSERT(system.where_next(run.events[pair.first].thread()) == run.site_of(pair.first));
  }
}

RC_GTEST_PROP(HybridSearch, TheVerdictOnAPairIsThatOfBruteForceFromItsState, ()) {
  const model::Model model = any_model();
  const ObservedRun run = any_run(model);
  const RunFacts facts(run);
  const bool chops = *rc::gen::arbitrary<bool>();
  const bool deepens = *rc::gen::arbitrary<bool>();
  const bool grows = *rc::gen::arbitrary<bool>();
  for (const Pair& pair : all_pairs(facts, 1)) {
    model::Interpreter system(model, {.stop_spinning = true});
    const Prefix prefix = grows ? extended_prefix(run, pair) : prefix_before(run, pair);
    system.notice_rounds_from(prefix.events.size());
    RC_ASSERT(follow(system, run, prefix));
    const SuffixSearch found = search_from(system, run, pair, chops, deepens);
    RC_ASSERT(system.depth() == prefix.events.size());

    model::Interpreter plain(model);
    follow(plain, run, prefix);
    const auto races = races_by_brute_force(plain, run.events[pair.first].thread());
    for (const auto& [site, race] : found.races) RC_ASSERT(races.contains(site));
    if (found.reached || found.complete) {
      RC_ASSERT(found.reached == races.contains(run.site_of(pair.second)));
    }
    RC_CLASSIFY(found.reached, "race");
    RC_CLASSIFY(found.complete && !found.reached, "no race");
  }
}

RC_GTEST_PROP(HybridSearch, WithThePausedThreadTheVerdictIsThatOfBruteForce, ()) {
  const model::Model model = any_model();
  const ObservedRun run = any_run(model);
  const RunFacts facts(run);
  const bool deepens = *rc::gen::arbitrary<bool>();
  for (const Pair& pair : all_pairs(facts, 1)) {
    model::Interpreter system(model, {.stop_spinning = true});
    const std::size_t outside = facts.outermost_acquire(pair.first);
    const Prefix prefix = prefix_before(run, {outside, pair.second, pair.location});
    system.notice_rounds_from(outside);
    RC_ASSERT(follow(system, run, prefix));
    const std::string paused_site = run.site_of(pair.first);
    const SuffixSettings settings{.paused = {},
                                  .first = run.events[pair.second].thread(),
                                  .wanted_site = run.site_of(pair.second)};
    Budget budget{.executions = 2'000};
    const SearchWithPaused found = search_with_paused(
        system, settings, paused_site, {.deepen = deepens, .max_steps = kMaxSteps}, budget);

    model::Interpreter plain(model);
    follow(plain, run, prefix);
    const auto races = all_races_by_brute_force(plain);
    const bool real = races.contains(site_pair(paused_site, settings.wanted_site));
    if (found.witness) RC_ASSERT(real);
    if (found.complete) RC_ASSERT(found.witness.has_value() == real);
  }
}

RC_GTEST_PROP(HybridSearch, EveryWitnessIsARace, ()) {
  const model::Model model = any_model();
  const HuntOptions options{.runs = 2,
                            .seed = *rc::gen::arbitrary<std::uint64_t>(),
                            .all_partners = *rc::gen::arbitrary<bool>(),
                            .with_paused = *rc::gen::weightedElement<bool>({{1, true}, {3, false}}),
                            .hint = *rc::gen::arbitrary<bool>(),
                            .max_executions = 300,
                            .max_steps = kMaxSteps};
  const HuntReport report = hunt(model, options);
  std::set<SitePair> races;
  model::Interpreter system(model);
  if (report.count(Verdict::witness) > 0) races = all_races_by_brute_force(system);
  for (const WarningReport& warning : report.warnings) {
    if (!warning.witness) continue;
    RC_ASSERT(races.contains(site_pair(warning.sites[0], warning.sites[1])));
    RC_ASSERT(races.contains(site_pair(warning.witness->sites[0], warning.witness->sites[1])));
    RC_ASSERT(site_pair(warning.sites[0], warning.sites[1]) ==
              site_pair(warning.witness->sites[0], warning.witness->sites[1]));
  }
}

}  // namespace
}  // namespace heddle::hybrid
