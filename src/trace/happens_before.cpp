#include "trace/happens_before.h"

#include <algorithm>
#include <vector>

namespace heddle {

// Follows what every thread knows, and what every object would hand on, while the
// trace passes by.
class HappensBefore::Builder {
 public:
  Builder(HappensBefore& result, const Cells& cells)
      : trace_(*result.trace_),
        order_(*result.order_),
        cells_(cells),
        clocks_(result.clocks_),
        clock_of_stretch_(result.clock_),
        threads_(trace_.tables.threads.size()),
        released_(trace_.tables.locks.size(), Clocks::zero()),
        reader_released_(trace_.tables.locks.size(), Clocks::zero()),
        published_(cells.size(), Clocks::zero()),
        waiters_(trace_.tables.conditions.size()),
        posted_(trace_.tables.semaphores.size(), Clocks::zero()),
        barriers_(trace_.tables.barriers.size()),
        onces_(trace_.tables.onces.size(), Clocks::zero()) {}

  void take(EventId e) {
    const ThreadId thread = trace_.thread(e);
    if (learns_from_others(trace_.kind(e), trace_.order(e))) learn(e, threads_[thread]);
    clock_of_stretch_[order_.stretch(e)] = threads_[thread].knows;
    hand_on(e, thread);
  }

 private:
  struct ThreadState {
    ClockId knows = Clocks::zero();          // without its own component
    ClockId notified = Clocks::zero();       // by the notifies since it began to wait
    ClockId release_fence = Clocks::zero();  // what its relaxed writes hand on
    ClockId seen_relaxed = Clocks::zero();   // what an acquire fence will make known
    std::size_t generation = 0;              // of the barrier that it arrived at
  };
  struct BarrierState {
    std::vector<ClockId> arrived = {Clocks::zero()};  // per generation
    std::uint32_t count = 0;                          // arrivals in the last one
  };

  // All that the thread knows up to and including e, for others to learn.
  ClockId stamp(EventId e) {
    const ThreadId thread = trace_.thread(e);
    return clocks_.with(threads_[thread].knows, thread, order_.stretch_in_thread(e) + 1);
  }

  void add(ClockId& to, ClockId more) { to = clocks_.join(to, more); }

  void learn(EventId e, ThreadState& self) {
    switch (trace_.kind(e)) {
      case EventKind::acquire: add(self.knows, reader_released_[trace_.lock(e)]); [[fallthrough]];
      case EventKind::reader_acquire: return add(self.knows, released_[trace_.lock(e)]);
      case EventKind::join: return add(self.knows, final_clock(trace_.other_thread(e)));
      case EventKind::wake: return add(self.knows, self.notified);
      case EventKind::semaphore_wait: return add(self.knows, posted_[trace_.semaphore(e)]);
      case EventKind::barrier_leave:
        return add(self.knows, arrivals(trace_.barrier(e), self.generation));
      case EventKind::once_begin:
      case EventKind::once_pass: return add(self.knows, onces_[trace_.once(e)]);
      case EventKind::fence: return add(self.knows, self.seen_relaxed);
      case EventKind::atomic_read:
      case EventKind::atomic_rmw: return add(self.knows, seen_by(e));
      default: return;  // begin: the fork has handed over its clock already
    }
  }

  void hand_on(EventId e, ThreadId thread) {
    switch (trace_.kind(e)) {
      case EventKind::release: released_[trace_.lock(e)] = stamp(e); return;
      case EventKind::reader_release: return add(reader_released_[trace_.lock(e)], stamp(e));
      case EventKind::fork: return add(threads_[trace_.other_thread(e)].knows, stamp(e));
      case EventKind::wait: return begin_wait(e, thread);
      case EventKind::wake:
      case EventKind::timeout: std::erase(waiters_[trace_.condition(e)], thread); return;
      case EventKind::notify:
      case EventKind::notify_all:
        for (ThreadId waiter : waiters_[trace_.condition(e)]) {
          add(threads_[waiter].notified, stamp(e));
        }
        return;
      case EventKind::semaphore_post: return add(posted_[trace_.semaphore(e)], stamp(e));
      case EventKind::barrier_arrive: return arrive(e, thread);
      case EventKind::once_end:
      case EventKind::once_abort: onces_[trace_.once(e)] = stamp(e); return;
      case EventKind::fence:
        if (is_release_order(trace_.order(e))) threads_[thread].release_fence = stamp(e);
        return;
      case EventKind::atomic_read: return add(threads_[thread].seen_relaxed, seen_by(e));
      case EventKind::atomic_rmw:
        add(threads_[thread].seen_relaxed, seen_by(e));
        return publish(e, threads_[thread], true);
      case EventKind::atomic_write: return publish(e, threads_[thread], false);
      case EventKind::write:
        for (CellId cell : cells_.cells_of(trace_.location(e))) published_[cell] = Clocks::zero();
        return;
      default: return;
    }
  }

  // What the writes that an atomic read sees have published.
  ClockId seen_by(EventId e) {
    ClockId seen = Clocks::zero();
    for (CellId cell : cells_.cells_of(trace_.location(e))) add(seen, published_[cell]);
    return seen;
  }

  // A read-modify-write continues the release sequence that it reads from.
  void publish(EventId e, const ThreadState& self, bool continues) {
    const ClockId own = is_release_order(trace_.order(e)) ? stamp(e) : self.release_fence;
    for (CellId cell : cells_.cells_of(trace_.location(e))) {
      if (!continues) published_[cell] = Clocks::zero();
      add(published_[cell], own);
    }
  }

  // A thread's clock after its last event.
  ClockId final_clock(ThreadId thread) {
    const std::uint32_t stretches =
        order_.first_stretch(thread.next()).value() - order_.first_stretch(thread).value();
    return clocks_.with(threads_[thread].knows, thread, stretches);
  }

  void begin_wait(EventId e, ThreadId thread) {
    released_[trace_.lock_of_wait(e)] = stamp(e);
    threads_[thread].notified = Clocks::zero();
    waiters_[trace_.condition(e)].push_back(thread);
  }

  void arrive(EventId e, ThreadId thread) {
    BarrierState& barrier = barriers_[trace_.barrier(e)];
    threads_[thread].generation = barrier.arrived.size() - 1;
    add(barrier.arrived.back(), stamp(e));
    if (++barrier.count < trace_.tables.barriers[trace_.barrier(e)].parties) return;
    barrier.count = 0;
    barrier.arrived.push_back(Clocks::zero());
  }

  ClockId arrivals(BarrierId barrier, std::size_t generation) const {
    const std::vector<ClockId>& arrived = barriers_[barrier].arrived;
    return generation < arrived.size() ? arrived[generation] : Clocks::zero();
  }

  const Trace& trace_;
  const ThreadOrder& order_;
  const Cells& cells_;
  Clocks& clocks_;
  Table<StretchId, ClockId>& clock_of_stretch_;
  Table<ThreadId, ThreadState> threads_;
  Table<LockId, ClockId> released_;         // by its last writer
  Table<LockId, ClockId> reader_released_;  // by its readers
  Table<CellId, ClockId> published_;        // by the release sequence of the last write
  Table<ConditionId, std::vector<ThreadId>> waiters_;
  Table<SemaphoreId, ClockId> posted_;
  Table<BarrierId, BarrierState> barriers_;
  Table<OnceId, ClockId> onces_;
};

HappensBefore::HappensBefore(const Trace& trace, const ThreadOrder& order, const Cells& cells)
    : trace_(&trace),
      order_(&order),
      clocks_(trace.tables.threads.size()),
      clock_(order.stretch_count(), Clocks::zero()) {
  Builder builder(*this, cells);
  for (EventId e : trace.events()) builder.take(e);
  clocks_.shrink();
}

std::uint32_t HappensBefore::events_before(EventId e, ThreadId other) const {
  if (other == trace_->thread(e)) return order_->index_in_thread(e);
  const std::uint32_t stretches = stretches_before(e, other);
  const StretchId next(order_->first_stretch(other).value() + stretches);
  return next == order_->first_stretch(other.next())
             ? static_cast<std::uint32_t>(order_->event_count(other))
             : order_->first_index(next);
}

}  // namespace heddle
