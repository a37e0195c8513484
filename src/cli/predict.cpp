// heddle predict: what other interleavings of one run's events could have done.
#include <algorithm>
#include <chrono>
#include <memory>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/predict_report.h"
#include "cli/trace_input.h"
#include "finding/output_folder.h"
#include "predict/counting.h"
#include "predict/user_names.h"
#include "predict/witness.h"
#include "trace/open.h"

namespace heddle {
namespace {

using predict::PredictedFinding;

struct PredictCommandOptions {
  TraceInput input;
  predict::PredictOptions predict;
  std::string mode = "exact";
  bool no_final_reads = false;
  std::vector<std::string> questions;
  std::vector<std::string> deterministic;  // variables or functions; * is all
  std::string out = "heddle-out";
  bool require_complete = false;
  bool no_confirm = false;
  std::uint64_t confirm_others = 20;
  bool json = false;
};

Result<void> choose_questions(PredictCommandOptions& options) {
  if (options.questions.empty()) return {};
  predict::PredictOptions& chosen = options.predict;
  chosen.races = chosen.deadlocks = chosen.atomicity = chosen.nondeterminism = false;
  for (const std::string& word : options.questions) {
    if (word == "races") {
      chosen.races = true;
    } else if (word == "deadlocks") {
      chosen.deadlocks = true;
    } else if (word == "atomicity") {
      chosen.atomicity = true;
    } else if (word == "reads") {
      chosen.nondeterminism = true;
      chosen.most_reads = 0;
    } else {
      return make_error("unknown question '{}'; known are races, deadlocks, atomicity, reads",
                        word);
    }
  }
  return {};
}

// Of the findings that are information only, the first few are replayed, too.
std::size_t replayed_count(const PredictCommandOptions& options, const PredictReport& report,
                           std::size_t count) {
  if (options.no_confirm || report.facts.trace().metadata.command_line.empty()) return count;
  const std::size_t others = report.prediction.findings.size() - count;
  return count + std::min<std::size_t>(others, options.confirm_others);
}

// Makes the sequences that are printed or replayed.
void show_sequences(const PredictCommandOptions& options, PredictReport& report,
                    std::size_t count) {
  auto& findings = report.prediction.findings;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (i < count || options.json) show(report.facts, options.predict, findings[i]);
  }
}

Result<void> write_trace(const PredictReport& report, std::size_t i) {
  TRY(const auto sink, create_trace(witness_path(report.files[i])));
  return write_witness(report.facts.trace(), report.prediction.findings[i].shown, *sink);
}

// A finding file for each of the first ones, after a replay, and its schedule as a trace beside it.
Result<void> replay_and_write(const PredictCommandOptions& options, PredictReport& report,
                              std::size_t count) {
  std::vector<Finding> findings;
  for (std::size_t i = 0; i < count; ++i) {
    findings.push_back(make_finding(report.facts, report.prediction.findings[i]));
  }
  if (!options.no_confirm) report.replays = confirm(findings, options.input.path);
  report.replays.outcomes.resize(report.prediction.findings.size());
  TRY(report.files, write_findings(options.out, findings));
  for (std::size_t i = 0; i < count; ++i) TRY_VOID(write_trace(report, i));
  return {};
}

// A name that is not in the trace is probably a slip; then nothing would be said about it.
void warn_of_unknown_names(const PredictCommandOptions& options, const Tables& tables) {
  for (const std::string& name : options.predict.atomic_functions) {
    if (predict::has_function(tables, name)) continue;
    warn(fmt::format("--atomic {}: no event of the trace is in a function of that name", name));
  }
  for (const std::string& name : options.deterministic) {
    if (name == "*" || predict::has_variable(tables, name)) continue;
    if (predict::has_function(tables, name)) continue;
    warn(fmt::format("--deterministic={}: no variable or function in the trace has that name",
                     name));
  }
}

TraceCounts count_events(const Trace& trace) {
  TraceCounts counts;
  for (EventId e : trace.events()) counts.add(trace.record(e));
  return counts;
}

// A prediction that was replayed in vain does not count.
bool anything_found(const PredictReport& report, std::size_t count) {
  const auto& outcomes = report.replays.outcomes;
  return std::any_of(
      outcomes.begin(), outcomes.begin() + static_cast<std::ptrdiff_t>(count),
      [](const auto& outcome) { return !outcome || outcome->verdict == ReplayVerdict::confirmed; });
}

ExitStatus finish(const PredictCommandOptions& options, PredictReport& report) {
  auto& findings = report.prediction.findings;
  const auto found =
      std::stable_partition(findings.begin(), findings.end(), [&](const PredictedFinding& finding) {
        return predict::counts_as_found(report.facts, finding, options.deterministic);
      });
  report.counting = static_cast<std::size_t>(found - findings.begin());
  const std::size_t replayed = replayed_count(options, report, report.counting);
  show_sequences(options, report, replayed);
  const auto written = replay_and_write(options, report, replayed);
  if (!written.ok()) return fail(ExitStatus::output_failed, written.error());
  options.json ? print_json(report) : print_for_people(report);
  if (anything_found(report, report.counting)) return ExitStatus::found;
  const bool complete = report.prediction.undecided() + report.prediction.left_out() == 0;
  return !complete && options.require_complete ? ExitStatus::incomplete : ExitStatus::ok;
}

ExitStatus run(PredictCommandOptions& options) {
  if (options.mode != "exact" && options.mode != "paper") {
    return fail(ExitStatus::usage,
                fmt::format("unknown mode '{}'; known are exact, paper", options.mode));
  }
  const predict::PredictOptions& exact = options.predict;
  const bool only_exact = !options.questions.empty() || !options.deterministic.empty() ||
                          !exact.atomic_functions.empty() || exact.values || exact.all;
  if (options.mode == "paper" && only_exact) {
    return fail(ExitStatus::usage,
                "paper mode counts the paper's witnesses of reads; --questions, --deterministic, "
                "--atomic, --values and --all are for exact mode");
  }
  const auto chosen = choose_questions(options);
  if (!chosen.ok()) return fail(ExitStatus::usage, chosen.error());
  options.predict.final_reads = !options.no_final_reads;
  auto opened = OpenedTrace::open(options.input);
  if (!opened.ok()) return fail(ExitStatus::bad_input, opened.error());
  const auto trace = opened->collect();
  if (!trace.ok()) return fail(ExitStatus::bad_input, trace.error());
  warn_of_unknown_names(options, trace->tables);
  const auto start = std::chrono::steady_clock::now();
  const Derived derived(*trace);
  const order::Facts facts(*trace, derived, options.predict.values);
  PredictReport report{facts, options.input.path, count_events(*trace), options.predict};
  if (options.mode == "paper") {
    report.paper = predict::run_paper_mode(facts, {.final_reads = options.predict.final_reads});
  } else {
    report.prediction = predict::predict(facts, options.predict);
  }
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return finish(options, report);
}

// Or a number below zero would become a very large one.
std::string not_negative(const std::string& number) {
  return number.starts_with('-') ? fmt::format("{} is less than 0", number) : std::string();
}

Action declare(CLI::App& app) {
  const auto options = std::make_shared<PredictCommandOptions>();
  options->input.declare(app, "TRACE");
  app.add_option("--mode", options->mode,
                 "exact (default), or paper: nondeterministic reads as the NDET paper finds them");
  app.add_option("--questions", options->questions,
                 "only these, separated by commas: races, deadlocks, atomicity, reads")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_flag("--all", options->predict.all, "ask and list every pair of events by itself");
  app.add_flag("--values", options->predict.values,
               "a read may see another write of the same value, where values were recorded");
  app.add_flag("--no-final-reads", options->no_final_reads,
               "ask nothing about the values that are left in the end");
  app.add_option("--atomic", options->predict.atomic_functions,
                 "a function whose calls have to be atomic; may be given several times")
      ->type_name("FUNCTION")
      ->allow_extra_args(false);
  app.add_flag("--deterministic{*}", options->deterministic,
               "nondeterministic reads count as found; with =NAME those of a variable or in a "
               "function")
      ->disable_flag_override(false);
  app.add_option("--budget", options->predict.budget.steps,
                 "steps that the search for one answer may take (default 20000)")
      ->check(not_negative)
      ->type_name("N");
  app.add_option("--out", options->out, "the folder for findings (default heddle-out)")
      ->type_name("DIR");
  app.add_flag("--no-confirm", options->no_confirm, "do not replay findings on the program");
  app.add_option("--confirm-others", options->confirm_others,
                 "replay so many of the findings that are information only, too (default 20)")
      ->check(not_negative)
      ->type_name("N");
  app.add_flag("--require-complete", options->require_complete,
               "exit with 5 if nothing was found but something was left undecided");
  app.add_flag("--json", options->json, "print one JSON object");
  return [options] { return run(*options); };
}

}  // namespace

constinit const Command kPredictCommand = {
    .name = "predict",
    .summary = "say what else a recorded run could have done",
    .help =
        "Looks at the events of one run and says which reads could have seen another write, which\n"
        "accesses race, which locks can end in a deadlock and which locked scopes can be broken,\n"
        "in any other interleaving of the same events (docs/semantics.md). Critical sections are\n"
        "swapped where that is possible. Nothing is guessed: each finding has a sequence of "
        "events\n"
        "that shows it, and what could not be settled within --budget is counted as undecided.\n"
        "\n"
        "Races and deadlocks count as found. Nondeterministic reads and broken scopes are\n"
        "information, unless --deterministic or --atomic asks for the property. What was found\n"
        "is written to heddle-out/finding-1.json and so on, and its schedule to the trace\n"
        "heddle-out/finding-1.heddle; `heddle trace show` prints it in columns. Earlier findings\n"
        "of this command in that folder are replaced. docs/prediction.md says how it works.\n"
        "\n"
        "A finding in a recorded run is confirmed by running its schedule on the program, until\n"
        "the predicted thing happens there (--no-confirm leaves that out); what a replay does not\n"
        "show does not count. The program then goes on to its end, and where it prints something\n"
        "else or ends in another way than the recorded run, that is said, too. `heddle replay\n"
        "heddle-out/finding-1.json` shows it again.\n"
        "\n"
        "Exit status: 0 nothing found, 42 something found, 5 nothing found but something left\n"
        "undecided or left out (with --require-complete), 64 wrong usage, 65 a bad trace, 74 a\n"
        "finding could not be written.",
    .declare = declare,
};

}  // namespace heddle
