#include "order/facts.h"

#include <algorithm>

#include "order/facts_builder.h"

namespace heddle::order {

Facts::Facts(const Trace& trace, const Derived& derived, bool values)
    : trace_(trace),
      derived_(derived),
      values_(values),
      fork_of_(trace.tables.threads.size(), EventId::none()),
      alloc_of_(trace.tables.regions.size(), EventId::none()),
      free_of_(trace.tables.regions.size(), EventId::none()),
      reports_serial_(trace.tables.barriers.size(), false),
      sections_of_(trace.tables.threads.size()),
      lock_fails_(trace.tables.locks.size(), false),
      semaphore_fails_(trace.tables.semaphores.size(), false),
      wakes_(trace.tables.threads.size()),
      clocks_(trace.tables.threads.size()) {
  Builder(*this).build();
}

EventId Facts::PreviousIo::at(EventId e) const {
  const auto found = std::lower_bound(pairs.begin(), pairs.end(), std::pair(e, EventId(0)));
  return found != pairs.end() && found->first == e ? found->second : EventId::none();
}

VersionId Facts::seen(EventId read, CellId cell) const {
  EventId write;
  if (trace_.is_final_read(read)) {
    write = derived_.reads_from.final_write(cell);
  } else {
    write = derived_.reads_from[read];
    if (!write.valid()) {
      const std::uint32_t first = (*cells(read).begin()).value();
      write = derived_.reads_from.parts(read)[cell.value() - first];
    }
  }
  return write == kInitialWrite ? initial_version(cell) : version(write, cell);
}

bool Facts::must_see(EventId read, CellId cell) const {
  if (!values_) return true;
  const VersionId own = seen(read, cell);
  if (own != initial_version(cell) && sees_the_same(read, cell, initial_version(cell)))
    return false;
  for (const auto& row : writes_.rows(cell)) {
    for (const auto& item : writes_.items(row)) {
      const VersionId other(item.payload);
      if (other != own && sees_the_same(read, cell, other)) return false;
    }
  }
  return true;
}

void Facts::add_needs(EventId e, std::vector<std::uint32_t>& counts, Needs needs) const {
  const bool all = needs == Needs::all || trace_order_clock_.empty();
  for (ThreadId t : indices<ThreadId>(thread_count())) {
    std::uint32_t& count = counts[t.value()];
    count = std::max(count, all ? must_precede(e, t) : clocks_.component(trace_order_clock_[e], t));
  }
  const Node at = node(e);
  std::uint32_t& own = counts[at.thread.value()];
  own = std::max(own, at.index + 1);
}

template <typename Visit>
void Facts::for_each_need_of_question(EventId e, Visit visit) const {
  const Node at = node(e);
  if (at.index > 0) visit(event({at.thread, at.index - 1}));
  if (fork_of_[at.thread].valid()) visit(fork_of_[at.thread]);
  const EventKind kind = trace_.kind(e);
  const RegionId region = is_access(kind)           ? region_of(e)
                          : kind == EventKind::free ? trace_.region(e)
                                                    : RegionId::none();
  if (region.valid() && alloc_of_[region].valid()) visit(alloc_of_[region]);
}

void Facts::add_needs_of_question(EventId e, std::vector<std::uint32_t>& counts,
                                  Needs needs) const {
  for_each_need_of_question(e, [&](EventId need) { add_needs(need, counts, needs); });
}

std::uint32_t Facts::must_precede_question(EventId e, ThreadId other) const {
  if (trace_.is_final_read(e)) return length(other);
  std::uint32_t count = 0;
  for_each_need_of_question(e, [&](EventId need) {
    const std::uint32_t own = trace_.thread(need) == other ? 1 : 0;
    count = std::max(count, must_precede(need, other) + own);
  });
  return count;
}

std::uint32_t Facts::first_that_needs(ThreadId thread, ThreadId other, std::uint32_t count) const {
  const auto events = derived_.order.events_of(thread);
  const auto found = std::partition_point(
      events.begin(), events.end(), [&](EventId e) { return must_precede(e, other) <= count; });
  return static_cast<std::uint32_t>(found - events.begin());
}

}  // namespace heddle::order
