// heddle replay TRACE: makes a recorded run happen again.
#include <memory>

#include "cli/commands.h"
#include "cli/output.h"
#include "record/record.h"

namespace heddle {
namespace {

struct ReplayTraceOptions {
  std::string trace;
  std::vector<std::string> command;
  bool randomise = false;
};

ExitStatus status_of(const RunResult& result) {
  if (result.ending == Ending::deadlock) return ExitStatus::found;
  return static_cast<ExitStatus>(result.exit_status());
}

std::string reason(const RunResult& result, const DivergedEvent& divergence) {
  std::string text = divergence.came;
  if (!result.diverged) return text;
  switch (result.diverged->why) {
    case wire::Divergence::finished: text = "that thread is over already"; break;
    case wire::Divergence::unborn: text = "that thread does not exist yet"; break;
    case wire::Divergence::not_ready: text = "that thread cannot go on"; break;
  }
  for (const std::string& line : result.details) text += fmt::format("; {}", line);
  return text;
}

ExitStatus run(const ReplayTraceOptions& options) {
  Launch launch;
  launch.command = options.command;
  launch.randomise_addresses = options.randomise;
  const auto replayed = replay_run(options.trace, launch);
  if (!replayed.ok()) return fail(ExitStatus::cannot_run, replayed.error());
  if (replayed->divergence) {
    return fail(ExitStatus::cannot_run,
                fmt::format("diverged at event {}: expected {}; came {}",
                            replayed->divergence->event, replayed->divergence->expected,
                            reason(replayed->result, *replayed->divergence)));
  }
  if (replayed->result.ending == Ending::deadlock) {
    warn("deadlock: no thread can go on");
    for (const std::string& line : replayed->result.details) warn("  " + line);
  }
  warn(fmt::format("replayed {} events as recorded, {}", replayed->events, replayed->result.words));
  return status_of(replayed->result);
}

Action declare(CLI::App& app) {
  const auto options = std::make_shared<ReplayTraceOptions>();
  app.add_option("TRACE", options->trace, "a trace made by heddle record")->required();
  app.add_option("COMMAND", options->command,
                 "run this instead of the command that was recorded, after --");
  app.add_flag("--randomise-addresses", options->randomise,
               "leave the kernel's address randomisation on");
  return [options] { return run(*options); };
}

}  // namespace

constinit const Command kReplayCommand = {
    .name = "replay",
    .summary = "make a recorded run happen again",
    .help =
        "The trace's schedule decides which thread goes on; every event is compared with the\n"
        "recorded one. At the first difference the program is stopped, and the line says which\n"
        "event it was, what was expected and what came.\n"
        "\n"
        "Exit status: the program's own, 42 after a deadlock, 125 after a divergence or when\n"
        "Heddle could not do its part.",
    .declare = declare,
};

}  // namespace heddle
