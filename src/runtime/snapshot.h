// The snapshot to which an exploration returns: all memory that an execution can change, as it
// was when every thread that main() starts at once stood before its first step.
//
// Memory of the program, its libraries, libc and the runtime itself is write-protected; the
// first write to a page makes a copy of it and lifts the protection for good. So soon there
// are no more faults, and a reset copies the few pages that executions write to. Not part of
// it: the loader's memory, the engine's, and what is KEPT or was mapped by map_kept_pages.
// Of the threads that stand there, the part of the stack that is in use is put back, and their
// thread-locals; of others nothing.
#pragma once

#include <cstdint>

#include "runtime/fiber.h"

namespace heddle::runtime {

// Takes it, while all threads stand.
void take_snapshot();
// Goes back to it. Must run on another stack, and with other thread-locals, than the program's.
void restore_snapshot();
// A fault at this address was the first write to a protected page, and is settled.
bool settle_fault(std::uint64_t address);
// The kernel is about to write there, which raises no fault.
void expect_write(const void* address, std::uint64_t size);
std::uint64_t restored_bytes();

}  // namespace heddle::runtime
