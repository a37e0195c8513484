// What every reordering that answers a question must contain, and in which order.
//
// A question says which events are in, where some threads stop, which write comes last in a
// cell, and which event precedes which. From that it follows what else is in (Facts::must_precede)
// and, rule by rule until nothing new follows, what precedes what:
//
//   reads   a read of w that a write w' precedes: w' precedes w; and if w precedes w', the read
//           precedes w'. All writes in the reordering precede the one that comes last.
//   locks   if the beginning of a section precedes something in another section that it excludes,
//           it has ended before that one begins; and it has ended, too, before a section begins
//           that its thread still holds where it stops.
//   life    what is accessed is accessed before it is freed.
//   wakes   somebody notifies after the wait and before the wake; where one thread alone can, its
//           first notify that may come after the wait precedes the wake.
//
// All that is added is true of every answer, so a contradiction (a cycle, an event that a stopped
// thread does not reach) means that there is none. The other direction does not hold: what stays
// open is for the search. Every change can be undone, so that questions share what they have in
// common.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "order/chain_order.h"
#include "order/facts.h"

namespace heddle::order {

class Saturation {
 public:
  explicit Saturation(const Facts& facts);

  // Conclusions are drawn only from events at or behind this one in the trace. Fewer conclusions
  // are still true; on a long trace those from the distant past cost much and say little.
  void look_back_to(EventId first);

  // Each of these says what the reordering is like, draws all conclusions, and returns false on a
  // contradiction; then nothing but undo() makes sense.
  bool include(EventId e);
  bool include(std::span<const std::uint32_t> counts);  // so many events of each thread
  bool stop(ThreadId thread, std::uint32_t count);      // the thread has done exactly so many
  bool precede(EventId a, EventId b);                   // both are included
  bool end_with(VersionId version);                     // is the last of its cell
  // That every wake has its notify. Not drawn by the others, since it takes a look at all wakes.
  bool notify_wakes();

  std::uint32_t count(ThreadId thread) const { return counts_[thread.value()]; }
  const std::vector<std::uint32_t>& counts() const { return counts_; }
  // How far the thread may go.
  std::uint32_t limit(ThreadId thread) const { return limits_[thread.value()]; }
  const std::vector<VersionId>& last_versions() const { return last_versions_; }
  const ChainOrder& order() const { return order_; }

  struct Mark {
    ChainOrder::Mark order;
    std::size_t trail;
    std::size_t last_versions;
    std::size_t holds;
  };
  Mark mark() const {
    return {order_.mark(), trail_.size(), last_versions_.size(), final_holds_.size()};
  }
  void undo(const Mark& mark);

 private:
  struct Range {
    ThreadId thread;
    std::uint32_t first;
    std::uint32_t last;
  };
  struct Undo {
    std::uint32_t thread;
    std::uint32_t count;
    std::uint32_t limit;
  };

  const Trace& trace() const { return facts_.trace(); }
  bool is_in(Node node) const { return node.index < counts_[node.thread.value()]; }

  void raise(ThreadId thread, std::uint32_t count);
  void raise(std::span<const std::uint32_t> counts);
  void need(EventId e);
  void lower_limit(ThreadId thread, std::uint32_t limit);
  void require(Node a, Node b);
  bool settle();

  void enter(const Range& whole);
  void enter_read(Node read);
  void enter_write(Node write);
  void enter_life(Node node);
  void enter_section(const Section& section, std::uint32_t last);
  void follow(const ChainOrder::Change& change);
  void follow_access(const ChainOrder::Change& change, Node access);

  // The rules, for one other thread each.
  void read_after_writes(Node read, VersionId seen, ThreadId other, std::uint32_t count);
  void write_after_writes(Node write, CellId cell, ThreadId other, std::uint32_t count);
  void write_after_readers(Node write, VersionId overwritten);
  void section_after_sections(const Section& section, ThreadId other, std::uint32_t count);
  void end_before(const Section& section, const Section& later);
  void notify_before(ThreadId thread, const Facts::Wake& wake);

  const Facts& facts_;
  std::vector<std::uint32_t> horizon_;  // by thread: the first event that is looked at
  ChainOrder order_;
  std::vector<std::uint32_t> counts_;
  std::vector<std::uint32_t> limits_;
  std::vector<VersionId> last_versions_;
  std::vector<SectionId> final_holds_;  // of stopped threads
  std::vector<Undo> trail_;

  // What conclusions still have to be drawn from.
  bool contradiction_ = false;
  std::vector<Range> entered_;
  std::vector<ChainOrder::Change> changes_;
  std::vector<std::uint32_t> scratch_;
};

}  // namespace heddle::order
