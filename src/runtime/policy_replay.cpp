// Replay: the schedule decides. It comes from the host as runs: so many events of a thread,
// where accesses that are left out do not count. A run ends before the first operation after its
// last event, be it one that is left out: nobody else touches what that touches, so any place up
// to the next event would do, but births and deaths of heap blocks are events at which a thread
// cannot be held.
//
// Events are counted for each thread by itself. A thread cannot be held between two events of one
// operation (the value that a wait looks at, and the wait); along a schedule that wants that, it
// does the second a little early, and is not asked for it again.
//
// The last part of a schedule may be tries (wire.h, tries_from): a thread that waits for what it
// does not get is passed over.
//
// After its end, the ready threads take turns.
#include "runtime/event_log.h"
#include "runtime/gate.h"
#include "runtime/policy.h"
#include "runtime/stop_point.h"

namespace heddle::runtime {
namespace {

const wire::Run* runs;
std::uint64_t run_count;
std::uint64_t current_run;
Array<std::uint64_t> targets;  // by thread: so many steps when its last run so far is over
std::uint64_t tries_from = wire::kNoStop;
std::uint64_t stop_run = wire::kNoStop;

std::uint64_t& target_of(std::uint32_t thread) {
  while (targets.size() <= thread) targets.push(0);
  return targets[thread];
}

std::uint64_t steps_of(std::uint32_t thread) {
  const Thread* known = gate.thread_numbered(thread);
  return known != nullptr ? known->steps : 0;
}

void start_run() {
  if (current_run < run_count) target_of(runs[current_run].thread) += runs[current_run].events;
  if (current_run == stop_run) stop_at = 0;
}

std::uint64_t steps_left() {
  const std::uint32_t thread = runs[current_run].thread;
  const std::uint64_t target = target_of(thread);
  const std::uint64_t done = steps_of(thread);
  return target > done ? target - done : 0;
}

void advance() {
  while (current_run < run_count && steps_left() == 0) {
    ++current_run;
    start_run();
  }
}

void begin(const wire::Settings& settings) {
  tries_from = settings.tries_from;
  stop_run = settings.stop_run;
  runs = wire::schedule_of(event_log.header());
  run_count = event_log.header()->schedule_runs;
  start_run();
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
  const std::uint64_t left = steps_left();
  const bool stops = now < stop_at && stop_at - now < left;
  return static_cast<std::int64_t>(stops ? stop_at - now : left);
}

}  // namespace

bool schedule_has_next() {
  if (policy != &replay_policy) return false;
  advance();
  return current_run < run_count;
}

std::uint32_t scheduled_thread() { return runs[current_run].thread; }

EventKind scheduled_kind() {
  const bool starts = steps_left() == runs[current_run].events;
  return starts ? static_cast<EventKind>(runs[current_run].first_kind) : EventKind::branch;
}

bool schedule_only_tries() { return current_run >= tries_from; }

void pass_over_scheduled() {
  target_of(scheduled_thread()) = steps_of(scheduled_thread());
  advance();
}

constinit const Policy replay_policy = {begin, choose, quantum};

}  // namespace heddle::runtime
