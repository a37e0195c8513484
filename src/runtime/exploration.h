// Exploration: the fiber vehicle, driven from inside the process by the engine (src/engine).
//
// All threads of the program are fibers on one thread of the operating system. The engine is
// one more fiber, with a stack and thread-locals of its own. It lets one thread take its next
// operation; that thread runs on until it stands before its next visible operation, and the
// engine has the word again. Between two executions the snapshot is restored (snapshot.h).
//
// What is a step of its own. Plain accesses are none: as long as they do not race they are
// ordered by the visible operations, and when they do that is found (race_detector.h). Starting
// and ending a thread, and joining one that is over, happen along with the operation before
// them, since nobody can come in between in a way that matters; they are told as effects.
// Only a thread that has joined others since its last operation makes a step of these, so that
// it is known what they come after. Leaving the process waits until nobody else can go on.
#pragma once

#include <cstdint>

#include "runtime/explored_program.h"
#include "runtime/thread.h"
#include "runtime/wire.h"

namespace heddle::runtime {

// Whether the program is explored, or follows a schedule of an exploration; set once.
extern bool exploring;

// Before the program's first instruction: brings the engine into the process.
void prepare_exploration(wire::Header* header);
// Called when main() is about to begin; returns once per execution, in each of them.
void begin_explored_main(Thread& main_thread, std::uint64_t stack_high);

// What the gate does (gate.h) while the program is explored.
bool pass_explored(Thread& self, const Operation& operation);
// The same for an atomic access or a fence, which most steps are.
void pass_explored_access(Thread& self, EventKind kind, std::uint64_t address, std::uint32_t size,
                          std::uint64_t pc);
void add_explored(Thread& thread);
[[noreturn]] void finish_explored(Thread& self);
// Waits until nobody else can go on; the program will end with that status.
void leave_explored(Thread& self, int status);
[[noreturn]] void end_execution();
// A plain access is about to happen.
void explored_access(EventKind kind, std::uint64_t address, std::uint64_t size, std::uint64_t pc);

// The vehicle.
void start_fiber(Thread& thread, std::uint64_t stack_high);

// Something is wrong, and the calling thread does not go on.
[[noreturn]] void fail_explored(explored::Wrong wrong, const char* message, std::uint64_t pc);
// Something is wrong, and the thread goes on.
void note_wrong(explored::Wrong wrong, const char* message, std::uint64_t pc);
void note_race(const char* message, std::uint64_t pc, std::uint32_t other_thread,
               std::uint64_t other_pc);
void note_unseen(wire::Unseen what);
// Nobody is there who could come in between, or whose operations came without an order.
bool is_alone();
// One of so many ways to go on, chosen by the search.
std::uint32_t choose_explored(Thread& self, std::uint32_t choices, std::uint64_t pc);

}  // namespace heddle::runtime
