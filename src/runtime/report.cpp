// The last words of a run that cannot go on.
#include <unistd.h>

#include "runtime/futex.h"
#include "runtime/gate.h"

namespace heddle::runtime {
namespace {

std::uint64_t holder_of(const Operation& operation) {
  const Object* object = operation.object;
  return object != nullptr && object->owner != nullptr ? object->owner->id : wire::kNobody;
}

std::uint64_t number_of(const Operation& operation) {
  if (operation.other != nullptr) return operation.other->id;
  return operation.object != nullptr ? operation.object->id : 0;
}

void report_blocked(Thread& thread) {
  const Operation& next = thread.next;
  event_log.control(wire::Control::blocked, thread.id, static_cast<std::uint8_t>(next.kind),
                    number_of(next), holder_of(next), next.pc, thread.stack.node());
}

[[noreturn]] void end_run() {
  event_log.complete();
  for (;;) system_call(SYS_exit_group, 125);
}

}  // namespace

void report_deadlock() {
  event_log.settle();
  for (std::size_t i = 0; i < gate.live().size(); ++i) report_blocked(*gate.live()[i]);
  event_log.control(wire::Control::deadlock, 0, 0, 0, 0);
  end_run();
}

void report_stop() {
  for (std::size_t i = 0; i < gate.live().size(); ++i) {
    Thread& thread = *gate.live()[i];
    const bool stands = thread.state.load() == ThreadState::standing;
    if (stands && !gate.ready(thread)) report_blocked(thread);
  }
  event_log.control(wire::Control::stopped, 0, 0, 0, 0);
  end_run();
}

void report_divergence(std::uint32_t thread, wire::Divergence why) {
  event_log.settle();
  Thread* late = gate.thread_numbered(thread);
  if (late != nullptr && why == wire::Divergence::not_ready) report_blocked(*late);
  event_log.control(wire::Control::diverged, 0, static_cast<std::uint8_t>(why), 0, thread);
  end_run();
}

}  // namespace heddle::runtime
