#include "tests/trace/sequence_order.h"

#include <algorithm>
#include <map>
#include <optional>

namespace heddle {

std::set<Byte> bytes_of(const Trace& trace, EventId e) {
  const LocationId id =
      trace.is_final_read(e) ? trace.location_of_final_read(e) : trace.location(e);
  const LocationInfo& location = trace.tables.locations[id];
  if (!location.region.valid()) return {{true, id.value(), 0}};
  std::set<Byte> result;
  for (std::uint64_t i = 0; i < location.size; ++i) {
    result.insert({false, location.region.value(), location.offset + i});
  }
  return result;
}

bool writes_byte(const Trace& trace, EventId e, const Byte& byte) {
  if (e == kInitialWrite) return true;
  return writes(trace.kind(e)) && bytes_of(trace, e).contains(byte);
}

EventId write_before(const Trace& trace, const Sequence& sequence, std::size_t position,
                     const Byte& byte) {
  for (std::size_t i = position; i-- > 0;) {
    if (writes_byte(trace, sequence[i], byte)) return sequence[i];
  }
  return kInitialWrite;
}

namespace {

bool share_byte(const Trace& trace, EventId e, EventId f) {
  for (const Byte& byte : bytes_of(trace, e)) {
    if (bytes_of(trace, f).contains(byte)) return true;
  }
  return false;
}

bool begins_or_ends_life_of(const Trace& trace, EventId e, EventId access) {
  const bool is_life = trace.kind(e) == EventKind::alloc || trace.kind(e) == EventKind::free;
  return is_life && is_access(trace.kind(access)) &&
         trace.tables.locations[trace.location(access)].region == trace.region(e);
}

bool does(EventKind kind, char what) { return what == 'R' ? reads(kind) : writes(kind); }

// Whether the thread of a1 and a2 holds some lock all the way from the one to the other.
bool in_one_scope(const Trace& trace, EventId a1, EventId a2) {
  for (LockId lock : indices(trace.tables.locks)) {
    Sequence past;
    bool held = true;
    for (EventId e : trace.events()) {
      if (trace.thread(e) != trace.thread(a1) || e > a2) continue;
      past.push_back(e);
      if (e >= a1) held = held && times_held(trace, past, trace.thread(a1), lock, false) > 0;
    }
    if (held) return true;
  }
  return false;
}

}  // namespace

bool conflict(const Trace& trace, EventId e, EventId f) {
  if (trace.thread(e) == trace.thread(f)) return false;
  if (begins_or_ends_life_of(trace, e, f) || begins_or_ends_life_of(trace, f, e)) return true;
  if (!is_access(trace.kind(e)) || !is_access(trace.kind(f))) return false;
  if (is_atomic(trace.kind(e)) && is_atomic(trace.kind(f))) return false;
  return (writes(trace.kind(e)) || writes(trace.kind(f))) && share_byte(trace, e, f);
}

bool is_pattern(const Trace& trace, EventId a1, EventId b, EventId a2, std::string_view pattern) {
  return does(trace.kind(a1), pattern[0]) && does(trace.kind(b), pattern[1]) &&
         does(trace.kind(a2), pattern[2]);
}

bool breaks_scope(const Trace& trace, EventId a1, EventId b, EventId a2) {
  for (EventId e : {a1, b, a2}) {
    if (trace.is_final_read(e) || !is_access(trace.kind(e))) return false;
  }
  if (trace.thread(a1) != trace.thread(a2) || trace.thread(a1) == trace.thread(b)) return false;
  bool share = false;
  for (const Byte& byte : bytes_of(trace, a1)) {
    share = share || (bytes_of(trace, b).contains(byte) && bytes_of(trace, a2).contains(byte));
  }
  const bool fits = is_pattern(trace, a1, b, a2, "RWR") || is_pattern(trace, a1, b, a2, "WWR") ||
                    is_pattern(trace, a1, b, a2, "RWW") || is_pattern(trace, a1, b, a2, "WRW");
  return share && fits && in_one_scope(trace, a1, a2);
}

int times_held(const Trace& trace, const Sequence& sequence, ThreadId thread, LockId lock,
               bool only_as_writer) {
  int as_writer = 0;
  int as_reader = 0;
  for (EventId e : sequence) {
    const EventKind kind = trace.kind(e);
    if (trace.thread(e) != thread) continue;
    if (kind == EventKind::wait && trace.lock_of_wait(e) == lock) {
      --(as_writer > 0 ? as_writer : as_reader);
    }
    if (object_type(kind) != ObjectType::lock || trace.lock(e) != lock) continue;
    as_writer += (kind == EventKind::acquire) - (kind == EventKind::release);
    as_reader += (kind == EventKind::reader_acquire) - (kind == EventKind::reader_release);
  }
  return only_as_writer ? as_writer : as_writer + as_reader;
}

// --- Happens-before ---

namespace {

// The relation between positions of one sequence: edges pair by pair, then their closure.
class Order {
 public:
  Order(const Trace& trace, const Sequence& sequence)
      : trace_(trace), sequence_(sequence), before_(sequence.size()) {
    for (std::size_t j = 0; j < sequence.size(); ++j) {
      for (std::size_t i = 0; i < j; ++i) {
        if (in_program_order(i, j) || synchronises(i, j)) add(i, j);
      }
      add_atomic_edges(j);
    }
  }

  std::set<EventId> before_last() const {
    std::set<EventId> result;
    if (sequence_.empty()) return result;
    for (std::size_t i : before_.back()) result.insert(sequence_[i]);
    return result;
  }

 private:
  EventKind kind(std::size_t i) const { return trace_.kind(sequence_[i]); }
  ThreadId thread(std::size_t i) const { return trace_.thread(sequence_[i]); }
  std::uint32_t object(std::size_t i) const { return trace_.object(sequence_[i]); }

  // Edges are added from left to right, so what is before i is known when i is used.
  void add(std::size_t i, std::size_t j) {
    before_[j].insert(i);
    before_[j].insert(before_[i].begin(), before_[i].end());
  }

  bool in_program_order(std::size_t i, std::size_t j) const {
    if (thread(i) == thread(j)) return true;
    if (kind(i) == EventKind::fork && ThreadId(object(i)) == thread(j)) return true;
    return kind(j) == EventKind::join && ThreadId(object(j)) == thread(i);
  }

  bool synchronises(std::size_t i, std::size_t j) const {
    if (kind(j) == EventKind::acquire || kind(j) == EventKind::reader_acquire) {
      return releases(i, LockId(object(j)), kind(j) == EventKind::reader_acquire);
    }
    if (object_type(kind(i)) != object_type(kind(j)) || object(i) != object(j)) return false;
    switch (kind(j)) {
      case EventKind::wake: return is_notify(kind(i)) && wait_of(j) < i;
      case EventKind::semaphore_wait: return kind(i) == EventKind::semaphore_post;
      case EventKind::barrier_leave:
        return kind(i) == EventKind::barrier_arrive && generation(i) == generation(arrive_of(j));
      case EventKind::once_begin:
      case EventKind::once_pass:
        return kind(i) == EventKind::once_end || kind(i) == EventKind::once_abort;
      default: return false;
    }
  }

  static bool is_notify(EventKind kind) {
    return kind == EventKind::notify || kind == EventKind::notify_all;
  }

  // What a reader releases concerns later writers only.
  bool releases(std::size_t i, LockId lock, bool to_reader) const {
    if (kind(i) == EventKind::wait && trace_.lock_of_wait(sequence_[i]) == lock) {
      const Sequence past(sequence_.begin(), sequence_.begin() + static_cast<std::ptrdiff_t>(i));
      return !to_reader || times_held(trace_, past, thread(i), lock, true) > 0;
    }
    if (kind(i) == EventKind::release) return LockId(object(i)) == lock;
    return kind(i) == EventKind::reader_release && LockId(object(i)) == lock && !to_reader;
  }

  std::size_t wait_of(std::size_t wake) const { return previous(wake, EventKind::wait); }
  std::size_t arrive_of(std::size_t leave) const {
    return previous(leave, EventKind::barrier_arrive);
  }
  // The last event of the same thread and of the kind before j.
  std::size_t previous(std::size_t j, EventKind wanted) const {
    std::size_t i = j - 1;
    while (thread(i) != thread(j) || kind(i) != wanted) --i;
    return i;
  }

  std::uint32_t generation(std::size_t arrive) const {
    std::uint32_t earlier = 0;
    for (std::size_t i = 0; i < arrive; ++i) {
      if (kind(i) == EventKind::barrier_arrive && object(i) == object(arrive)) ++earlier;
    }
    return earlier / trace_.tables.barriers[BarrierId(object(arrive))].parties;
  }

  // Atomics. A read takes from the write that it sees and from those that this one goes back
  // to through read-modify-writes; each gives as a release, or by a release fence before it.
  void add_atomic_edges(std::size_t j) {
    if (is_acquire(j) && is_atomic(kind(j)) && reads(kind(j))) add_heads(j, j);
    if (!is_acquire(j) || kind(j) != EventKind::fence) return;
    for (std::size_t i = 0; i < j; ++i) {
      if (thread(i) == thread(j) && is_atomic(kind(i)) && reads(kind(i))) add_heads(i, j);
    }
  }

  void add_heads(std::size_t read, std::size_t to) {
    for (const Byte& byte : bytes_of(trace_, sequence_[read])) {
      std::optional<std::size_t> write = write_position(read, byte);
      while (write) {
        add_releases(*write, to);
        if (kind(*write) != EventKind::atomic_rmw) break;
        write = write_position(*write, byte);
      }
    }
  }

  void add_releases(std::size_t write, std::size_t to) {
    if (!is_atomic(kind(write))) return;
    if (is_release(write)) add(write, to);
    for (std::size_t i = 0; i < write; ++i) {
      if (thread(i) == thread(write) && kind(i) == EventKind::fence && is_release(i)) add(i, to);
    }
  }

  std::optional<std::size_t> write_position(std::size_t end, const Byte& byte) const {
    for (std::size_t i = end; i-- > 0;) {
      if (writes_byte(trace_, sequence_[i], byte)) return i;
    }
    return std::nullopt;
  }

  bool is_acquire(std::size_t i) const { return is_acquire_order(trace_.order(sequence_[i])); }
  bool is_release(std::size_t i) const { return is_release_order(trace_.order(sequence_[i])); }

  const Trace& trace_;
  const Sequence& sequence_;
  std::vector<std::set<std::size_t>> before_;
};

}  // namespace

std::set<EventId> events_before_last(const Trace& trace, const Sequence& sequence) {
  return Order(trace, sequence).before_last();
}

}  // namespace heddle
