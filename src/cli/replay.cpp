// heddle replay: a finding or a recorded run, told apart by how the file begins.
#include "cli/replay.h"

#include <fstream>
#include <memory>

#include "cli/commands.h"
#include "cli/output.h"

namespace heddle {
namespace {

struct ReplayOptions {
  std::string file;
  ReplayFindingOptions finding;
  ReplayTraceOptions trace;
};

// A trace is compressed or binary; a finding is a JSON object.
bool is_json(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  char first = 0;
  return file >> first && first == '{';
}

std::string only_for(std::string_view option, std::string_view kind) {
  return fmt::format("{} is for {} only", option, kind);
}

ExitStatus run(ReplayOptions& options) {
  if (is_json(options.file) || options.file.ends_with(".json")) {
    if (options.trace.until) return fail(ExitStatus::usage, only_for("--until", "traces"));
    options.finding.finding = options.file;
    options.finding.command = options.trace.command;
    options.finding.randomise = options.trace.randomise;
    options.finding.gdb = options.trace.gdb;
    return replay_finding(options.finding);
  }
  if (!options.finding.model.empty()) {
    return fail(ExitStatus::usage, only_for("--model", "findings"));
  }
  if (options.finding.json) return fail(ExitStatus::usage, only_for("--json", "findings"));
  options.trace.trace = options.file;
  return replay_trace(options.trace);
}

Action declare(CLI::App& app) {
  const auto options = std::make_shared<ReplayOptions>();
  app.add_option("FILE", options->file,
                 "a finding such as heddle-out/finding-1.json, or a trace made by heddle record")
      ->required();
  app.add_option("--model", options->finding.model, "of a finding: its model, if it has moved")
      ->type_name("FILE");
  app.add_flag("--json", options->finding.json, "of a finding: print one JSON object");
  app.add_option("COMMAND", options->trace.command,
                 "run this instead of the recorded command, after --");
  app.add_flag("--randomise-addresses", options->trace.randomise,
               "leave the kernel's address randomisation on");
  app.add_option("--until", options->trace.until,
                 "of a trace: stop before this event (as numbered by heddle trace show), and say "
                 "where every thread is")
      ->type_name("EVENT");
  app.add_flag(
      "--gdb", options->trace.gdb,
      "under gdb, which stops right before what was found, or before the event of --until");
  return [options] { return run(*options); };
}

}  // namespace

constinit const Command kReplayCommand = {
    .name = "replay",
    .summary = "make a finding or a recorded run happen again",
    .help =
        "A finding: runs its schedule on its model, with the parameters and the granularity with\n"
        "which it was found, and shows one column per thread. A line with '>' marks a switch to\n"
        "another thread and says why: the thread before is finished, is blocked, or is\n"
        "preempted, and then what conflicts with its next step before it goes on. If the model\n"
        "has changed, it is tried all the same, and the first step is named that differs.\n"
        "Exit status: 0 it replays to the same finding, 125 it does not, 64 wrong usage, 65 a bad\n"
        "finding or model file. The file: docs/findings.md.\n"
        "\n"
        "A finding on a program: the program runs along the schedule until the predicted thing\n"
        "happens, and then by itself to its end, unless threads wait for each other for ever. A\n"
        "step that is another one than expected ends the run, and is named. --gdb stops right\n"
        "before it: in front of the access, or where the threads wait.\n"
        "\n"
        "A trace: its schedule decides which thread goes on; every event is compared with the\n"
        "recorded one. At the first difference the program is stopped, and the line says which\n"
        "event it was, what was expected and what came. --until stops before an event and shows\n"
        "where the threads are; with --gdb, the program stands there in the debugger, in the\n"
        "thread whose event it is; 'continue' goes on along the trace. Exit status: the program's\n"
        "own (gdb's under gdb, 0 after --until), 42 after a deadlock, 125 after a divergence or\n"
        "when Heddle could not do its part.",
    .declare = declare,
};

}  // namespace heddle
