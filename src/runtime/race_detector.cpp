#include "runtime/race_detector.h"

#include <emmintrin.h>

#include "runtime/exploration.h"
#include "runtime/memory.h"

namespace heddle::runtime {

constexpr std::uint32_t kMostClocks = 64;

struct Clock {
  std::uint32_t time[kMostClocks];
};

namespace {

constexpr std::uint64_t kWatchedBytes = 8;
constexpr std::uint32_t kRemembered = 7;
constexpr std::uint64_t kLargest = std::uint64_t{64} << 10;  // of a block, as far as it is watched

struct Remembered {
  std::uint64_t pc;
  std::uint32_t time;
  std::uint8_t thread;
  std::uint8_t bytes;  // a bit for each
  bool writes;
  bool frees;
};
struct Cell {
  std::uint64_t granule;
  std::uint32_t execution;  // cells of earlier ones are empty
  std::uint32_t count;
  Remembered accesses[kRemembered];
};

// A hash table that is emptied by counting executions.
KEPT Cell* cells;
KEPT std::uint64_t capacity;
KEPT std::uint64_t used;
KEPT std::uint32_t execution;
KEPT std::uint32_t* used_places;  // where the cells in use are

std::uint32_t clocks;  // threads that have one
bool watches;          // not before main() begins
Map<Clock*> atomics;   // by address

Clock* new_clock() { return static_cast<Clock*>(keep_bytes(sizeof(Clock))); }

// Four times at once. They are compared as if they had a sign, which they are too small to
// show: an execution would have to take two billion steps.
void join(Clock* to, const Clock* from) {
  for (std::uint32_t i = 0; from != nullptr && i < clocks; i += 4) {
    auto* target = reinterpret_cast<__m128i*>(to->time + i);
    const __m128i ours = _mm_loadu_si128(target);
    const __m128i theirs = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from->time + i));
    const __m128i later = _mm_cmpgt_epi32(theirs, ours);
    _mm_storeu_si128(target,
                     _mm_or_si128(_mm_and_si128(later, theirs), _mm_andnot_si128(later, ours)));
  }
}

void publish(Clock*& to, const Clock* from) {
  if (to == nullptr) to = new_clock();
  join(to, from);
}

void replace(Clock*& to, const Clock* from) {
  if (to == nullptr) to = new_clock();
  for (std::uint32_t i = 0; i < clocks; ++i) to->time[i] = from->time[i];
}

void tick(Thread& thread) { ++thread.clock->time[thread.id]; }

std::uint64_t place_of(std::uint64_t granule) {
  return (granule * 0x9e3779b97f4a7c15 >> 20) & (capacity - 1);
}

Cell& cell_in(std::uint64_t granule) {
  for (std::uint64_t i = place_of(granule);; i = (i + 1) & (capacity - 1)) {
    Cell& cell = cells[i];
    if (cell.execution == execution && cell.granule == granule) return cell;
    if (cell.execution == execution) continue;
    cell.execution = execution;
    cell.granule = granule;
    cell.count = 0;
    used_places[used++] = static_cast<std::uint32_t>(i);
    return cell;
  }
}

void grow() {
  Cell* old = cells;
  std::uint32_t* old_places = used_places;
  const std::uint64_t old_capacity = capacity;
  const std::uint64_t old_used = used;
  capacity = capacity == 0 ? 1024 : capacity * 2;
  cells = static_cast<Cell*>(map_kept_pages(capacity * sizeof(Cell)));
  used_places = static_cast<std::uint32_t*>(map_kept_pages(capacity * sizeof(std::uint32_t)));
  used = 0;
  for (std::uint64_t i = 0; i < old_used; ++i) {
    const Cell& cell = old[old_places[i]];
    copy_bytes(&cell_in(cell.granule), &cell, sizeof(Cell));
  }
  if (old == nullptr) return;
  unmap_kept_pages(old, old_capacity * sizeof(Cell));
  unmap_kept_pages(old_places, old_capacity * sizeof(std::uint32_t));
}

Cell& cell_of(std::uint64_t granule) {
  if ((used + 1) * 2 > capacity) grow();
  return cell_in(granule);
}

bool happens_before(const Remembered& earlier, const Thread& thread) {
  return earlier.time <= thread.clock->time[earlier.thread];
}

char* add_words(char* to, const char* words) {
  while (*words != 0) *to++ = *words++;
  return to;
}

char* add_thread(char* to, std::uint32_t thread) {
  if (thread == 0) return add_words(to, "main");
  to = add_words(to, "thread ");
  if (thread >= 10) *to++ = static_cast<char>('0' + thread / 10);
  *to++ = static_cast<char>('0' + thread % 10);
  return to;
}

void report_race(const Thread& thread, bool writes, const Remembered& earlier, std::uint64_t pc) {
  char text[128];
  char* end = add_thread(text, thread.id);
  end = add_words(end, writes ? " writes what " : " reads what ");
  end = add_thread(end, earlier.thread);
  end = add_words(end, earlier.frees    ? " frees, and nothing orders the two"
                       : earlier.writes ? " writes, and nothing orders the two"
                                        : " reads, and nothing orders the two");
  *end = 0;
  note_race(text, pc, earlier.thread, earlier.pc);
}

// What an access makes superfluous: what it covers, and what happens before it.
bool replaces(const Remembered& newer, const Remembered& older) {
  return (older.bytes & ~newer.bytes) == 0 && (newer.writes || !older.writes);
}

// True if the access may be remembered in the place of those that it replaces.
void remember(Cell& cell, const Thread& thread, const Remembered& access) {
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < cell.count; ++i) {
    const Remembered& older = cell.accesses[i];
    if (happens_before(older, thread) && replaces(access, older)) continue;
    cell.accesses[kept++] = older;
  }
  if (kept == kRemembered) {
    for (std::uint32_t i = 0; i + 1 < kept; ++i) cell.accesses[i] = cell.accesses[i + 1];
    --kept;
  }
  cell.accesses[kept++] = access;
  cell.count = kept;
}

void touch(Cell& cell, const Thread& thread, const Remembered& access) {
  for (std::uint32_t i = 0; i < cell.count; ++i) {
    const Remembered& earlier = cell.accesses[i];
    if ((earlier.bytes & access.bytes) == 0) continue;
    if (earlier.frees && happens_before(earlier, thread)) {
      note_wrong(explored::Wrong::memory, "memory is used after it was freed", access.pc);
      continue;
    }
    if (earlier.thread == thread.id || (!earlier.writes && !access.writes)) continue;
    if (!happens_before(earlier, thread)) report_race(thread, access.writes, earlier, access.pc);
  }
  remember(cell, thread, access);
}

std::uint8_t bytes_in(std::uint64_t granule, std::uint64_t address, std::uint64_t size) {
  const std::uint64_t low = granule * kWatchedBytes;
  const std::uint64_t from = address > low ? address - low : 0;
  const std::uint64_t to =
      address + size - low < kWatchedBytes ? address + size - low : kWatchedBytes;
  return static_cast<std::uint8_t>(((1u << to) - 1) & ~((1u << from) - 1));
}

void touch_all(Thread& thread, std::uint64_t address, std::uint64_t size, Remembered access) {
  access.time = thread.clock->time[thread.id];
  access.thread = static_cast<std::uint8_t>(thread.id);
  for (std::uint64_t granule = address / kWatchedBytes; granule * kWatchedBytes < address + size;
       ++granule) {
    access.bytes = bytes_in(granule, address, size);
    touch(cell_of(granule), thread, access);
  }
}

bool acquires(int order) {
  return order == __ATOMIC_ACQUIRE || order == __ATOMIC_CONSUME || order == __ATOMIC_ACQ_REL ||
         order == __ATOMIC_SEQ_CST;
}
bool releases(int order) {
  return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

}  // namespace

void begin_watching(Thread& main_thread) {
  ++execution;
  used = 0;
  clocks = 1;
  watches = true;
  main_thread.clock = new_clock();
  main_thread.clock->time[0] = 1;
}

void keep_watched(WatchedCells& kept) {
  if (used > kept.capacity) {
    if (kept.cells != nullptr) unmap_kept_pages(kept.cells, kept.capacity * sizeof(Cell));
    kept.capacity = used * 2;
    kept.cells = map_kept_pages(kept.capacity * sizeof(Cell));
  }
  kept.count = used;
  auto* copies = static_cast<Cell*>(kept.cells);
  for (std::uint64_t i = 0; i < used; ++i) {
    copy_bytes(&copies[i], &cells[used_places[i]], sizeof(Cell));
  }
}

void watch_again(const WatchedCells& kept) {
  ++execution;
  used = 0;
  const auto* copies = static_cast<const Cell*>(kept.cells);
  for (std::uint64_t i = 0; i < kept.count; ++i) {
    Cell& cell = cell_in(copies[i].granule);
    copy_bytes(&cell, &copies[i], sizeof(Cell));
    cell.execution = execution;
  }
}

void watch_access(Thread& thread, EventKind kind, std::uint64_t address, std::uint64_t size,
                  std::uint64_t pc) {
  if (!watches) return;
  Remembered access = {};
  access.pc = pc;
  access.writes = kind == EventKind::write;
  touch_all(thread, address, size < kLargest ? size : kLargest, access);
}

void watch_allocation(std::uint64_t address, std::uint64_t size) {
  if (!watches || used == 0) return;
  if (size > kLargest) size = kLargest;
  for (std::uint64_t granule = address / kWatchedBytes; granule * kWatchedBytes < address + size;
       ++granule) {
    cell_of(granule).count = 0;
  }
}

void watch_free(Thread& thread, std::uint64_t address, std::uint64_t size, std::uint64_t pc) {
  if (!watches || size == 0) return;
  Remembered access = {};
  access.pc = pc;
  access.writes = access.frees = true;
  touch_all(thread, address, size < kLargest ? size : kLargest, access);
}

void order_by_event(Thread& thread, EventKind kind, Object& object) {
  if (!watches) return;
  switch (kind) {
    case EventKind::acquire:
      join(thread.clock, object.clock);
      return join(thread.clock, object.reader_clock);
    case EventKind::reader_acquire: return join(thread.clock, object.clock);
    case EventKind::release:
    case EventKind::wait: replace(object.clock, thread.clock); return tick(thread);
    case EventKind::reader_release: publish(object.reader_clock, thread.clock); return tick(thread);
    case EventKind::semaphore_wait:
    case EventKind::barrier_leave:
    case EventKind::once_begin:
    case EventKind::once_pass: return join(thread.clock, object.clock);
    case EventKind::semaphore_post:
    case EventKind::barrier_arrive:
    case EventKind::once_end:
    case EventKind::once_abort: publish(object.clock, thread.clock); return tick(thread);
    default: return;
  }
}

void order_by_atomic(Thread& thread, EventKind kind, std::uint64_t address, int order) {
  if (!watches) return;
  Clock** known = atomics.find(address);
  Clock* clock = known != nullptr ? *known : nullptr;
  if (kind != EventKind::atomic_write) {
    if (acquires(order)) {
      join(thread.clock, clock);
    } else if (clock != nullptr) {
      publish(thread.seen_relaxed, clock);
    }
  }
  if (kind == EventKind::atomic_read) return;
  const Clock* sent = releases(order) ? thread.clock : thread.before_fence;
  if (sent == nullptr && (kind == EventKind::atomic_rmw || clock == nullptr)) return;
  const Clock* const before = clock;
  if (sent == nullptr) {
    clock = nullptr;  // a write that carries nothing
  } else if (kind == EventKind::atomic_rmw) {
    publish(clock, sent);
  } else {
    replace(clock, sent);
  }
  if (clock != before) atomics.insert(address, clock);
  if (sent != nullptr) tick(thread);
}

void order_by_fence(Thread& thread, int order) {
  if (!watches) return;
  if (acquires(order)) join(thread.clock, thread.seen_relaxed);
  if (!releases(order)) return;
  replace(thread.before_fence, thread.clock);
  tick(thread);
}

void order_by_fork(Thread& parent, Thread& child) {
  if (!watches) return;
  if (child.id >= kMostClocks) {
    watches = false;
    return;
  }
  if (child.id >= clocks) clocks = child.id + 1;
  child.clock = new_clock();
  join(child.clock, parent.clock);
  child.clock->time[child.id] = 1;
  tick(parent);
}

void order_by_join(Thread& thread, const Thread& other) {
  if (watches) join(thread.clock, other.clock);
}

}  // namespace heddle::runtime
