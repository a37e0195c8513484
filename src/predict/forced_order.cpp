#include "predict/forced_order.h"

#include <algorithm>
#include <vector>

namespace heddle::predict {
namespace {

using order::Facts;
using order::kNever;
using order::Node;
using order::Saturation;
using order::Section;
using order::SectionId;

// What is in, and in which order, according to a saturation.
struct Saturated {
  const Saturation& saturation;
  std::uint32_t count(ThreadId thread) const { return saturation.count(thread); }
  std::uint32_t after(Node node, ThreadId thread) const {
    return saturation.order().after(node, thread);
  }
};

// The same according to the needs of events alone, which is less, and costs less.
struct Needed {
  const Facts& facts;
  std::span<const std::uint32_t> counts;
  std::uint32_t count(ThreadId thread) const { return counts[thread.value()]; }
  std::uint32_t after(Node node, ThreadId thread) const {
    return facts.first_that_needs(thread, node.thread, node.index);
  }
};

template <typename Order>
class Spread {
 public:
  Spread(const Facts& facts, const Order& order, Node second)
      : facts_(facts),
        trace_(facts.trace()),
        order_(order),
        second_(second),
        since_(facts.thread_count(), kNever) {}

  bool reaches_second_from(Node first) {
    reach(first.thread, first.index + 1);
    while (!todo_.empty() && !reached()) {
      const Range range = todo_.back();
      todo_.pop_back();
      follow(range);
    }
    return reached();
  }

 private:
  struct Range {
    ThreadId thread;
    std::uint32_t first;
    std::uint32_t last;
  };

  bool reached() const { return since_[second_.thread.value()] <= second_.index; }

  // All of the thread's events from the index on happen after the first one.
  void reach(ThreadId thread, std::uint32_t index) {
    std::uint32_t& since = since_[thread.value()];
    if (index >= since) return;
    const std::uint32_t end = std::min(since, order_.count(thread));
    since = index;
    if (index < end) todo_.push_back({thread, index, end});
    if (thread == second_.thread || index > facts_.length(thread)) return;
    // A join that is included needs all of the thread.
    for (EventId e : facts_.derived().objects.of(ObjectType::thread, thread.value())) {
      const Node at = facts_.node(e);
      const bool included = at.index < order_.count(at.thread);
      if (trace_.kind(e) == EventKind::join && included) reach(at.thread, at.index);
    }
  }

  void follow(const Range& range) {
    for (ThreadId t : indices<ThreadId>(facts_.thread_count())) {
      const EventId fork = facts_.fork_of(t);
      if (!fork.valid() || trace_.thread(fork) != range.thread) continue;
      const std::uint32_t index = facts_.node(fork).index;
      if (index >= range.first && index < range.last) reach(t, 0);
    }
    facts_.for_each_section(range.thread, range.first, range.last, [&](SectionId id) {
      const Section& section = facts_.section(id);
      if (section.release < range.last && !reached()) follow(section);
    });
  }

  // Sections of the same lock that must come later.
  void follow(const Section& section) {
    const auto& lists = section.reader ? facts_.writer_acquires() : facts_.acquires();
    const Node release{section.thread, section.release};
    for (const auto& row : lists.rows(section.lock)) {
      if (row.thread == section.thread) continue;
      const std::uint32_t after = order_.after(release, row.thread);
      const auto* later = first_from(lists.items(row), after);
      if (later != nullptr && later->index < order_.count(row.thread)) {
        reach(row.thread, later->index);
      }
    }
  }

  const Facts& facts_;
  const Trace& trace_;
  Order order_;
  Node second_;
  std::vector<std::uint32_t> since_;
  std::vector<Range> todo_;
};

}  // namespace

bool is_ordered_always(const Facts& facts, const Saturation& saturation, EventId first,
                       EventId second) {
  return Spread(facts, Saturated{saturation}, facts.node(second))
      .reaches_second_from(facts.node(first));
}

bool is_ordered_by_needs(const Facts& facts, std::span<const std::uint32_t> counts, EventId first,
                         EventId second) {
  return Spread(facts, Needed{facts, counts}, facts.node(second))
      .reaches_second_from(facts.node(first));
}

}  // namespace heddle::predict
