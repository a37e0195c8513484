// heddle hunt: from Lockset's warnings of some runs to races that happen.
#include "hybrid/hunt.h"

#include <chrono>
#include <memory>

#include "cli/commands.h"
#include "cli/hunt_report.h"
#include "cli/model_options.h"
#include "cli/output.h"
#include "finding/output_folder.h"
#include "model/interpreter.h"

namespace heddle {
namespace {

struct HuntCommandOptions {
  ModelOptions model;
  hybrid::HuntOptions hunt;
  std::string out = "heddle-out";
  bool no_hint = false;
  bool no_extension = false;
  bool no_chop = false;
  bool require_complete = false;
  bool json = false;
};

// Replays what was found, each on a fresh interpreter, and writes it to files.
Result<void> report_findings(const model::Model& model, const HuntCommandOptions& options,
                             HuntOutcome& outcome) {
  std::vector<Finding> findings;
  for (const hybrid::WarningReport& warning : outcome.report.warnings) {
    if (!warning.witness) continue;
    model::Interpreter fresh(model);
    outcome.findings.push_back(
        make_finding(fresh, *warning.witness, options.model.subject(model), "hunt"));
    findings.push_back(outcome.findings.back().finding);
  }
  TRY(outcome.files, write_findings(options.out, findings));
  return {};
}

ExitStatus hunt_model(const HuntCommandOptions& options, const model::Model& model) {
  const auto start = std::chrono::steady_clock::now();
  const hybrid::HuntReport report = hybrid::hunt(model, options.hunt);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  HuntOutcome outcome{.subject = options.model.file,
                      .runs = options.hunt.runs,
                      .report = report,
                      .seconds = taken.count()};
  const auto written = report_findings(model, options, outcome);
  if (!written.ok()) return fail(ExitStatus::output_failed, written.error());
  options.json ? print_json(outcome) : print_for_people(outcome);
  if (report.count(hybrid::Verdict::witness) > 0) return ExitStatus::found;
  const bool complete = report.count(hybrid::Verdict::open) == 0;
  return !complete && options.require_complete ? ExitStatus::incomplete : ExitStatus::ok;
}

ExitStatus run(HuntCommandOptions& options) {
  options.hunt.hint = !options.no_hint;
  options.hunt.extend = !options.no_extension;
  options.hunt.chop = !options.no_chop;
  options.model.granularity = "access";
  return with_model(options.model,
                    [&](const model::Model& model) { return hunt_model(options, model); });
}

void declare_search(CLI::App& app, HuntCommandOptions& options) {
  hybrid::HuntOptions& hunt = options.hunt;
  app.add_flag("--all-partners", hunt.all_partners,
               "try every pair of accesses that could race, with or without a warning");
  app.add_flag("--with-paused", hunt.with_paused,
               "let the paused thread go on in the search, like the others");
  app.add_flag("--no-hint", options.no_hint,
               "search all orders at once, without pushing the second thread ahead");
  app.add_flag("--no-extension", options.no_extension, "do not grow the prefix");
  app.add_flag("--no-chop", options.no_chop, "do not leave out what cannot matter");
  app.add_option("--bits", hunt.bits,
                 "search only values of so many bits, sign included (default: all)")
      ->check(CLI::Range(1, 64));
  app.add_option("--max-executions", hunt.max_executions,
                 "executions per warning, at most (default 100000)");
  app.add_option("--time", hunt.seconds, "seconds per warning, at most (default: no limit)")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--max-steps", hunt.max_steps,
                 "end a run or an execution after so many steps (default 10000)");
}

Action declare(CLI::App& app) {
  const auto options = std::make_shared<HuntCommandOptions>();
  app.add_option("FILE", options->model.file, "the model, a *.hm file ('-' is standard input)")
      ->required();
  options->model.declare_definitions(app);
  app.add_option("--runs", options->hunt.runs,
                 "runs to take warnings from: the first without needless switches, the others at "
                 "random (default 4)")
      ->check(CLI::PositiveNumber);
  app.add_option("--seed", options->hunt.seed, "of the first run (default 1)");
  declare_search(app, *options);
  app.add_option("--out", options->out, "the folder for findings (default heddle-out)")
      ->type_name("DIR");
  app.add_flag("--require-complete", options->require_complete,
               "exit with 5 if nothing was found but a warning stayed open");
  app.add_flag("--json", options->json, "print one JSON object");
  return [options] { return run(*options); };
}

}  // namespace

constinit const Command kHuntCommand = {
    .name = "hunt",
    .summary = "turn warnings about missing locks into races that happen",
    .help =
        "Runs a model a few times and looks for accesses to one variable that no lock has in\n"
        "common (Lockset). For each such warning it goes back to the state right before one of\n"
        "the two accesses, holds that thread there, and searches what the others can do, until\n"
        "one of them is in front of the other access: a race. Statements are split into single\n"
        "accesses, as with --granularity access.\n"
        "\n"
        "A warning is a race, with a schedule that was replayed; or spurious, if all that can\n"
        "happen from there was searched; or open, if the budget did not suffice. docs/hunting.md\n"
        "explains how it works and what it misses.\n"
        "\n"
        "Each race is written to heddle-out/finding-1.json and so on; `heddle replay FILE` shows\n"
        "it again. Earlier findings of this command in that folder are replaced.\n"
        "\n"
        "Exit status: 0 no race, 42 a race, 5 no race but a warning is open (with\n"
        "--require-complete), 64 wrong usage, 65 a wrong model, 74 a finding could not be\n"
        "written.",
    .declare = declare,
};

}  // namespace heddle
