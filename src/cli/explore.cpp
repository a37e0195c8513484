// heddle explore: every interleaving of a model, or of a compiled program, that matters, one
// per Mazurkiewicz trace.
#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>

#include <sys/resource.h>

#include "cli/commands.h"
#include "cli/explore_program.h"
#include "cli/explore_report.h"
#include "cli/explore_strategy.h"
#include "cli/model_options.h"
#include "cli/output.h"
#include "cli/program_words.h"
#include "cli/progress.h"
#include "explore/data_races.h"
#include "explore/findings.h"
#include "explore/listeners.h"
#include "explore/time_limit.h"
#include "finding/output_folder.h"
#include "model/interpreter.h"

namespace heddle {
namespace {

struct ExploreCommandOptions {
  std::vector<std::string> words;  // a model, or a program and its arguments
  ModelOptions model;
  ProgressOptions progress;
  StrategyOptions strategy;
  std::optional<double> seconds;
  std::optional<std::uint64_t> max_executions;
  std::string reset = "memory";
  std::optional<double> step_seconds;
  std::optional<std::string> nondet;
  bool outputs = false;
  std::size_t max_steps = ExploreOptions().max_steps;
  std::string out = "heddle-out";
  bool no_races = false;
  bool keep_going = false;
  bool require_complete = false;
  bool json = false;
};

std::uint64_t peak_bytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

// Races are asked for where a step is one access, and there is something plain to access.
bool looks_for_races(const ExploreCommandOptions& options, const model::Model& model) {
  const bool plain = std::any_of(
      model.variables.begin(), model.variables.end(),
      [](const model::Variable& variable) { return variable.shared() && !variable.atomic; });
  return plain && options.model.granularity == "access" && !options.no_races;
}

// Those who listen to the search, as far as they are wanted.
struct Listeners {
  Listeners(System& system, const model::Model& model, const ExploreCommandOptions& options)
      : collector(system, {.keep_going = options.keep_going}) {
    group.add(collector);
    if (looks_for_races(options, model)) group.add(races.emplace(system, collector));
    if (options.seconds) group.add(time_limit.emplace(deadline(*options.seconds)));
    if (options.progress.shows()) {
      group.add(estimate);
      group.add(progress.emplace(estimate));
    }
  }

  static std::chrono::steady_clock::time_point deadline(double seconds) {
    using Clock = std::chrono::steady_clock;
    const std::chrono::duration<double> wait(std::min(seconds, 1e9));
    return Clock::now() + std::chrono::duration_cast<Clock::duration>(wait);
  }

  ListenerGroup group;
  FindingCollector collector;
  TraceEstimate estimate;
  std::optional<DataRaceListener> races;
  std::optional<TimeLimit> time_limit;
  std::optional<ProgressLine> progress;
};

void search(System& system, Listeners& listeners, const ExploreCommandOptions& options,
            ExploreReport& report) {
  const auto start = std::chrono::steady_clock::now();
  const auto explorer =
      report.strategy.make(system, listeners.group, {.max_steps = options.max_steps});
  listeners.estimate.watch(*explorer);
  report.finished = explorer->run();
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  listeners.progress.reset();
  report.counters = explorer->counters();
  report.complete =
      report.finished && report.counters.cut == 0 && report.strategy.limit(report.counters).empty();
  report.out_of_time = listeners.time_limit && listeners.time_limit->is_over();
  report.seconds = taken.count();
}

// Replays what was found, each on a fresh interpreter, and writes it to files.
Result<void> report_findings(const std::vector<Witness>& witnesses, const std::string& folder,
                             ExploreReport& report) {
  std::vector<Finding> findings;
  for (const Witness& witness : witnesses) {
    model::Interpreter fresh(report.model);
    report.findings.push_back(make_finding(fresh, witness, report.subject, "explore"));
    findings.push_back(report.findings.back().finding);
  }
  TRY(report.files, write_findings(folder, findings));
  return {};
}

ExitStatus explore(const ExploreCommandOptions& options, const Strategy& strategy,
                   const model::Model& model) {
  model::Interpreter system(model, {.stop_spinning = strategy.stops_spinning()});
  Listeners listeners(system, model, options);
  ExploreReport report{
      .model = model, .subject = options.model.subject(model), .strategy = strategy};
  search(system, listeners, options, report);
  const auto written = report_findings(listeners.collector.witnesses(), options.out, report);
  if (!written.ok()) return fail(ExitStatus::output_failed, written.error());
  report.peak_bytes = peak_bytes();
  options.json ? print_json(report) : print_for_people(report);
  if (!report.findings.empty()) return ExitStatus::found;
  return !report.complete && options.require_complete ? ExitStatus::incomplete : ExitStatus::ok;
}

// What can be said only of a model, or only of a program.
Result<void> check_subject(const ExploreCommandOptions& options, bool program) {
  const bool of_model = !options.model.definitions.empty() || options.no_races ||
                        options.model.granularity != "statement";
  if (program && of_model) return make_error("-D, --granularity and --no-races are for models");
  if (options.reset != "memory" && options.reset != "fork") {
    return make_error("--reset is 'memory' or 'fork', not '{}'", options.reset);
  }
  const bool of_program = options.max_executions || options.reset != "memory" || options.nondet ||
                          options.outputs || options.step_seconds;
  if (!program && of_program) {
    return make_error(
        "--max-executions, --reset, --nondet, --outputs and --step-time are for programs");
  }
  return {};
}

ExitStatus explore_words(const ExploreCommandOptions& options, const Strategy& strategy) {
  const auto nondet = nondet_range_in(options.nondet.value_or(text_of(NondetRange())));
  if (!nondet.ok()) return fail(ExitStatus::usage, nondet.error());
  return explore_program({.command = options.words,
                          .strategy = options.strategy,
                          .progress = options.progress,
                          .seconds = options.seconds,
                          .max_executions = options.max_executions,
                          .max_steps = options.max_steps,
                          .out = options.out,
                          .reset = options.reset,
                          .step_seconds = options.step_seconds,
                          .nondet = *nondet,
                          .outputs = options.outputs,
                          .keep_going = options.keep_going,
                          .require_complete = options.require_complete,
                          .json = options.json},
                         strategy);
}

ExitStatus run(ExploreCommandOptions& options) {
  const bool program = is_program(options.words);
  const auto strategy = options.strategy.choose();
  if (!strategy.ok()) return fail(ExitStatus::usage, strategy.error());
  const auto fits = check_subject(options, program);
  if (!fits.ok()) return fail(ExitStatus::usage, fits.error());
  if (program) return explore_words(options, **strategy);
  options.model.file = options.words[0];
  return with_model(options.model,
                    [&](const model::Model& model) { return explore(options, **strategy, model); });
}

Action declare(CLI::App& app) {
  const auto options = std::make_shared<ExploreCommandOptions>();
  app.add_option("FILE", options->words,
                 "the model, a *.hm file ('-' is standard input); or, after --, a program built "
                 "with heddle-c++ and its arguments")
      ->required();
  options->model.declare_settings(app);
  options->strategy.declare(app);
  app.add_option("--max-steps", options->max_steps,
                 "end an execution after so many steps (default 10000; not within a section)");
  app.add_option("--time", options->seconds, "stop after so many seconds");
  app.add_option("--max-executions", options->max_executions,
                 "of a program: stop after so many executions");
  app.add_option("--reset", options->reset,
                 "of a program: how it is put back to its start, 'memory' or 'fork' (default "
                 "memory)");
  app.add_option("--nondet", options->nondet,
                 "of a program: the values that __VERIFIER_nondet_* chooses from (default 0..1)")
      ->type_name("LOW..HIGH");
  app.add_option("--step-time", options->step_seconds,
                 "of a program: give up when a step takes more seconds (default 30)");
  app.add_flag("--outputs", options->outputs,
               "of a program: list what executions print, each distinct output once");
  app.add_flag("--no-races", options->no_races,
               "report no data races (they are looked for with --granularity access)");
  app.add_option("--out", options->out, "the folder for findings (default heddle-out)")
      ->type_name("DIR");
  options->progress.declare(app);
  app.add_flag("--keep-going", options->keep_going, "collect all distinct findings");
  app.add_flag("--require-complete", options->require_complete,
               "exit with 5 if nothing was found but the search was cut short");
  app.add_flag("--json", options->json, "print one JSON object");
  return [options] { return run(*options); };
}

}  // namespace

constinit const Command kExploreCommand = {
    .name = "explore",
    .summary = "search all interleavings of a model or of a program",
    .help =
        "Visits at least one execution of every Mazurkiewicz trace: executions that differ only\n"
        "in the order of independent steps count as one. Finds failing assertions, values and\n"
        "indices out of range, misused locks, deadlocks and, with --granularity access, data\n"
        "races. A loop that only waits for another thread is left as soon as it goes round in\n"
        "vain; other loops end at --max-steps. docs/model-language.md describes the language.\n"
        "\n"
        "Where that takes too long, --max-preemptions searches what few preemptions can show, and\n"
        "--random, with or without --pct, takes samples; docs/exploration.md says when to use\n"
        "which.\n"
        "\n"
        "After --, a program that heddle-c++ or heddle-cc built, with its arguments: it runs "
        "again\n"
        "and again inside one process. Checked are assertions, crashes, the exit status,\n"
        "deadlocks, data races and the use of freed memory. docs/exploring-programs.md says what "
        "a\n"
        "step is, and what cannot be explored.\n"
        "\n"
        "Each finding is replayed before it is reported, and written to heddle-out/finding-1.json\n"
        "and so on; `heddle replay FILE` shows it again. Earlier findings of this command in that\n"
        "folder are replaced.\n"
        "\n"
        "Exit status: 0 nothing found, 42 something found, 5 nothing found but the search was cut\n"
        "short (with --require-complete), 64 wrong usage, 65 a wrong model, 74 a finding could\n"
        "not be written, 125 a program that cannot be explored.",
    .declare = declare,
};

}  // namespace heddle
