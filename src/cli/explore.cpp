// heddle explore: every interleaving of a model that matters, one per Mazurkiewicz trace.
#include <chrono>
#include <memory>
#include <optional>

#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include "cli/commands.h"
#include "cli/explore_strategy.h"
#include "cli/model_options.h"
#include "cli/output.h"
#include "explore/findings.h"
#include "model/interpreter.h"

namespace heddle {
namespace {

struct ExploreCommandOptions {
  ModelOptions model;
  StrategyOptions strategy;
  std::optional<double> seconds;
  std::size_t max_steps = ExploreOptions().max_steps;
  bool keep_going = false;
  bool require_complete = false;
  bool json = false;
};

struct Outcome {
  ExploreCounters counters;
  bool finished = false;  // nobody stopped it
  bool complete = false;
  double seconds = 0;
  std::uint64_t peak_bytes = 0;
};

std::uint64_t peak_bytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

Outcome search(System& system, const Strategy& strategy, FindingCollector& collector,
               std::size_t max_steps) {
  const auto start = std::chrono::steady_clock::now();
  const auto explorer = strategy.make(system, collector, {.max_steps = max_steps});
  Outcome outcome;
  outcome.finished = explorer->run();
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  outcome.counters = explorer->counters();
  outcome.complete =
      outcome.finished && outcome.counters.cut == 0 && strategy.limit(outcome.counters).empty();
  outcome.seconds = taken.count();
  outcome.peak_bytes = peak_bytes();
  return outcome;
}

// The schedule as it happens, a line per step; a switch to another thread is marked.
std::vector<std::string> steps_of(const model::Model& model, const Finding& finding) {
  model::Interpreter system(model);
  std::vector<std::string> lines;
  ThreadId last = ThreadId::none();
  for (const Transition& transition : finding.schedule) {
    const std::string place = system.where_next(transition.thread);
    const char mark = last.valid() && last != transition.thread ? '>' : ' ';
    system.step(transition.thread, transition.choice);
    lines.push_back(fmt::format("{} {:<16} {:<40} {}", mark, system.thread_name(transition.thread),
                                system.describe_last_step(), place));
    last = transition.thread;
  }
  return lines;
}

std::string how_it_ended(const Strategy& strategy, const FindingCollector& collector,
                         const Outcome& outcome) {
  if (outcome.complete) return "the search was complete";
  if (collector.out_of_time()) return "the search ran out of time";
  if (!outcome.finished) return "the search stopped at the first finding (--keep-going goes on)";
  const std::string limit = strategy.limit(outcome.counters);
  if (outcome.counters.cut == 0) return fmt::format("the search was {}", limit);
  return fmt::format("the search was {}{}bounded by --max-steps", limit,
                     limit.empty() ? "" : ", and ");
}

void print_for_people(const model::Model& model, const Strategy& strategy,
                      const FindingCollector& collector, const Outcome& outcome) {
  for (const Finding& finding : collector.findings()) {
    print("{}: {}\n", coloured(Colour::red, name_of(finding.kind)), finding.message);
    for (const std::string& line : steps_of(model, finding)) print("  {}\n", line);
    print("\n");
  }
  const ExploreCounters& counters = outcome.counters;
  print("{}: {} {}, {} transitions, {:.3f} s\n", strategy.name(), counters.traces, strategy.unit(),
        counters.transitions, outcome.seconds);
  const std::string promise = strategy.promise(counters, model.threads.size());
  if (!promise.empty()) print("{}\n", promise);
  if (counters.blocked > 0) print("{} executions were begun in vain\n", counters.blocked);
  if (counters.cut > 0) print("{} executions were cut at --max-steps\n", counters.cut);
  const std::size_t found = collector.findings().size();
  print("{}; {}\n",
        found == 0 ? "nothing found" : fmt::format("{} finding{}", found, found == 1 ? "" : "s"),
        how_it_ended(strategy, collector, outcome));
}

nlohmann::ordered_json json_of(const model::Model& model, const Finding& finding) {
  nlohmann::ordered_json schedule = nlohmann::ordered_json::array();
  for (const Transition& transition : finding.schedule) {
    nlohmann::ordered_json step = {{"thread", model.threads[transition.thread].name}};
    if (transition.choice != 0) step["choice"] = transition.choice;
    schedule.push_back(std::move(step));
  }
  return {{"kind", name_of(finding.kind)}, {"message", finding.message}, {"schedule", schedule}};
}

void print_json(const model::Model& model, const Strategy& strategy,
                const FindingCollector& collector, const Outcome& outcome) {
  const ExploreCounters& counters = outcome.counters;
  nlohmann::ordered_json json;
  json["algorithm"] = strategy.name();
  json["traces"] = counters.traces;
  json["blocked"] = counters.blocked;
  json["cut"] = counters.cut;
  json["transitions"] = counters.transitions;
  json["race_checks"] = counters.race_checks;
  json["dependency_checks"] = counters.dependency_checks;
  json["unsatisfiable_systems"] = counters.unsatisfiable_systems;
  json["sections"] = counters.sections;
  strategy.add_to(json, counters, model.threads.size());
  json["findings"] = nlohmann::ordered_json::array();
  for (const Finding& finding : collector.findings()) {
    json["findings"].push_back(json_of(model, finding));
  }
  json["complete"] = outcome.complete;
  json["seconds"] = outcome.seconds;
  json["peak_bytes"] = outcome.peak_bytes;
  print("{}\n", json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

ExitStatus explore(const ExploreCommandOptions& options, const Strategy& strategy,
                   const model::Model& model) {
  model::Interpreter system(model);
  FindingCollector::Options collecting{.keep_going = options.keep_going, .deadline = std::nullopt};
  if (options.seconds) {
    collecting.deadline = std::chrono::steady_clock::now() +
                          std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                              std::chrono::duration<double>(*options.seconds));
  }
  FindingCollector collector(system, collecting);
  const Outcome outcome = search(system, strategy, collector, options.max_steps);
  options.json ? print_json(model, strategy, collector, outcome)
               : print_for_people(model, strategy, collector, outcome);
  if (!collector.findings().empty()) return ExitStatus::found;
  return !outcome.complete && options.require_complete ? ExitStatus::incomplete : ExitStatus::ok;
}

ExitStatus run(const ExploreCommandOptions& options) {
  const auto strategy = options.strategy.choose();
  if (!strategy.ok()) return fail(ExitStatus::usage, strategy.error());
  return with_model(options.model,
                    [&](const model::Model& model) { return explore(options, **strategy, model); });
}

Action declare(CLI::App& app) {
  const auto options = std::make_shared<ExploreCommandOptions>();
  options->model.declare(app);
  options->strategy.declare(app);
  app.add_option("--max-steps", options->max_steps,
                 "end an execution after so many steps (default 10000; not within a section)");
  app.add_option("--time", options->seconds, "stop after so many seconds");
  app.add_flag("--keep-going", options->keep_going, "collect all distinct findings");
  app.add_flag("--require-complete", options->require_complete,
               "exit with 5 if nothing was found but the search was cut short");
  app.add_flag("--json", options->json, "print one JSON object");
  return [options] { return run(*options); };
}

}  // namespace

constinit const Command kExploreCommand = {
    .name = "explore",
    .summary = "search all interleavings of a model",
    .help =
        "Visits at least one execution of every Mazurkiewicz trace: executions that differ only\n"
        "in the order of independent steps count as one. Finds failing assertions, values and\n"
        "indices out of range, misused locks, and deadlocks. Exit status 42 if something was\n"
        "found. A loop that waits for another thread is explored for every number of rounds, up\n"
        "to --max-steps; docs/model-language.md describes the language.\n\n"
        "Where that takes too long, --max-preemptions searches what few preemptions can show, and\n"
        "--random, with or without --pct, takes samples; docs/exploration.md says when to use\n"
        "which.",
    .declare = declare,
};

}  // namespace heddle
