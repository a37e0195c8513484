// heddle replay FINDING.json: runs the schedule of a finding again and shows what happens.
#include <algorithm>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "cli/finding_title.h"
#include "cli/output.h"
#include "cli/program_run.h"
#include "cli/replay.h"
#include "cli/run_json.h"
#include "explore/replay.h"
#include "finding/finding_file.h"
#include "model/compile.h"
#include "model/interpreter.h"
#include "report/run_columns.h"

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

// A replay that is over.
struct Replayed {
  const Finding& finding;
  std::string path;  // of the model
  bool model_changed;
  Run run;

  bool same() const { return run.shows(finding); }
};

void print_json(const Replayed& replayed) {
  const Run& run = replayed.run;
  Json json;
  json["kind"] = name_of(replayed.finding.kind);
  json["message"] = replayed.finding.message;
  json["model"] = replayed.path;
  json["model_changed"] = replayed.model_changed;
  json["same"] = replayed.same();
  json["came"] = nullptr;
  if (run.end) json["came"] = {{"kind", name_of(run.end->kind)}, {"message", run.end->message}};
  json["divergence"] = nullptr;
  if (run.divergence) json["divergence"] = json_of(*run.divergence);
  json["steps"] = steps_json(run);
  print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

std::string what_came(const Run& run) {
  if (run.end) return fmt::format("{}: {}", name_of(run.end->kind), run.end->message);
  return "nothing wrong where the run ends";
}

void print_for_people(const Replayed& replayed) {
  const Finding& finding = replayed.finding;
  print_title(finding);
  if (replayed.model_changed) print("{} has changed since this was found\n", replayed.path);
  print("\n");
  print_text(run_in_columns(replayed.run, {terminal_width(), colour_wanted()}));
  print("\n");
  if (const auto& divergence = replayed.run.divergence) {
    print("diverged at step {}: expected {}; came: {}\n", divergence->step, divergence->expected,
          divergence->came);
  }
  if (replayed.same()) {
    print("replayed: the same finding\n");
  } else {
    print("not the same finding; came: {}\n", what_came(replayed.run));
  }
}

ExitStatus replay_on_model(const ReplayFindingOptions& options, const Finding& finding,
                           const ModelSubject& subject) {
  if (!options.command.empty() || options.gdb || options.randomise) {
    return fail(ExitStatus::usage,
                "--, --gdb and --randomise-addresses are for programs, and the "
                "finding is of a model");
  }
  const std::string& path = options.model.empty() ? subject.path : options.model;
  if (path == "-" && options.model.empty()) {
    return fail(ExitStatus::usage, fmt::format("{}: the model was read from standard input; say "
                                               "where it is with --model FILE",
                                               options.finding));
  }
  model::CompileOptions compiling{.definitions = subject.definitions,
                                  .granularity = subject.granularity == "access"
                                                     ? model::Granularity::access
                                                     : model::Granularity::statement};
  const Result<model::Model> model = model::load(path, compiling);
  if (!model.ok()) return fail(ExitStatus::bad_input, model.error());
  model::Interpreter system(*model);
  const Replayed replayed{finding, path, text_hash(model->source.text()) != subject.text_hash,
                          replay(system, finding)};
  options.json ? print_json(replayed) : print_for_people(replayed);
  return replayed.same() ? ExitStatus::ok : ExitStatus::cannot_run;
}

// The thread that the finding's event of that number is of; main, if there is no such event.
std::uint32_t thread_of_event(const Finding& finding, std::size_t event, const Trace& trace) {
  if (event >= finding.events.size()) return 0;
  for (const ThreadId thread : indices(trace.tables.threads)) {
    if (trace.tables.describe(thread) == finding.events[event].thread) return thread.value();
  }
  return 0;
}

// A finding of `heddle explore -- ./program`, or of `heddle hunt`.
ExitStatus replay_exploration(const ReplayFindingOptions& options, const Finding& finding) {
  const std::string path = fmt::format("{}.replay.heddle", options.finding);
  const auto& subject = std::get<ProgramSubject>(finding.subject);
  const auto nondet = nondet_range_in(subject.nondet.value_or("0..1"));
  if (!nondet.ok()) return fail(ExitStatus::bad_input, nondet.error());
  const auto run = run_steps(subject.command, steps_of(finding), path, {*nondet, subject.prints},
                             options.gdb ? Under::debugger : Under::nothing);
  if (!run.ok()) return fail(ExitStatus::cannot_run, run.error());
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
  if (options.gdb) return static_cast<ExitStatus>(run->result.exit_status());
  const bool same = shows(*run, finding.kind, finding.message);
  print_title(finding);
  print("\n");
  // Of a race, the other thread's comes first.
  const bool has_two = finding.events.size() > 1;
  print_run(*run, finding.kind, thread_of_event(finding, has_two ? 1 : 0, run->trace),
            thread_of_event(finding, 0, run->trace));
  print("\n{}\n",
        same ? "replayed: the same finding"
             : fmt::format("not the same finding; the run ended with {}", run->result.words));
  return same ? ExitStatus::ok : ExitStatus::cannot_run;
}

// Whether the schedule is in steps of the engine, which say nothing of operations; else it is in
// events. A hunt writes either.
bool is_in_steps(const Finding& finding) {
  const bool searched = finding.found_by == "explore" || finding.found_by == "hunt";
  return searched && std::all_of(finding.schedule.begin(), finding.schedule.end(),
                                 [](const ScheduleStep& step) { return step.operation.empty(); });
}

}  // namespace

ExitStatus replay_finding(const ReplayFindingOptions& options) {
  const Result<Finding> finding = read_finding(options.finding);
  if (!finding.ok()) return fail(ExitStatus::bad_input, finding.error());
  if (const auto* model = std::get_if<ModelSubject>(&finding->subject)) {
    return replay_on_model(options, *finding, *model);
  }
  if (is_in_steps(*finding)) return replay_exploration(options, *finding);
  return replay_on_program(options, *finding);
}

}  // namespace heddle
