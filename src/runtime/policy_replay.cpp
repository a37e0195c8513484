// Replay: the schedule decides. It comes from the host as runs: so many events of a thread,
// where accesses that are left out do not count: a thread goes on with them until it comes to
// its next event of the trace. That is as good as any other place to switch, since nobody
// else touches what they touch.
//
// The last part of a schedule may be tries (wire.h, tries_from): a thread that waits for what it
// does not get is passed over.
//
// After its end, the ready threads take turns.
#include "runtime/event_log.h"
#include "runtime/policy.h"
#include "runtime/stop_point.h"

namespace heddle::runtime {
namespace {

const wire::Run* runs;
std::uint64_t run_count;
std::uint64_t current_run;
std::uint64_t run_end;  // so many events when the current run is over
std::uint64_t tries_from = wire::kNoStop;

void advance() {
  while (current_run < run_count && event_log.position() >= run_end) {
    ++current_run;
    if (current_run < run_count) run_end += runs[current_run].events;
  }
}

void begin(const wire::Settings& settings) {
  tries_from = settings.tries_from;
  runs = wire::schedule_of(event_log.header());
  run_count = event_log.header()->schedule_runs;
  if (run_count > 0) run_end = runs[0].events;
}

Thread* next_in_turn(Array<Thread*>& ready, const Thread& current) {
  for (Thread* thread : ready) {
    if (thread->id > current.id) return thread;
  }
  return ready[0];
}

Thread* choose(Array<Thread*>& ready, Thread& current, bool) {
  if (!schedule_has_next()) return next_in_turn(ready, current);
  for (Thread* thread : ready) {
    if (thread->id == scheduled_thread()) return thread;
  }
  return nullptr;
}

std::int64_t quantum(Thread&) {
  if (!schedule_has_next()) return 1000;
  const std::uint64_t now = event_log.position();
  const std::uint64_t end = now < stop_at && stop_at < run_end ? stop_at : run_end;
  return static_cast<std::int64_t>(end - now);
}

}  // namespace

bool schedule_has_next() {
  if (policy != &replay_policy) return false;
  advance();
  return current_run < run_count;
}

std::uint32_t scheduled_thread() { return runs[current_run].thread; }

EventKind scheduled_kind() {
  const bool starts = event_log.position() == run_end - runs[current_run].events;
  return starts ? static_cast<EventKind>(runs[current_run].first_kind) : EventKind::branch;
}

bool schedule_only_tries() { return event_log.position() >= tries_from; }

void pass_over_scheduled() {
  run_end -= runs[current_run].events;
  ++current_run;
  if (current_run < run_count) run_end += runs[current_run].events;
}

constinit const Policy replay_policy = {begin, choose, quantum};

}  // namespace heddle::runtime
