// A thread of the program, as the gate knows it.
//
// Threads are numbered by birth. A record lives as long as the process, since others may
// still ask about a thread that is long gone.
#pragma once

#include <atomic>
#include <cstdint>

#include <pthread.h>

#include "runtime/fiber.h"
#include "runtime/hot_words.h"
#include "runtime/memory.h"
#include "runtime/operation.h"
#include "runtime/processors.h"
#include "runtime/shadow_stack.h"
#include "runtime/stretch.h"

namespace heddle::runtime {

enum class ThreadState : std::uint32_t {
  standing,  // before its next operation, or running if it holds the token
  outside,   // in a blocking call, not at the gate
  finished,
};

// A destructor of a thread_local object, to be called with its argument.
struct ThreadExit {
  void (*destructor)(void*);
  void* argument;
};

inline constexpr std::uint32_t kMaxKeys = 1024;

struct KeyValue {
  std::uint64_t generation;
  void* value;
};

struct Clock;

struct Thread {
  std::uint32_t id = 0;
  std::uint32_t parent = 0;
  std::uint32_t children = 0;
  std::uint32_t stack_slot = 0;
  std::uint64_t frames_top = 0;   // where its frames begin; 0: wherever its vehicle does
  std::uint16_t mark = 0;         // its present stretch, as the owner of memory (ownership.h)
  Stretches over;                 // that are over for certain
  std::uint64_t heap_blocks = 0;  // so many were allocated
  std::uint64_t steps = 0;        // events that became records
  std::atomic<ThreadState> state{ThreadState::standing};
  // How it is carried (vehicle_os_threads.cpp).
  std::atomic<std::uint32_t> turn{0};  // futex
  Fiber fiber;                         // of exploration, too
  Fiber home;
  bool at_home = true;
  bool stays_home = false;

  Operation next;
  bool timed_out = false;      // woken by its deadline
  std::uint32_t inside = 0;    // in a call of libc that the runtime makes
  std::uint32_t no_yield = 0;  // goes on as long as it can

  ShadowStack stack;

  // Life.
  void* (*routine)(void*) = nullptr;
  int (*c11_routine)(void*) = nullptr;
  void* argument = nullptr;
  void* result = nullptr;
  pthread_t handle = 0;
  bool detached = false;
  bool joined = false;
  bool exiting = false;
  std::uint64_t entry_frame = 0;  // where a forced unwinding ends
  void* entry_jump[5] = {};
  bool cancel_requested = false;
  bool cancel_disabled = false;
  std::uint64_t clock_reads = 0;
  std::uint64_t last_clock_event = 0;

  Array<ThreadExit> exits;
  Array<__pthread_unwind_buf_t*> cleanups;
  KeyValue* keys = nullptr;
  std::uint32_t keys_end = 0;        // above the last one that was set
  Processors* processors = nullptr;  // that it asked for

  std::uint64_t priority = 0;  // PCT

  // While the program is explored (exploration.h):
  bool newborn = false;  // has not run yet
  bool first = false;    // has taken no step yet
  bool failed = false;   // went wrong, and does not go on
  // The next access changes memory only if it finds `expected` there (a compare-and-swap), or
  // anything but that (an exchange).
  enum class Condition : std::uint8_t { none, equal, different };
  Condition changes_if = Condition::none;
  std::uint64_t expected = 0;
  std::uint32_t choices = 1;        // of the next operation
  std::uint64_t stack_high = 0;     // of its stack
  std::uint64_t program_frame = 0;  // where its own frames end; 0: not known
  std::uint64_t writes = 0;         // to memory that is not its stack
  // What happens before it (race_detector.h), and what would after an acquiring fence, or did
  // before a releasing one.
  Clock* clock = nullptr;
  Clock* seen_relaxed = nullptr;
  Clock* before_fence = nullptr;
  std::uint32_t atomic_sections = 0;  // that it is in (atomic_functions.h)
  bool is_awaited = false;            // somebody waits for its end
  Array<std::uint32_t> joined_now;    // threads that it joined since its last step
};

// The calling thread while it is at the gate; null for a program that runs by itself, and
// for a thread that is outside or finished.
extern __thread Thread* current_thread __attribute__((tls_model("initial-exec")));
inline constexpr std::uint16_t kNoMark = 0xfffd;

inline void set_current_thread(Thread* thread) {
  current_thread = thread;
  current_mark = thread != nullptr ? thread->mark : kNoMark;
  current_stack = thread != nullptr ? &thread->stack : nullptr;
}

// While it lives, what the thread allocates is libc's own affair.
class InsideLibc {
 public:
  explicit InsideLibc(Thread* thread) : thread_(thread) { ++thread_->inside; }
  ~InsideLibc() { --thread_->inside; }
  InsideLibc(const InsideLibc&) = delete;
  InsideLibc& operator=(const InsideLibc&) = delete;

 private:
  Thread* thread_;
};

}  // namespace heddle::runtime
