// heddle hunt: from Lockset's warnings of some runs to races that happen.
#include "hybrid/hunt.h"

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>

#include "check/check.h"
#include "cli/check_report.h"
#include "cli/commands.h"
#include "cli/finding_title.h"
#include "cli/hunt_report.h"
#include "cli/model_options.h"
#include "cli/output.h"
#include "cli/program_finding.h"
#include "cli/program_words.h"
#include "explore/replay.h"
#include "finding/output_folder.h"
#include "hybrid/program_hunt.h"
#include "hybrid/questions.h"
#include "model/interpreter.h"
#include "report/run_columns.h"

namespace heddle {
namespace {

constexpr double kSecondsToShorten = 20;  // a race that was found

struct HuntCommandOptions {
  std::vector<std::string> words;  // a model, or a program and its arguments
  ModelOptions model;
  hybrid::HuntOptions hunt;
  std::string out = "heddle-out";
  bool no_hint = false;
  bool no_extension = false;
  bool no_chop = false;
  bool require_complete = false;
  bool json = false;
};

void print_finding(const ReplayedFinding& replayed) {
  const bool confirmed = replayed.finding.confirmed == Confirmation::replay;
  print_title(replayed.finding);
  print("{}\n\n", confirmed ? "confirmed by replay" : "NOT confirmed by replay");
  print_text(run_in_columns(replayed.run, {terminal_width(), colour_wanted()}));
  print("\n");
}

// Writes what was found to files, prints the report, and says how it went.
ExitStatus finish(const HuntCommandOptions& options, HuntOutcome& outcome) {
  auto written = write_findings(options.out, outcome.findings);
  if (!written.ok()) return fail(ExitStatus::output_failed, written.error());
  outcome.files = std::move(written).value();
  options.json ? print_json(outcome) : print_for_people(outcome);
  if (outcome.report.count(hybrid::Verdict::witness) > 0) return ExitStatus::found;
  const bool complete = outcome.report.count(hybrid::Verdict::open) == 0;
  return !complete && options.require_complete ? ExitStatus::incomplete : ExitStatus::ok;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

ExitStatus hunt_model(const HuntCommandOptions& options, const model::Model& model) {
  const auto start = std::chrono::steady_clock::now();
  const hybrid::HuntReport report = hybrid::hunt(model, options.hunt);
  HuntOutcome outcome{.subject = options.model.file,
                      .runs = options.hunt.runs,
                      .report = report,
                      .seconds = seconds_since(start)};
  std::vector<ReplayedFinding> replayed;
  for (const hybrid::WarningReport& warning : report.warnings) {
    if (!warning.witness) continue;
    model::Interpreter fresh(model);
    replayed.push_back(make_finding(fresh, *warning.witness, options.model.subject(model), "hunt"));
    outcome.findings.push_back(replayed.back().finding);
  }
  outcome.show = [&](std::size_t i) { print_finding(replayed[i]); };
  return finish(options, outcome);
}

// The races of a program, each run once more.
class ConfirmedRaces {
 public:
  explicit ConfirmedRaces(const HuntCommandOptions& options) : options_(options) {}

  // The sites of the race; nothing if it did not happen again.
  Result<std::vector<std::string>> add(const SearchWitness& witness) {
    TRY(ShownFinding shown, confirm(witness, {.command = options_.words,
                                              .out = options_.out,
                                              .number = races_.size() + 1,
                                              .found_by = "hunt"}));
    const std::vector<FindingEvent>& events = shown.finding.events;
    const bool confirmed = shown.finding.confirmed == Confirmation::replay;
    if (!confirmed || events.size() != 2) return std::vector<std::string>();
    std::vector<std::string> sites = {events[0].site, events[1].site};
    races_.emplace(hybrid::site_pair(sites[0], sites[1]), std::move(shown));
    return sites;
  }
  const ShownFinding& at(const std::vector<std::string>& sites) const {
    return races_.at(hybrid::site_pair(sites.front(), sites.back()));
  }

 private:
  const HuntCommandOptions& options_;
  std::map<hybrid::SitePair, ShownFinding> races_;
};

// A race as the search has left it, and as short as it goes, if prediction sees it in that run.
struct FoundRace {
  const ShownFinding& whole;
  std::optional<Reported> brief;

  const Finding& finding() const { return brief ? brief->finding : whole.finding; }
};

FoundRace make_short(const HuntCommandOptions& options, const ShownFinding& whole,
                     const SearchWitness& witness) {
  CheckOptions check{.command = options.words, .seconds = kSecondsToShorten, .found_by = "hunt"};
  check.predict.deadlocks = check.predict.atomicity = check.predict.nondeterminism = false;
  const std::vector<FindingEvent>& events = whole.finding.events;
  auto brief = report_race(check, witness, {events[0].site, events[1].site});
  return {whole, brief.ok() ? std::move(brief).value() : std::nullopt};
}

void print_finding(const FoundRace& race, std::size_t number, const std::string& file) {
  if (!race.brief) return print_finding(race.whole);
  Reported reported = *race.brief;
  reported.file = file;
  const auto* const program = std::get_if<ProgramSubject>(&reported.finding.subject);
  print_text(finding_in_words(reported, number, program ? program->source_folder : "",
                              {terminal_width(), colour_wanted()}));
}

ExitStatus hunt_program(const HuntCommandOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  ConfirmedRaces races(options);
  const std::string trace_path = options.out + "/hunt.heddle";
  const auto result = hybrid::hunt_program(
      {.command = options.words,
       .hunt = options.hunt,
       .trace_path = trace_path,
       .confirm = [&](const SearchWitness& witness) { return races.add(witness); }});
  std::error_code ignored;
  std::filesystem::remove(trace_path, ignored);
  if (!result.ok()) return fail(ExitStatus::cannot_run, result.error());
  HuntOutcome outcome{.subject = fmt::to_string(fmt::join(options.words, " ")),
                      .runs = options.hunt.runs,
                      .report = result->report,
                      .seconds = seconds_since(start)};
  std::vector<FoundRace> found;
  for (std::size_t i = 0; i < result->report.warnings.size(); ++i) {
    const hybrid::WarningReport& warning = result->report.warnings[i];
    if (warning.verdict != hybrid::Verdict::witness) continue;
    found.push_back(make_short(options, races.at(warning.sites), result->witnesses[i]));
    outcome.findings.push_back(found.back().finding());
  }
  outcome.show = [&](std::size_t i) { print_finding(found[i], i + 1, outcome.files[i]); };
  return finish(options, outcome);
}

// What only a model can be asked.
Result<void> check_program_options(const HuntCommandOptions& options) {
  const bool of_model = !options.model.definitions.empty() || options.hunt.bits > 0 ||
                        options.no_extension || options.no_chop;
  if (!of_model) return {};
  return make_error("-D, --bits, --no-extension and --no-chop are for models");
}

ExitStatus run(HuntCommandOptions& options) {
  options.hunt.hint = !options.no_hint;
  options.hunt.extend = !options.no_extension;
  options.hunt.chop = !options.no_chop;
  if (is_program(options.words)) {
    const auto fits = check_program_options(options);
    return fits.ok() ? hunt_program(options) : fail(ExitStatus::usage, fits.error());
  }
  options.model.file = options.words[0];
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
  app.add_option("FILE", options->words,
                 "the model, a *.hm file ('-' is standard input); or, after --, a program built "
                 "with heddle-c++ and its arguments")
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
        "Runs a model or a program a few times and looks for accesses to one variable that no\n"
        "lock has in common (Lockset). For each such warning it goes back to the state right\n"
        "before one of the two accesses, holds that thread there, and searches what the others\n"
        "can do, until one of them is in front of the other access: a race. Statements of a model\n"
        "are split into single accesses, as with --granularity access.\n"
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
        "written, 125 a program that cannot be run.",
    .declare = declare,
};

}  // namespace heddle
