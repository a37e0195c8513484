// pthread_once, C11's call_once, and the guards of static local variables: one thread runs
// the initialiser, the others wait for it. An initialiser that throws did not happen.
#include <pthread.h>
#include <threads.h>

#include "runtime/interpose.h"
#include "runtime/protected_call.h"

namespace heddle::runtime {
namespace {

struct OnceCall {
  Call* call;
  Object* once;
  void (*routine)();
  bool done;
};

// True when the caller has to run the initialiser.
bool begin_once(Call& call, Object& once) {
  call.wait(EventKind::once_begin, once);
  if (once.once == OnceState::done) {
    call.log(EventKind::once_pass, once);
    return false;
  }
  once.once = OnceState::running;
  once.owner = &call.self;
  call.log(EventKind::once_begin, once);
  return true;
}

void end_once(Call& call, Object& once, bool done) {
  const EventKind kind = done ? EventKind::once_end : EventKind::once_abort;
  call.pass(kind, &once);
  once.once = done ? OnceState::done : OnceState::fresh;
  once.owner = nullptr;
  call.log(kind, once);
}

void run_routine(void* argument) {
  auto& once = *static_cast<OnceCall*>(argument);
  once.routine();
  once.done = true;
}

void after_routine(void* argument) {
  auto& once = *static_cast<OnceCall*>(argument);
  end_once(*once.call, *once.once, once.done);
}

int call_once_with(Call& call, std::uint64_t control, void (*routine)()) {
  Object& object = object_at(ObjectType::once, control);
  if (!begin_once(call, object)) return 0;
  OnceCall once{&call, &object, routine, false};
  heddle_call_with_cleanup(run_routine, &once, after_routine, &once);
  return 0;
}

// The first byte of a guard says whether the variable is initialised; instrumented code
// looks at it by an atomic load, so what the runtime stores there is an event, too.
void mark_initialised(Call& call, std::uint64_t* guard) {
  *reinterpret_cast<std::uint8_t*>(guard) = 1;
  event_log.atomic(call.self, EventKind::atomic_write, address_of(guard), 1, call.pc,
                   static_cast<int>(MemoryOrder::release), 1);
}

}  // namespace
}  // namespace heddle::runtime

using namespace heddle::runtime;

INTERPOSE(int, pthread_once, pthread_once_t* control, void (*routine)()) {
  AT_GATE_OR(REAL(pthread_once)(control, routine));
  return call_once_with(call, address_of(control), routine);
}

INTERPOSE(void, call_once, once_flag* flag, void (*routine)()) {
  AT_GATE_OR(REAL(call_once)(flag, routine));
  call_once_with(call, address_of(flag), routine);
}

extern "C" int __cxa_guard_acquire(std::uint64_t* guard);
extern "C" void __cxa_guard_release(std::uint64_t* guard);
extern "C" void __cxa_guard_abort(std::uint64_t* guard);

INTERPOSE(int, __cxa_guard_acquire, std::uint64_t* guard) {
  AT_GATE_OR(REAL(__cxa_guard_acquire)(guard));
  if (*reinterpret_cast<const std::uint8_t*>(guard) != 0) return 0;
  return begin_once(call, object_at(heddle::ObjectType::once, address_of(guard)));
}

INTERPOSE(void, __cxa_guard_release, std::uint64_t* guard) {
  AT_GATE_OR(REAL(__cxa_guard_release)(guard));
  end_once(call, object_at(heddle::ObjectType::once, address_of(guard)), true);
  mark_initialised(call, guard);
}

INTERPOSE(void, __cxa_guard_abort, std::uint64_t* guard) {
  AT_GATE_OR(REAL(__cxa_guard_abort)(guard));
  end_once(call, object_at(heddle::ObjectType::once, address_of(guard)), false);
}
