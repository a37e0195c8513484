// Real threads that sleep for ever and lend their thread-local variables to fibers.
//
// libc and the C++ library keep much in them (errno, the locale, exceptions in flight), and
// only libc can make a block that it understands. A block belongs to the fiber with the same
// number in every execution, and is put back to how it was when its thread was made.
#pragma once

#include <cstdint>

namespace heddle::runtime {

// The thread pointer of the block with that number; makes it if it is not there.
std::uint64_t parked_thread_pointer(std::uint32_t number);
// Puts the block back to how it was.
void restore_parked(std::uint32_t number);

// While libc makes such a thread: what it allocates must not be reset.
extern bool makes_parked_thread;

// Where thread-local variables of modules lie below a thread pointer.
std::uint64_t thread_local_bytes();

}  // namespace heddle::runtime
