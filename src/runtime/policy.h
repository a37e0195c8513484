// Policies: who goes on. Three small functions each.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/thread.h"
#include "runtime/wire.h"

namespace heddle::runtime {

struct Policy {
  void (*begin)(const wire::Settings& settings);
  // One of the ready threads. `current` holds the token; whether it is among them says
  // `current_ready`. Null (replay only): the thread that has to go on is not ready.
  Thread* (*choose)(Array<Thread*>& ready, Thread& current, bool current_ready);
  // After how many events the thread has to ask again before an access.
  std::int64_t (*quantum)(Thread& thread);
};

extern const Policy random_policy;
extern const Policy pct_policy;
extern const Policy round_robin_policy;
extern const Policy replay_policy;

// The chosen one.
extern const Policy* policy;
void choose_policy(const wire::Settings& settings);

// The thread said that it has nothing to do just now (sched_yield): others come first.
extern bool current_yields;

// Replay: the thread that the schedule names next, or none after its end.
bool schedule_has_next();
std::uint32_t scheduled_thread();
EventKind scheduled_kind();
// Whether the thread that the schedule names need not be able to go on; and goes to the next one.
bool schedule_only_tries();
void pass_over_scheduled();

// Whether the ready threads contain this one.
inline bool contains(Array<Thread*>& ready, const Thread* thread) {
  for (const Thread* candidate : ready) {
    if (candidate == thread) return true;
  }
  return false;
}

}  // namespace heddle::runtime
