#include "cli/explore_program.h"

#include <algorithm>
#include <chrono>
#include <cstring>

#include <sys/resource.h>

#include <nlohmann/json.hpp>

#include "cli/output.h"
#include "record/search.h"

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

struct ProgramReport {
  const ExploreProgramOptions& options;
  const Strategy& strategy;
  SearchResult result;
  ExploreCounters counters;
  double seconds = 0;
  std::uint64_t peak_bytes = 0;

  bool complete() const {
    return result.end == "finished" && counters.cut == 0 && strategy.limit(counters).empty();
  }
};

ExploreCounters counters_of(const SearchResult& result) {
  const auto get = [&](const char* name) {
    const auto found = result.counters.find(name);
    return found != result.counters.end() ? found->second : 0;
  };
  ExploreCounters counters;
  counters.traces = get("traces");
  counters.blocked = get("blocked");
  counters.cut = get("cut");
  counters.spinning = get("spinning");
  counters.transitions = get("transitions");
  counters.race_checks = get("race_checks");
  counters.dependency_checks = get("dependency_checks");
  counters.unsatisfiable_systems = get("unsatisfiable_systems");
  counters.sections = get("sections");
  counters.refused = get("refused");
  counters.longest = get("longest");
  return counters;
}

wire::SearchSettings settings_of(const ExploreProgramOptions& options, const Strategy& strategy) {
  wire::SearchSettings settings;
  strategy.name().copy(settings.strategy, sizeof settings.strategy - 1);
  settings.executions = options.strategy.random.value_or(0);
  settings.seed = options.strategy.seed.value_or(0);
  settings.depth = options.strategy.pct.value_or(0);
  settings.max_preemptions = options.strategy.max_preemptions.value_or(0);
  settings.max_steps = options.max_steps;
  settings.max_executions = options.max_executions.value_or(0);
  settings.seconds = options.seconds.value_or(0);
  settings.keep_going = options.keep_going ? 1 : 0;
  settings.resets_by_fork = options.reset == "fork" ? 1 : 0;
  return settings;
}

// Of the program: its process was the only child.
std::uint64_t peak_bytes() {
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

std::string how_it_ended(const ProgramReport& report) {
  if (report.complete()) return "the search was complete";
  if (report.result.end == "time") return "the search ran out of time (--time)";
  if (report.result.end == "executions") return "the search was bounded by --max-executions";
  if (report.result.end == "found") {
    return "the search stopped at the first finding (--keep-going goes on)";
  }
  const std::string limit = report.strategy.limit(report.counters);
  if (report.counters.cut == 0) return fmt::format("the search was {}", limit);
  return fmt::format("the search was {}{}bounded by --max-steps", limit,
                     limit.empty() ? "" : ", and ");
}

void print_for_people(const ProgramReport& report) {
  for (const SearchWitness& witness : report.result.witnesses) {
    print("{}: {}\n", witness.kind, witness.message.substr(0, witness.message.find('\t')));
  }
  const ExploreCounters& counters = report.counters;
  print("searched  {}\n", fmt::join(report.options.command, " "));
  print("by        {}: {} {}, {} transitions, {:.3f} s\n", report.strategy.name(), counters.traces,
        report.strategy.unit(), counters.transitions, report.seconds);
  const std::size_t found = report.result.witnesses.size();
  print("result    {}; {}\n", found == 0 ? "nothing found" : fmt::format("{} findings", found),
        how_it_ended(report));
}

}  // namespace

ExitStatus explore_program(const ExploreProgramOptions& options, const Strategy& strategy) {
  const auto start = std::chrono::steady_clock::now();
  SearchOptions search{.launch = {.command = options.command},
                       .settings = settings_of(options, strategy)};
  const auto result = run_search(search);
  if (!result.ok()) return fail(ExitStatus::cannot_run, result.error());
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  ProgramReport report{options, strategy, *result, counters_of(*result), taken.count(),
                       peak_bytes()};
  if (!result->divergence.empty()) {
    return fail(ExitStatus::cannot_run,
                fmt::format("the program does not do the same again: {}", result->divergence));
  }
  print_for_people(report);
  if (!report.result.witnesses.empty()) return ExitStatus::found;
  return !report.complete() && options.require_complete ? ExitStatus::incomplete : ExitStatus::ok;
}

}  // namespace heddle
