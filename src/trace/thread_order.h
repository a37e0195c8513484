// Each thread's own sequence of events, and its stretches.
//
// A stretch is a run of one thread's events with no synchronisation inside: what a
// thread knows of the others and which locks it holds cannot change within it. An
// event that learns something from another thread (an acquire, a join, a wake, ...)
// starts a stretch; one that lets others learn (a release, a fork, a notify, ...) ends
// one. So clocks and held locks are kept per stretch, not per event.
//
// Events are also numbered thread by thread (their position); a bit per position marks
// the stretch beginnings, and a rank over these bits is the stretch's number. That
// makes "stretch of an event" two array accesses at the price of 1.5 bits per event.
// Stretches are numbered thread by thread too, so a thread's stretches are a range.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/index.h"
#include "base/rank_bits.h"
#include "trace/trace.h"

namespace heddle {

using StretchId = Index<struct StretchTag>;

class ThreadOrder {
 public:
  explicit ThreadOrder(const Trace& trace);

  std::span<const EventId> events_of(ThreadId thread) const {
    return {by_thread_.data() + first_position_[thread], event_count(thread)};
  }
  std::size_t event_count(ThreadId thread) const {
    return first_position_[thread.next()] - first_position_[thread];
  }
  std::uint32_t index_in_thread(EventId e) const { return index_[e]; }

  StretchId stretch(EventId e) const {
    const std::size_t position = first_position_[trace_->thread(e)] + index_[e];
    return StretchId(begins_.rank(position + 1) - 1);
  }
  std::size_t stretch_count() const { return begins_.ones(); }
  // The first of a thread's stretches; that of the next thread is one past its last.
  StretchId first_stretch(ThreadId thread) const { return first_stretch_[thread]; }
  // The how-many-th of its thread the event's stretch is.
  std::uint32_t stretch_in_thread(EventId e) const {
    return stretch(e).value() - first_stretch_[trace_->thread(e)].value();
  }
  ThreadId thread_of(StretchId stretch) const;
  // The first event of a stretch, as an index in its thread.
  std::uint32_t first_index(StretchId stretch) const { return first_index_[stretch]; }

  std::size_t memory_bytes() const;

 private:
  const Trace* trace_;
  Table<ThreadId, std::uint32_t> first_position_;  // one more than there are threads
  std::vector<EventId> by_thread_;                 // by position
  Table<EventId, std::uint32_t> index_;
  RankBits begins_;                           // by position
  Table<ThreadId, StretchId> first_stretch_;  // one more than there are threads
  Table<StretchId, std::uint32_t> first_index_;
};

// Whether an event of this kind starts a stretch, or ends one.
bool learns_from_others(EventKind kind, MemoryOrder order);
bool teaches_others(EventKind kind, MemoryOrder order);

}  // namespace heddle
