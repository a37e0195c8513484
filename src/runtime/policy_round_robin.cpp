// Round robin: each thread goes on for a quantum of events, or until it cannot.
#include "runtime/event_log.h"
#include "runtime/policy.h"

namespace heddle::runtime {
namespace {

std::int64_t length;

void begin(const wire::Settings& settings) {
  length = settings.quantum != 0 ? static_cast<std::int64_t>(settings.quantum) : 100;
}

Thread* choose(Array<Thread*>& ready, Thread& current, bool current_ready) {
  if (current_ready && !current_yields && event_log.budget() > 0) return &current;
  for (Thread* thread : ready) {
    if (thread->id > current.id) return thread;
  }
  return ready[0];
}

std::int64_t quantum(Thread&) { return length; }

}  // namespace

constinit const Policy round_robin_policy = {begin, choose, quantum};

}  // namespace heddle::runtime
