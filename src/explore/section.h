// A section: operations that threads will certainly do next, whatever the others do, and
// all orders in which these can happen.
//
// Since every execution from here contains exactly these operations with the same
// dependencies, the Mazurkiewicz traces of the section can be enumerated without running
// anything: each is a choice of direction for every pair of dependent operations such
// that these choices and the program order form no cycle (the trace constraint systems
// of the EPOR paper). Here they are enumerated in the shape of a search tree with sleep
// sets: an operation that was explored first at a node sleeps afterwards, until a
// dependent one happens. A node is entered only if all who sleep there can still be
// woken by the rest of the section, so every leaf is a trace, every trace is one leaf, and
// no constraint system without a solution is ever built.
//
// [Metzler, Saissi, Bokor, Hesse, Suri: Efficient verification of program fragments: Eager
// POR, ATVA 2016; docs/papers.md says where this differs.]
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "explore/execution.h"
#include "system/system.h"

namespace heddle {

// At most 64 operations, so that a set of them is one machine word.
using EventSet = std::uint64_t;

class Section {
 public:
  enum class Length {
    full,   // all that is certain
    brief,  // at most one dependent operation per thread (the paper's EPOR-SH)
  };

  // Gathers the certain operations of all threads that are ready now, and counts one
  // race check per pair of them.
  void build(const System& system, Length length, CheckCounters& counters);

  EventSet all() const { return all_; }
  // The first operations of all threads.
  EventSet first() const { return first_; }
  // The operation of the same thread that follows, if there is one.
  EventSet after(EventSet event) const { return event << 1 & rest_of_thread_[index_of(event)]; }
  ThreadId thread_of(EventSet event) const { return thread_of_[index_of(event)]; }
  std::span<const Access> accesses(EventSet event) const {
    return events_[index_of(event)].accesses;
  }
  EventSet dependent_with(EventSet event) const { return dependent_[index_of(event)]; }

  // Whether the rest of the section has an order in which none of those asleep happens
  // before something dependent with it.
  bool can_wake_all(EventSet done, EventSet asleep) const;

 private:
  struct SectionThread {
    ThreadId thread;
    EventSet events;  // neighbouring bits, in program order
  };
  static constexpr std::size_t kMaxEvents = 64;
  static std::size_t index_of(EventSet event) {
    return static_cast<std::size_t>(std::countr_zero(event));
  }

  void gather(const System& system);
  void find_dependencies(CheckCounters& counters);
  void shorten();
  void index_threads();

  std::vector<SectionThread> threads_;
  std::size_t count_ = 0;  // of events
  std::array<Operation, kMaxEvents> events_;
  OperationList operations_;  // of one thread, while gathering
  std::array<ThreadId, kMaxEvents> thread_of_{};
  std::array<EventSet, kMaxEvents> dependent_{};
  std::array<EventSet, kMaxEvents> rest_of_thread_{};  // from that event on
  EventSet first_ = 0;
  EventSet all_ = 0;
};

}  // namespace heddle
