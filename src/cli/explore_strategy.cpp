#include "cli/explore_strategy.h"

#include <vector>

#include "base/nearest.h"
#include "explore/algorithms.h"
#include "explore/strategies.h"

namespace heddle {
namespace {

class EveryTrace final : public Strategy {
 public:
  explicit EveryTrace(const Algorithm& algorithm) : algorithm_(algorithm) {}

  std::string_view name() const override { return algorithm_.name; }
  std::string_view unit() const override { return "trace"; }
  std::unique_ptr<Explorer> make(System& system, ExplorationListener& listener,
                                 const ExploreOptions& options) const override {
    return algorithm_.make(system, listener, options);
  }
  std::string limit(const ExploreCounters&) const override { return {}; }
  void add_to(nlohmann::ordered_json&, const ExploreCounters&, std::size_t) const override {}

 private:
  const Algorithm& algorithm_;
};

class BoundedPreemptions final : public Strategy {
 public:
  explicit BoundedPreemptions(std::uint32_t bound) : bound_(bound) {}

  std::string_view name() const override { return "preemptions"; }
  std::unique_ptr<Explorer> make(System& system, ExplorationListener& listener,
                                 const ExploreOptions& options) const override {
    return make_preemptions_explorer(system, listener, options, bound_);
  }
  std::string limit(const ExploreCounters& counters) const override {
    return counters.refused == 0 ? "" : fmt::format("bounded by --max-preemptions {}", bound_);
  }
  std::string promise(const ExploreCounters& counters, std::size_t) const override {
    if (counters.refused == 0) return "no preemption was refused";
    return fmt::format("{} preemption{} refused", counters.refused,
                       counters.refused == 1 ? " was" : "s were");
  }
  void add_to(nlohmann::ordered_json& json, const ExploreCounters& counters,
              std::size_t) const override {
    json["max_preemptions"] = bound_;
    json["preemptions_refused"] = counters.refused;
  }

 private:
  std::uint32_t bound_;
};

class RandomExecutions : public Strategy {
 public:
  explicit RandomExecutions(const RandomOptions& random) : random_(random) {}

  std::string_view name() const override { return "random"; }
  bool stops_spinning() const override { return false; }
  std::unique_ptr<Explorer> make(System& system, ExplorationListener& listener,
                                 const ExploreOptions& options) const override {
    return make_random_explorer(system, listener, options, random_);
  }
  std::string limit(const ExploreCounters&) const override {
    return fmt::format("left to chance (--random {} --seed {})", random_.executions, random_.seed);
  }
  void add_to(nlohmann::ordered_json& json, const ExploreCounters& counters,
              std::size_t) const override {
    json["random"] = random_.executions;
    json["seed"] = random_.seed;
    json["longest"] = counters.longest;
  }

 protected:
  const RandomOptions& random() const { return random_; }

 private:
  RandomOptions random_;
};

class RandomPriorities final : public RandomExecutions {
 public:
  RandomPriorities(const RandomOptions& random, std::uint32_t depth)
      : RandomExecutions(random), depth_(depth) {}

  std::string_view name() const override { return "pct"; }
  std::unique_ptr<Explorer> make(System& system, ExplorationListener& listener,
                                 const ExploreOptions& options) const override {
    return make_pct_explorer(system, listener, options, random(), depth_);
  }
  std::string promise(const ExploreCounters& counters, std::size_t threads) const override {
    return fmt::format(
        "an execution shows a bug of depth {} with probability {:.3g} at least"
        " ({} threads, {} steps)",
        depth_, pct_bound(threads, counters.longest, depth_), threads, counters.longest);
  }
  void add_to(nlohmann::ordered_json& json, const ExploreCounters& counters,
              std::size_t threads) const override {
    RandomExecutions::add_to(json, counters, threads);
    json["pct"] = depth_;
    json["probability"] = pct_bound(threads, counters.longest, depth_);
  }

 private:
  std::uint32_t depth_;
};

Result<std::unique_ptr<Strategy>> every_trace(const std::string& name) {
  if (const Algorithm* algorithm = algorithm_named(name); algorithm != nullptr) {
    return {std::make_unique<EveryTrace>(*algorithm)};
  }
  std::vector<std::string> names;
  for (const Algorithm& known : kAlgorithms) names.emplace_back(known.name);
  const auto suggestion = nearest(name, names);
  return make_error("unknown algorithm '{}'{}; known are {}", name,
                    suggestion ? fmt::format("; did you mean '{}'?", *suggestion) : "",
                    fmt::join(names, ", "));
}

}  // namespace

void StrategyOptions::declare(CLI::App& app) {
  app.add_option("--algorithm", algorithm, "brute, sdpor, odpor, epor or epor-sh (default epor)");
  app.add_option("--max-preemptions", max_preemptions,
                 "only traces with an execution of at most so many preemptions");
  app.add_option("--random", random, "so many random executions instead of a search");
  app.add_option("--seed", seed, "of --random: the same seed, the same executions (default 0)");
  app.add_option("--pct", pct,
                 "of --random: by random priorities, for bugs that need so many orderings");
}

Result<void> StrategyOptions::check() const {
  if (!random && pct) return make_error("--pct needs --random N, the number of executions");
  if (!random && seed) return make_error("--seed needs --random N: nothing else is random");
  if (random && max_preemptions) {
    return make_error("--random and --max-preemptions are two ways to search; leave one out");
  }
  if (algorithm && (random || max_preemptions)) {
    return make_error("--algorithm visits every trace and {} does not; leave one out",
                      random ? "--random" : "--max-preemptions");
  }
  if (random == 0u) return make_error("--random 0 would search nothing; say at least 1");
  if (pct == 0u) return make_error("--pct 0 would find nothing; a bug has at least depth 1");
  return {};
}

Result<std::unique_ptr<Strategy>> StrategyOptions::choose() const {
  TRY_VOID(check());
  if (max_preemptions) return {std::make_unique<BoundedPreemptions>(*max_preemptions)};
  if (!random) return every_trace(algorithm.value_or("epor"));
  const RandomOptions executions{.executions = *random, .seed = seed.value_or(0)};
  if (pct) return {std::make_unique<RandomPriorities>(executions, *pct)};
  return {std::make_unique<RandomExecutions>(executions)};
}

}  // namespace heddle
