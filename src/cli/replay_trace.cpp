// heddle replay TRACE: makes a recorded run happen again.
#include "cli/output.h"
#include "cli/replay.h"
#include "record/record.h"
#include "report/columns.h"
#include "trace/open.h"

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

Result<Trace> read_trace(const std::string& path) {
  TRY(const auto source, open_trace(path));
  return collect(*source);
}

// The first event of each thread from `from` on: what it stands before. Threads that are over
// or not born yet have none; a thread that never goes on again keeps silent as well.
std::vector<EventId> next_events(const Trace& trace, EventId from) {
  std::vector<EventId> next;
  std::vector<bool> known(trace.tables.threads.size(), false), born(known);
  for (const EventId e : trace.events()) {
    const std::uint32_t thread = trace.thread(e).value();
    if (trace.kind(e) == EventKind::fork && e < from) born[trace.object(e)] = true;
    const bool alive = thread == 0 || born[thread];
    if (e < from || known[thread] || !alive) continue;
    known[thread] = true;
    next.push_back(e);
  }
  return next;
}

void show_event(const Trace& trace, EventId e, std::string_view how) {
  warn(fmt::format("{} event {}: {} {}", how, e.value(), trace.tables.describe(trace.thread(e)),
                   describe(trace, e)));
  for (const std::string& line : stack_of(trace, e)) warn("  at " + line);
}

// The trace knows where everybody is when the run has come to that event.
Result<void> show_positions(const std::string& path, std::uint64_t until) {
  TRY(const Trace trace, read_trace(path));
  const EventId event(static_cast<std::uint32_t>(until));
  show_event(trace, event, "stopped before");
  for (const EventId e : next_events(trace, event)) {
    if (e != event) show_event(trace, e, "another thread stands before its");
  }
  return {};
}

// An event that the trace does not have cannot be stopped at.
Result<void> check_event(const std::string& path, std::uint64_t until) {
  TRY(const Trace trace, read_trace(path));
  if (until < trace.size()) return {};
  return make_error("'{}' has no event {}: its {} events are counted from 0", path, until,
                    trace.size());
}

ExitStatus tell_divergence(const ReplayedRun& replayed) {
  return fail(
      ExitStatus::cannot_run,
      fmt::format("diverged at event {}: expected {}; came {}", replayed.divergence->event,
                  replayed.divergence->expected, reason(replayed.result, *replayed.divergence)));
}

}  // namespace

ExitStatus replay_trace(const ReplayTraceOptions& options) {
  ReplayRunOptions replay;
  replay.launch.command = options.command;
  replay.launch.randomise_addresses = options.randomise;
  replay.until = options.until;
  replay.debugger = options.gdb;
  if (options.until) {
    const auto known = check_event(options.trace, *options.until);
    if (!known.ok()) return fail(ExitStatus::usage, known.error());
  }
  const auto replayed = replay_run(options.trace, replay);
  if (!replayed.ok()) return fail(ExitStatus::cannot_run, replayed.error());
  if (replayed->divergence) return tell_divergence(*replayed);
  if (options.gdb) return static_cast<ExitStatus>(replayed->result.exit_status());
  if (replayed->result.ending == Ending::reached) {
    const auto shown = show_positions(options.trace, *options.until);
    return shown.ok() ? ExitStatus::ok : fail(ExitStatus::bad_input, shown.error());
  }
  if (replayed->result.ending == Ending::deadlock) {
    warn("deadlock: no thread can go on");
    for (const std::string& line : replayed->result.details) warn("  " + line);
  }
  warn(fmt::format("replayed {} events as recorded, {}", replayed->events, replayed->result.words));
  return status_of(replayed->result);
}

}  // namespace heddle
