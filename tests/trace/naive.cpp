#include "tests/trace/naive.h"

#include <algorithm>

namespace heddle::naive {
namespace {

EventId event_number(std::size_t i) { return EventId(static_cast<std::uint32_t>(i)); }

// The last event before `e` of the same thread that `wanted` accepts.
template <typename F>
EventId before_in_thread(const Trace& trace, EventId e, F wanted) {
  for (std::uint32_t i = e.value(); i-- > 0;) {
    const EventId earlier(i);
    if (trace.thread(earlier) == trace.thread(e) && wanted(earlier)) return earlier;
  }
  return EventId::none();
}

struct Relation {
  const Trace& trace;
  std::vector<std::vector<bool>> before;  // before[b][a]: a happens before b

  explicit Relation(const Trace& t)
      : trace(t), before(t.size(), std::vector<bool>(t.size(), false)) {}

  void edge(EventId a, EventId b) { before[b.value()][a.value()] = true; }

  void close() {
    // Edges point forward in the trace, so one pass from the front is enough.
    for (std::size_t b = 0; b < before.size(); ++b) {
      for (std::size_t a = 0; a < b; ++a) {
        if (!before[b][a]) continue;
        for (std::size_t c = 0; c < a; ++c) {
          if (before[a][c]) before[b][c] = true;
        }
      }
    }
  }
};

bool is_reader_release(EventKind kind) { return kind == EventKind::reader_release; }

bool releases_lock(const Trace& trace, EventId e, LockId lock) {
  switch (trace.kind(e)) {
    case EventKind::release:
    case EventKind::reader_release: return trace.lock(e) == lock;
    case EventKind::wait: return trace.lock_of_wait(e) == lock;
    default: return false;
  }
}

bool is_notify(EventKind kind) {
  return kind == EventKind::notify || kind == EventKind::notify_all;
}

// Which generation of its barrier an arrival belongs to.
std::size_t generation(const Trace& trace, EventId arrival) {
  std::size_t earlier = 0;
  for (std::uint32_t i = 0; i < arrival.value(); ++i) {
    const EventId e(i);
    if (trace.kind(e) == EventKind::barrier_arrive && trace.object(e) == trace.object(arrival)) {
      ++earlier;
    }
  }
  return earlier / trace.tables.barriers[trace.barrier(arrival)].parties;
}

EventId own_arrival(const Trace& trace, EventId leave) {
  return before_in_thread(trace, leave,
                          [&](EventId e) { return trace.kind(e) == EventKind::barrier_arrive; });
}

// Whether the synchronisation event a is one that b learns from (a stands before b).
bool synchronises(const Trace& trace, EventId a, EventId b) {
  const bool same_object = object_type(trace.kind(a)) == object_type(trace.kind(b)) &&
                           trace.object(a) == trace.object(b);
  switch (trace.kind(b)) {
    case EventKind::acquire: return releases_lock(trace, a, trace.lock(b));
    case EventKind::reader_acquire:
      return releases_lock(trace, a, trace.lock(b)) && !is_reader_release(trace.kind(a));
    case EventKind::join:  // also after the fork of a thread that did nothing
      return trace.thread(a) == trace.other_thread(b) ||
             (trace.kind(a) == EventKind::fork && same_object);
    case EventKind::wake: {
      const EventId wait =
          before_in_thread(trace, b, [&](EventId e) { return trace.kind(e) == EventKind::wait; });
      return is_notify(trace.kind(a)) && same_object && a > wait;
    }
    case EventKind::semaphore_wait:
      return trace.kind(a) == EventKind::semaphore_post && same_object;
    case EventKind::barrier_leave:
      return trace.kind(a) == EventKind::barrier_arrive && same_object &&
             generation(trace, a) == generation(trace, own_arrival(trace, b));
    case EventKind::once_begin:
    case EventKind::once_pass:
      return (trace.kind(a) == EventKind::once_end || trace.kind(a) == EventKind::once_abort) &&
             same_object;
    default: return trace.kind(a) == EventKind::fork && trace.other_thread(a) == trace.thread(b);
  }
}

// Adds the edges from what `write` and the release sequence before it publish on a byte.
void add_published(Relation& relation, EventId write, const Byte& byte, EventId learner) {
  const Trace& trace = relation.trace;
  while (write != kInitialWrite && is_atomic(trace.kind(write))) {
    if (is_release_order(trace.order(write))) {
      relation.edge(write, learner);
    } else {
      const EventId fence = before_in_thread(trace, write, [&](EventId e) {
        return trace.kind(e) == EventKind::fence && is_release_order(trace.order(e));
      });
      if (fence.valid()) relation.edge(fence, learner);
    }
    if (trace.kind(write) != EventKind::atomic_rmw) return;
    write = seen_writes(trace, write).at(byte);
  }
}

void add_atomic_edges(Relation& relation, EventId read) {
  const Trace& trace = relation.trace;
  std::vector<EventId> learners;
  if (is_acquire_order(trace.order(read))) learners.push_back(read);
  for (std::size_t i = read.value() + 1; i < trace.size(); ++i) {
    const EventId e = event_number(i);
    if (trace.thread(e) == trace.thread(read) && trace.kind(e) == EventKind::fence &&
        is_acquire_order(trace.order(e))) {
      learners.push_back(e);
    }
  }
  for (const auto& [byte, write] : seen_writes(trace, read)) {
    for (EventId learner : learners) add_published(relation, write, byte, learner);
  }
}

}  // namespace

std::vector<Byte> bytes_of(const Trace& trace, LocationId id) {
  const LocationInfo& location = trace.tables.locations[id];
  constexpr std::uint64_t kAlone = std::uint64_t{1} << 32;
  if (!location.region.valid()) return {{kAlone + id.value(), 0}};
  std::vector<Byte> bytes;
  for (std::uint32_t i = 0; i < location.size; ++i) {
    bytes.emplace_back(location.region.value(), location.offset + i);
  }
  return bytes;
}

std::map<Byte, EventId> seen_writes(const Trace& trace, EventId read) {
  std::map<Byte, EventId> seen;
  for (const Byte& byte : bytes_of(trace, trace.location(read))) seen[byte] = kInitialWrite;
  for (std::uint32_t i = 0; i < read.value(); ++i) {
    const EventId e(i);
    if (!writes(trace.kind(e))) continue;
    for (const Byte& byte : bytes_of(trace, trace.location(e))) {
      if (seen.contains(byte)) seen[byte] = e;
    }
  }
  return seen;
}

std::vector<std::vector<bool>> happens_before(const Trace& trace) {
  Relation relation(trace);
  for (EventId b : trace.events()) {
    for (std::uint32_t i = 0; i < b.value(); ++i) {
      const EventId a(i);
      if (trace.thread(a) == trace.thread(b) || synchronises(trace, a, b)) relation.edge(a, b);
    }
    // A fork precedes all of the child, whatever the child's first event is.
    for (std::uint32_t i = 0; i < b.value(); ++i) {
      const EventId a(i);
      if (trace.kind(a) == EventKind::fork && trace.other_thread(a) == trace.thread(b)) {
        relation.edge(a, b);
      }
    }
    const EventKind kind = trace.kind(b);
    if (kind == EventKind::atomic_read || kind == EventKind::atomic_rmw) {
      add_atomic_edges(relation, b);
    }
  }
  relation.close();
  return relation.before;
}

std::vector<EventId> held(const Trace& trace, EventId e) {
  std::vector<EventId> open;
  for (std::uint32_t i = 0; i <= e.value(); ++i) {
    const EventId earlier(i);
    if (trace.thread(earlier) != trace.thread(e)) continue;
    const EventKind kind = trace.kind(earlier);
    if (kind == EventKind::acquire || kind == EventKind::reader_acquire) open.push_back(earlier);
    if (earlier == e) break;  // a release is still in its own scope
    for (std::size_t s = open.size(); s-- > 0;) {
      if (!releases_lock(trace, earlier, trace.lock(open[s]))) continue;
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(s));
      break;
    }
  }
  std::vector<EventId> outermost;
  for (EventId acquire : open) {
    const bool again = std::any_of(outermost.begin(), outermost.end(), [&](EventId other) {
      return trace.lock(other) == trace.lock(acquire);
    });
    if (!again) outermost.push_back(acquire);
  }
  return outermost;
}

}  // namespace heddle::naive
