// heddle replay TRACE: makes a recorded run happen again.
#include "cli/output.h"
#include "cli/replay.h"
#include "record/record.h"

namespace heddle {
namespace {

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

}  // namespace

ExitStatus replay_trace(const ReplayTraceOptions& options) {
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

}  // namespace heddle
