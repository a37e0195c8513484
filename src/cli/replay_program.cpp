// heddle replay FINDING.json, found on a program: makes the predicted thing happen there.
#include <nlohmann/json.hpp>

#include "cli/finding_title.h"
#include "cli/output.h"
#include "cli/replay.h"
#include "cli/run_json.h"
#include "record/build.h"
#include "record/finding_run.h"
#include "report/run_columns.h"
#include "report/short_names.h"

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kShownSteps = 40;

struct Replayed {
  const Finding& finding;
  std::string program;
  bool program_changed;
  FindingRun made;
};

void print_json(const Replayed& replayed) {
  const Run& run = replayed.made.run;
  Json json;
  json["kind"] = name_of(replayed.finding.kind);
  json["message"] = replayed.finding.message;
  json["program"] = replayed.program;
  json["program_changed"] = replayed.program_changed;
  json["same"] = replayed.made.verdict == ReplayVerdict::confirmed;
  json["verdict"] = name_of(replayed.made.verdict);
  json["why"] = replayed.made.why;
  json["ended"] = replayed.made.result.words;
  json["waiting"] = Json::array();
  for (const WaitingThread& thread : replayed.made.result.waiting) {
    json["waiting"].push_back(thread.words);
  }
  json["divergence"] = run.divergence ? json_of(*run.divergence) : Json();
  json["steps_before"] = run.steps_before;
  json["steps"] = steps_json(run);
  print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

// The last steps are those that matter.
void shorten(Run& run) {
  if (run.steps.size() <= kShownSteps) return;
  const std::size_t left_out = run.steps.size() - kShownSteps;
  run.steps.erase(run.steps.begin(), run.steps.begin() + static_cast<std::ptrdiff_t>(left_out));
  run.steps_before += left_out;
}

void print_ending(const Replayed& replayed) {
  const RunResult& result = replayed.made.result;
  for (const WaitingThread& thread : result.waiting) print("  {}\n", thread.words);
  switch (result.ending) {
    case Ending::reached:
    case Ending::stopped: return;
    case Ending::deadlock: print("then the program came to a deadlock\n"); return;
    default: print("then the program went on by itself: {}\n", result.words);
  }
}

void print_for_people(const Replayed& replayed) {
  const ShortNames names(replayed.finding, replayed.made.run);
  Finding finding = replayed.finding;
  finding.message = names.in(std::move(finding.message));
  print_title(finding);
  if (replayed.program_changed) print("{} has changed since this was found\n", replayed.program);
  print("\n");
  Run run = names.in(replayed.made.run);
  shorten(run);
  // The two accesses of a race have happened, and are the last steps.
  const bool confirmed = replayed.made.verdict == ReplayVerdict::confirmed;
  if (confirmed && finding.kind == FindingKind::race) run.end.reset();
  print_text(run_in_columns(run, {terminal_width(), colour_wanted()}));
  print("\n");
  if (confirmed) {
    print("replayed: it happens\n");
    print_ending(replayed);
  } else {
    print("{}\n", replayed.made.why);
  }
}

FindingRunOptions run_options(const ReplayFindingOptions& options) {
  FindingRunOptions run;
  run.launch.command = options.command;
  run.launch.randomise_addresses = options.randomise;
  run.launch.discard_output = options.json;
  run.go_on = true;
  run.debugger = options.gdb;
  return run;
}

}  // namespace

ExitStatus replay_on_program(const ReplayFindingOptions& options, const Finding& finding) {
  const auto& subject = std::get<ProgramSubject>(finding.subject);
  if (!options.model.empty())
    return fail(ExitStatus::usage, "--model is for findings on models only");
  if (subject.command.empty() && options.command.empty()) {
    return fail(
        ExitStatus::cannot_run,
        fmt::format("{}: found on a trace, and the trace does not name its program; `heddle "
                    "trace show` shows the trace beside it in columns",
                    options.finding));
  }
  const std::string& program = options.command.empty() ? subject.command[0] : options.command[0];
  const Result<std::string> build = build_of(program);
  if (!build.ok()) return fail(ExitStatus::cannot_run, build.error());
  Result<FindingRun> made = run_finding(finding, run_options(options));
  if (!made.ok()) return fail(ExitStatus::cannot_run, made.error());
  if (options.gdb) return static_cast<ExitStatus>(made->result.exit_status());
  const bool changed = !subject.build_id.empty() && *build != subject.build_id;
  Replayed replayed{finding, program, changed, *std::move(made)};
  options.json ? print_json(replayed) : print_for_people(replayed);
  return replayed.made.verdict == ReplayVerdict::confirmed ? ExitStatus::ok
                                                           : ExitStatus::cannot_run;
}

}  // namespace heddle
