#include "hybrid/suffix_search.h"

#include <algorithm>

#include "explore/data_races.h"
#include "explore/listeners.h"
#include "explore/strategies.h"
#include "explore/time_limit.h"

namespace heddle::hybrid {
namespace {

// Ends a search after so many executions.
class ExecutionLimit final : public ExplorationListener {
 public:
  explicit ExecutionLimit(std::uint64_t limit) : limit_(limit) {}

  bool on_execution(const Execution&) override { return ++count_ < limit_; }
  bool on_dropped(const Execution&) override { return ++count_ < limit_; }
  bool on_failure(const Execution&, Failure) override { return true; }
  std::uint64_t count() const { return count_; }

 private:
  std::uint64_t limit_;
  std::uint64_t count_ = 0;
};

// A search of all traces, or of those with few preemptions.
struct Level {
  std::uint32_t max_preemptions = 0;
  bool bounded = false;
  std::uint64_t executions = 0;  // at most
};

std::vector<Level> levels_of(const SuffixSearchOptions& options, const Budget& budget) {
  const Level all{.executions = budget.executions};
  if (!options.deepen) return {all};
  const std::uint64_t share = budget.executions / 8 + 1;
  return {{0, true, share}, {1, true, share}, {2, true, share}, all};
}

std::unique_ptr<Explorer> make_explorer(System& system, ExplorationListener& listener,
                                        const Level& level, std::size_t max_steps) {
  const ExploreOptions options{.max_steps = max_steps};
  if (!level.bounded) return make_odpor_explorer(system, listener, options);
  return make_preemptions_explorer(system, listener, options, level.max_preemptions);
}

struct LevelResult {
  bool complete = false;
  std::uint64_t executions = 0;
};

// One level, with a listener besides those who watch the budget.
LevelResult run_level(System& system, const Level& level, const SuffixSearchOptions& options,
                      Budget& budget, ExplorationListener* listener) {
  ExecutionLimit limit(std::min(level.executions, budget.executions));
  TimeLimit time(budget.deadline);
  ListenerGroup group;
  group.add(limit);
  group.add(time);
  if (listener != nullptr) group.add(*listener);
  const auto explorer = make_explorer(system, group, level, options.max_steps);
  LevelResult result;
  try {
    const bool finished = explorer->run();
    const ExploreCounters& counters = explorer->counters();
    result.complete = finished && counters.cut == 0 && counters.refused == 0;
  } catch (const Reached&) {
    // A state with the race; what is left of the search is not wanted.
  }
  system.rewind(0);
  result.executions = limit.count();
  budget.executions -= std::min(budget.executions, result.executions);
  return result;
}

// Hears of races, and stops the search at the wanted one.
class WantedRace final : public ExplorationListener {
 public:
  WantedRace(System& system, std::vector<std::string> sites)
      : collector_(system, {.keep_going = true}),
        races_(system, collector_),
        sites_(std::move(sites)) {
    std::sort(sites_.begin(), sites_.end());
  }

  bool on_execution(const Execution& execution) override {
    races_.on_execution(execution);
    return !found();
  }
  bool on_dropped(const Execution& execution) override {
    races_.on_dropped(execution);
    return !found();
  }
  bool on_failure(const Execution&, Failure) override { return true; }

  const Witness* found() const {
    for (const Witness& witness : collector_.witnesses()) {
      if (witness.sites == sites_) return &witness;
    }
    return nullptr;
  }

 private:
  FindingCollector collector_;
  DataRaceListener races_;
  std::vector<std::string> sites_;
};

}  // namespace

SuffixSearch search_suffix(System& system, const SuffixSettings& settings,
                           const SuffixSearchOptions& options, Budget& budget) {
  SuffixSystem suffix(system, settings);
  SuffixSearch result;
  for (const Level& level : levels_of(options, budget)) {
    if (budget.is_used_up()) break;
    const LevelResult done = run_level(suffix, level, options, budget, nullptr);
    result.executions += done.executions;
    result.reached = suffix.races().contains(settings.wanted_site);
    result.complete = done.complete && suffix.overflows() == 0;
    if (result.reached || done.complete) break;
  }
  result.overflows = suffix.overflows();
  result.races = suffix.races();
  return result;
}

SearchWithPaused search_with_paused(System& system, const SuffixSettings& settings,
                                    const std::string& paused_site,
                                    const SuffixSearchOptions& options, Budget& budget) {
  SuffixSystem suffix(system, settings);
  WantedRace wanted(suffix, {paused_site, settings.wanted_site});
  SearchWithPaused result;
  for (const Level& level : levels_of(options, budget)) {
    if (budget.is_used_up()) break;
    const LevelResult done = run_level(suffix, level, options, budget, &wanted);
    result.executions += done.executions;
    result.complete = done.complete && suffix.overflows() == 0;
    if (done.complete || wanted.found() != nullptr) break;
  }
  if (const Witness* witness = wanted.found()) {
    result.witness = *witness;
    for (Transition& step : result.witness->schedule) step.thread = suffix.inner(step.thread);
    for (ThreadId& thread : result.witness->racing) thread = suffix.inner(thread);
  }
  return result;
}

}  // namespace heddle::hybrid
