#include "runtime/waypoint.h"

#include "runtime/allocator.h"
#include "runtime/explored_program.h"
#include "runtime/gate.h"
#include "runtime/memory.h"
#include "runtime/parked_threads.h"
#include "runtime/race_detector.h"
#include "runtime/snapshot.h"

namespace heddle::runtime {
namespace {

using explored::kMostWaypoints;

// Bytes of a run of memory, behind one another in a waypoint's buffer.
struct Piece {
  std::uint64_t address;
  std::uint64_t size;
};

struct Waypoint {
  char* buffer = nullptr;
  std::uint64_t capacity = 0;
  std::uint64_t size = 0;
  std::uint64_t pages = 0;  // of the snapshot, those that were written to by then, come first
  std::uint32_t threads = 0;
  WatchedCells watched = {};
  Positions positions = {};
};

KEPT constinit Waypoint waypoints[kMostWaypoints];
KEPT std::uint64_t last_size;
KEPT bool forbidden;

void make_room(Waypoint& waypoint, std::uint64_t size) {
  if (waypoint.size + size <= waypoint.capacity) return;
  const std::uint64_t capacity = (waypoint.size + size) * 2;
  auto* buffer = static_cast<char*>(map_kept_pages(capacity));
  copy_bytes(buffer, waypoint.buffer, waypoint.size);
  if (waypoint.buffer != nullptr) unmap_kept_pages(waypoint.buffer, waypoint.capacity);
  waypoint.buffer = buffer;
  waypoint.capacity = capacity;
}

void keep_bytes_of(Waypoint& waypoint, std::uint64_t address, std::uint64_t size) {
  make_room(waypoint, size);
  copy_bytes(waypoint.buffer + waypoint.size, reinterpret_cast<void*>(address), size);
  waypoint.size += size;
}

void keep_piece(void* data, std::uint64_t low, std::uint64_t high) {
  auto& waypoint = *static_cast<Waypoint*>(data);
  if (low >= high) return;
  const Piece piece = {low, high - low};
  keep_bytes_of(waypoint, reinterpret_cast<std::uint64_t>(&piece), sizeof piece);
  keep_bytes_of(waypoint, low, piece.size);
}

void keep_pages(Waypoint& waypoint) {
  const SnapshotPages pages = snapshot_pages();
  waypoint.pages = pages.count;
  for (std::uint64_t i = 0; i < pages.count; ++i) {
    keep_bytes_of(waypoint, pages.copies[i].address, pages.copies[i].size);
  }
}

void keep_threads(Waypoint& waypoint) {
  waypoint.threads = gate.threads();
  for (std::size_t i = 0; i < gate.live().size(); ++i) {
    visit_memory_of(*gate.live()[i], keep_piece, &waypoint);
  }
}

// What has come since the snapshot, and lies behind all that it knows.
void keep_new_memory(Waypoint& waypoint) {
  const MemoryRange own = resettable_memory();
  keep_piece(&waypoint, snapshot_end(own), own.high);
  for (std::uint32_t i = 0; i < gate.threads() && i < kArenas; ++i) {
    const MemoryRange heap = allocated_range(i);
    keep_piece(&waypoint, snapshot_end(heap), heap.high);
  }
}

const char* put_back(std::uint64_t address, const char* bytes, std::uint64_t size) {
  copy_bytes(reinterpret_cast<void*>(address), bytes, size);
  return bytes + size;
}

void put_back_pages(const Waypoint& waypoint, const char*& bytes) {
  const SnapshotPages pages = snapshot_pages();
  for (std::uint64_t i = 0; i < pages.count; ++i) {
    const SnapshotCopy& copy = pages.copies[i];
    if (i < waypoint.pages) {
      bytes = put_back(copy.address, bytes, copy.size);
    } else {
      put_back(copy.address, copy.image, copy.size);
    }
  }
}

}  // namespace

bool set_waypoint(std::uint32_t number) {
  if (forbidden || number >= kMostWaypoints) return false;
  if (holds_more_than_memory()) {
    forbidden = true;
    return false;
  }
  Waypoint& waypoint = waypoints[number];
  waypoint.size = 0;
  keep_pages(waypoint);
  keep_threads(waypoint);
  keep_new_memory(waypoint);
  keep_watched(waypoint.watched);
  keep_positions(waypoint.positions);
  last_size = waypoint.size + waypoint.watched.count * sizeof(std::uint64_t) * 16;
  return true;
}

void return_to_waypoint(std::uint32_t number) {
  const Waypoint& waypoint = waypoints[number];
  for (std::uint32_t i = waypoint.threads; i < gate.threads(); ++i) restore_parked(i);
  restore_outside_of_memory();
  const char* bytes = waypoint.buffer;
  put_back_pages(waypoint, bytes);
  while (bytes < waypoint.buffer + waypoint.size) {
    Piece piece;
    copy_bytes(&piece, bytes, sizeof piece);
    bytes = put_back(piece.address, bytes + sizeof piece, piece.size);
  }
  watch_again(waypoint.watched);
  restore_positions(waypoint.positions);
}

std::uint64_t waypoint_bytes() { return forbidden ? 0 : last_size; }

void forbid_waypoints() { forbidden = true; }

}  // namespace heddle::runtime
