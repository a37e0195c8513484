// The vehicle of operating-system threads: each thread of the program is one, and all but
// one sleep on a futex of their own. The word is 0 while the thread has to wait.
#include "runtime/exploration.h"
#include "runtime/futex.h"
#include "runtime/gate.h"
#include "runtime/vehicle.h"

namespace heddle::runtime {
namespace {

enum Turn : std::uint32_t { kWait, kGo, kChoose };

void tell(Thread& thread, Turn turn) {
  thread.turn.store(turn, std::memory_order_release);
  futex_wake(&thread.turn, 1);
}

void* os_thread_main(void* argument) {
  Thread& self = *static_cast<Thread*>(argument);
  gate.wait_for_first_turn(self);
  set_current_thread(&self);
  thread_main(self);
  return nullptr;
}

}  // namespace

void give_turn(Thread& to) { tell(to, kGo); }
void give_duty(Thread& to) { tell(to, kChoose); }

void await_turn(Thread& self) {
  for (;;) {
    const std::uint32_t turn = self.turn.load(std::memory_order_acquire);
    if (turn == kWait) {
      futex_wait(&self.turn, kWait);
      continue;
    }
    self.turn.store(kWait, std::memory_order_relaxed);
    if (turn == kGo) return;
    gate.schedule(self);
  }
}

void switch_thread(Thread& from, Thread& to) {
  give_turn(to);
  await_turn(from);
}

int start_vehicle(Thread& thread, const pthread_attr_t* attributes) {
  return REAL(pthread_create)(&thread.handle, attributes, os_thread_main, &thread);
}

void reap_vehicle(Thread& thread) {
  if (!exploring) REAL(pthread_join)(thread.handle, nullptr);
}

}  // namespace heddle::runtime
