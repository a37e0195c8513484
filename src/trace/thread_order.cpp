#include "trace/thread_order.h"

#include <algorithm>

namespace heddle {

bool learns_from_others(EventKind kind, MemoryOrder order) {
  switch (kind) {
    case EventKind::acquire:
    case EventKind::reader_acquire:
    case EventKind::join:
    case EventKind::begin:
    case EventKind::wake:
    case EventKind::semaphore_wait:
    case EventKind::barrier_leave:
    case EventKind::once_begin:
    case EventKind::once_pass: return true;
    case EventKind::atomic_read:
    case EventKind::atomic_rmw:
    case EventKind::fence: return is_acquire_order(order);
    default: return false;
  }
}

bool teaches_others(EventKind kind, MemoryOrder order) {
  switch (kind) {
    case EventKind::release:
    case EventKind::reader_release:
    case EventKind::fork:
    case EventKind::wait:
    case EventKind::notify:
    case EventKind::notify_all:
    case EventKind::semaphore_post:
    case EventKind::barrier_arrive:
    case EventKind::once_end:
    case EventKind::once_abort: return true;
    case EventKind::atomic_write:
    case EventKind::atomic_rmw:
    case EventKind::fence: return is_release_order(order);
    default: return false;
  }
}

ThreadOrder::ThreadOrder(const Trace& trace)
    : trace_(&trace),
      first_position_(trace.tables.threads.size() + 1, 0),
      by_thread_(trace.size()),
      index_(trace.size()) {
  const std::size_t threads = trace.tables.threads.size();
  Table<ThreadId, std::uint32_t> count(threads, 0);
  for (EventId e : trace.events()) index_[e] = count[trace.thread(e)]++;
  for (ThreadId t : indices<ThreadId>(threads)) {
    first_position_[t.next()] = first_position_[t] + count[t];
  }
  for (EventId e : trace.events()) by_thread_[first_position_[trace.thread(e)] + index_[e]] = e;

  first_stretch_.reserve(threads + 1);
  for (ThreadId t : indices<ThreadId>(threads)) {
    first_stretch_.add(StretchId(begins_.ones()));
    bool begins = true;
    std::uint32_t index = 0;
    for (EventId e : events_of(t)) {
      begins = begins || learns_from_others(trace.kind(e), trace.order(e));
      begins_.push_back(begins);
      if (begins) first_index_.add(index);
      begins = teaches_others(trace.kind(e), trace.order(e));
      ++index;
    }
  }
  first_stretch_.add(StretchId(begins_.ones()));
  begins_.shrink();
  first_index_.shrink();
}

ThreadId ThreadOrder::thread_of(StretchId stretch) const {
  const auto after = std::upper_bound(first_stretch_.begin(), first_stretch_.end(), stretch);
  return ThreadId(static_cast<std::uint32_t>(after - first_stretch_.begin() - 1));
}

std::size_t ThreadOrder::memory_bytes() const {
  return first_position_.memory_bytes() + by_thread_.capacity() * sizeof(EventId) +
         index_.memory_bytes() + begins_.memory_bytes() + first_stretch_.memory_bytes() +
         first_index_.memory_bytes();
}

}  // namespace heddle
