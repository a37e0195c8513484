// What the engine (src/engine), which searches, and the runtime, which carries the program's
// threads as fibers, agree on. Both live in the process of the program, but share no library
// and no memory of the program: plain data and functions only.
#pragma once

#include <cstddef>
#include <cstdint>

#include "trace/event.h"

namespace heddle::explored {

inline constexpr std::uint32_t kVersion = 2;
inline constexpr char kEngineFile[] = "libheddle_engine.so";
inline constexpr char kEngineEntry[] = "heddle_search";

// The runtime's last word when a schedule was followed to its end and threads could go on.
inline constexpr char kScheduleOver[] = "the schedule is over";

inline constexpr std::uint32_t kMostWaypoints = 24;

// Where a thread is, and what it will do next.
enum class Place : std::uint8_t { unborn, standing, finished };

struct Next {
  Place place;
  bool ready;        // can happen now
  bool tried;        // would rather fail than wait
  bool conditional;  // whether it can happen, or what it is, depends on what others do
  bool first;        // the thread's first operation
  EventKind kind;
  ObjectType type;
  ObjectType second_type;
  std::uint32_t choices;
  std::uint32_t join_count;    // threads joined since its last operation
  const std::uint32_t* joins;  // valid until the next call
  std::uint64_t object;        // address or number; 0: none
  std::uint64_t second;        // the lock of a wait
  std::uint64_t pc;
};

// A step that was taken before: whose, in which way, and what it was.
struct Taken {
  std::uint32_t thread;
  std::uint32_t choice;
  EventKind kind;
  std::uint64_t object;
  std::uint64_t pc;
};

// What a step did besides its operation: it started a thread, or ended one.
struct Effect {
  EventKind kind;  // fork or end
  std::uint32_t thread;
};

enum class Wrong : std::uint8_t {
  nothing,
  assertion,
  crash,
  exit_status,
  misuse,
  memory,
  race,
  assumption
};

struct Outcome {
  Wrong wrong = Wrong::nothing;
  std::uint32_t thread = 0;  // who did it
  std::uint64_t pc = 0;
  std::uint64_t other_pc = 0;  // race: of the earlier access
  std::uint32_t other_thread = 0;
  char message[512] = {};
};

// What is worth a word although it is not wrong; bits.
enum class Note : std::uint32_t {
  unjoined_thread = 1,       // a thread was neither joined nor detached
  operation_in_section = 2,  // that others see, in a section that nobody interrupts
};

struct Program {
  std::uint32_t version;
  // Brings the program to the entry of main() and on until all threads stand.
  void (*restart)();
  // Lets a thread that is ready take its next operation.
  void (*advance)(std::uint32_t thread, std::uint32_t choice);
  // Takes these steps, each of which must be what the thread is about to do. How many were
  // taken; the one after them is another.
  std::size_t (*follow)(const Taken* steps, std::size_t count);
  std::uint32_t (*thread_count)();
  void (*next)(std::uint32_t thread, Next* next);
  // The same number: the thread is in the same state of its own.
  std::uint64_t (*state)(std::uint32_t thread);
  // Since the last advance or restart: effects, threads that ran, what went wrong.
  const Effect* (*effects)(std::uint32_t* count);
  const std::uint32_t* (*ran)(std::uint32_t* count);
  const Outcome* (*outcome)();
  bool (*over)();  // the program has come to its end
  // Memory that the program does not see; never given back.
  void* (*memory)(std::size_t size);
  // What is said about memory use of the program: bytes of its pages that are restored.
  std::uint64_t (*restored_bytes)();
  std::uint32_t (*unseen)();  // a bit for each wire::Unseen
  // Keeps the present state under a number below kMostWaypoints, to return to it; false where
  // that is not possible.
  bool (*keep_state)(std::uint32_t number);
  void (*return_to)(std::uint32_t number);
  // The size of the last state that was kept; 0 when no more can be.
  std::uint64_t (*kept_bytes)();
  std::uint32_t (*notes)();  // a bit for each Note
  // What the execution, which has come to its end, has printed; so many bytes.
  std::size_t (*output)(const char** text);
};

// The engine's one function: searches as the channel says, and returns when it is over.
using Search = void (*)(const Program* program, void* channel);

}  // namespace heddle::explored
