// The vehicle of operating-system threads, which carry each other's.
//
// Each thread of the program has one of the operating system's, its home: there it is born and
// dies, and libc's idea of it lies there. But when the turn goes from one thread to another, the
// kernel need not hear of it: the operating-system thread that has carried the one goes on with
// the other, by changing stacks and the thread pointer (fiber.h). That takes nanoseconds, and the
// kernel microseconds. Meanwhile the other's own sleeps at home.
//
// So a thread that stands at the gate is
//   carried  its registers are in `fiber`, any operating-system thread may go on with it, and its
//            own sleeps in wait_at_home(), on a part of the stack that the program does not use
//   at home  its own operating-system thread sleeps within it (await_turn): a new thread, one
//            that came back from a call outside the gate, and one that does not leave home
// and the one whose turn it is runs on the operating-system thread of `driver`.
//
// What the kernel keeps by thread (its number, its name, the signals that it blocks, a blocking
// call) has to be asked for at home: go_home(). A program that has handlers for signals, or says
// which thread may get one, stays there from then on (go_home_for_good): a switch is then two
// system calls. So does a program in the debugger, which shows the kernel's threads, and a
// thread on a stack of the program's own, which may have no room for a part of ours.
//
// A thread must be in its `fiber` before somebody else is told to go on, who may choose it next.
// So where another operating-system thread is to go on, the one that is left goes home first, with
// an errand to do there.
#include "runtime/exploration.h"
#include "runtime/futex.h"
#include "runtime/gate.h"
#include "runtime/vehicle.h"

namespace heddle::runtime {
namespace {

// Room for waiting at home, and for handlers of signals that come meanwhile; above the frames of a
// thread, and on a stack of its own for the main thread.
constexpr std::uint64_t kHome = std::uint64_t{64} << 10;
// Room for the first steps of a thread, up to where its frames begin.
constexpr std::uint64_t kFirstSteps = 1024;

// What an operating-system thread is told; of Thread::turn.
enum Turn : std::uint32_t {
  kWait,
  kGo,      // go on with your own thread
  kChoose,  // choose who goes on
  kEnd,     // your thread is over
};

struct Errand {
  Thread* over = nullptr;  // tell it so
  Thread* next = nullptr;  // let it go on
};

bool carries = false;
Thread* driver = nullptr;
Errand errand;

void tell(Thread& thread, Turn turn) {
  thread.turn.store(turn, std::memory_order_release);
  futex_wake(&thread.turn, 1);
}

std::uint32_t await_order(Thread& own) {
  for (;;) {
    const std::uint32_t turn = own.turn.load(std::memory_order_acquire);
    if (turn == kWait) {
      futex_wait(&own.turn, kWait);
      continue;
    }
    own.turn.store(kWait, std::memory_order_relaxed);
    return turn;
  }
}

// From the thread whose turn it is to the home of the one that carries it.
void leave_for_home(Thread& from, const Errand& to_do) {
  errand = to_do;
  switch_fiber(from.fiber, driver->home);
}

// Does what there is to do at the driver's home; gives back who is to be carried next, if anybody.
Thread* do_errand() {
  const Errand now = errand;
  if (now.over != nullptr) tell(*now.over, kEnd);
  if (carries && !now.next->at_home && now.over != driver) return now.next;
  give_turn(*now.next);
  return nullptr;
}

// Carries the thread and whoever follows it.
void drive(Thread& own, Thread* passenger) {
  while (passenger != nullptr) {
    driver = &own;
    switch_fiber(own.home, passenger->fiber);
    passenger = do_errand();
  }
}

// What an operating-system thread does while it carries nobody, until its own thread is over.
void wait_at_home(Thread& own) {
  for (;;) {
    switch (await_order(own)) {
      case kGo: drive(own, &own); break;
      case kChoose: gate.schedule(own); break;
      default: return;
    }
  }
}

// Where the main thread's is when it is left for the first time.
void arrive_at_home_of_main(void* main_thread) {
  Thread& own = *static_cast<Thread*>(main_thread);
  drive(own, do_errand());
  wait_at_home(own);
  for (;;) system_call(SYS_exit, 0);
}

void begin_life(void* argument) {
  Thread& self = *static_cast<Thread*>(argument);
  set_current_thread(&self);
  thread_main(self);
}

// Not of a thread that stays at home all its life.
bool has_home(const Thread& thread) { return thread.home.thread_pointer != 0; }

void make_home(Thread& thread) {
  thread.fiber.thread_pointer = thread.home.thread_pointer =
      reinterpret_cast<std::uint64_t>(__builtin_thread_pointer());
}

void* os_thread_main(void* argument) {
  Thread& self = *static_cast<Thread*>(argument);
  const auto here = reinterpret_cast<std::uint64_t>(__builtin_frame_address(0));
  if (self.stays_home || here < self.frames_top + kFirstSteps + kHome) {
    self.stays_home = true;
    gate.wait_for_first_turn(self);
    begin_life(&self);
    return nullptr;
  }
  make_home(self);
  prepare_fiber(self.fiber, self.frames_top + kFirstSteps, begin_life, &self);
  wait_at_home(self);
  return nullptr;
}

}  // namespace

void start_driving(Thread& main_thread, const wire::Settings& settings) {
  driver = &main_thread;
  carries = !exploring && settings.debugger == 0;
  if (!carries) return;
  find_out_how_to_set_thread_pointer();
  make_home(main_thread);
  const auto stack = reinterpret_cast<std::uint64_t>(map_kept_pages(kHome));
  prepare_fiber(main_thread.home, stack + kHome, arrive_at_home_of_main, &main_thread);
}

void give_turn(Thread& to) { tell(to, kGo); }
void give_duty(Thread& to) { tell(to, kChoose); }
void take_turn(Thread& self) { driver = &self; }

void await_turn(Thread& self) {
  while (await_order(self) == kChoose) gate.schedule(self);
  take_turn(self);
}

void switch_thread(Thread& from, Thread& to) {
  from.at_home = !carries || from.stays_home;
  if (from.at_home) {
    give_turn(to);
    await_turn(from);
  } else if (to.at_home) {
    leave_for_home(from, {.next = &to});
  } else {
    switch_fiber(from.fiber, to.fiber);
  }
}

void leave_to(Thread& over, Thread& to) {
  if (!has_home(over)) return give_turn(to);
  leave_for_home(over, {.over = &over, .next = &to});
}

void go_home(Thread& self) {
  self.at_home = true;
  if (carries && driver != &self) leave_for_home(self, {.next = &self});
}

void go_home_for_good(Thread& self) {
  go_home(self);
  carries = false;
}

int start_vehicle(Thread& thread, const pthread_attr_t* attributes) {
  thread.stays_home = !carries || thread.frames_top == 0;
  return REAL(pthread_create)(&thread.handle, attributes, os_thread_main, &thread);
}

void reap_vehicle(Thread& thread) {
  if (!exploring) REAL(pthread_join)(thread.handle, nullptr);
}

}  // namespace heddle::runtime
