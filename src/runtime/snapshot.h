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

#include "runtime/memory.h"
#include "runtime/thread.h"

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

// For those who go back to other moments (waypoint.h):

// A run of bytes that is put back.
struct SnapshotCopy {
  std::uint64_t address;
  const char* image;
  std::uint64_t size;
};
// The pages that were written to so far; they only become more.
struct SnapshotPages {
  const SnapshotCopy* copies;
  std::uint64_t count;
};
SnapshotPages snapshot_pages();
// Where that part of the range ends that is part of the snapshot.
std::uint64_t snapshot_end(const MemoryRange& range);

// A thread that stands: its stack, its thread-locals, and what the runtime keeps beside them.
using MemoryVisitor = void (*)(void* data, std::uint64_t low, std::uint64_t high);
void visit_memory_of(Thread& thread, MemoryVisitor visit, void* data);

// The program has opened something since the snapshot, or libc has taken more memory.
bool holds_more_than_memory();
// Closes it, and gives it back.
void restore_outside_of_memory();

// Where the files stand that were open when the snapshot was taken.
inline constexpr std::uint32_t kMostPositions = 16;
struct Positions {
  std::uint32_t count = 0;
  struct {
    std::uint32_t descriptor = 0;
    std::int64_t offset = 0;
  } files[kMostPositions] = {};
};
void keep_positions(Positions& positions);
void restore_positions(const Positions& positions);

}  // namespace heddle::runtime
