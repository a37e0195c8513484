// The snapshot to which an exploration returns: all memory that an execution can change, as it
// was when main() was about to begin.
//
// Memory of the program, its libraries, libc and the runtime itself is write-protected; the
// first write to a page makes a copy of it and lifts the protection for good. So soon there
// are no more faults, and a reset copies the few pages that executions write to. Not part of
// it: the loader's memory, the engine's, and what is KEPT or was mapped by map_kept_pages.
// Stacks are not put back, since an execution that starts anew needs nothing of them; the one
// of main() is, from where it begins.
#pragma once

#include <cstdint>

#include "runtime/fiber.h"

namespace heddle::runtime {

// Takes it, while `main` is parked: its stack, as far as it is in use, belongs to it.
void take_snapshot(const Fiber& main, std::uint64_t stack_high);
// Goes back to it. Must run on another stack, and with other thread-locals, than the program's.
void restore_snapshot();
// A fault at this address was the first write to a protected page, and is settled.
bool settle_fault(std::uint64_t address);
// The kernel is about to write there, which raises no fault.
void expect_write(const void* address, std::uint64_t size);
std::uint64_t restored_bytes();

}  // namespace heddle::runtime
