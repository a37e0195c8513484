#include "order/saturation.h"

#include <algorithm>

namespace heddle::order {
namespace {

std::vector<std::uint32_t> lengths_of(const Facts& facts) {
  std::vector<std::uint32_t> result;
  for (ThreadId t : indices<ThreadId>(facts.thread_count())) result.push_back(facts.length(t));
  return result;
}

// The order that holds in all reorderings.
ChainOrder order_of(const Facts& facts) {
  ChainOrder order(lengths_of(facts));
  for (EventId e : facts.trace().events()) {
    if (!facts.learns(e)) continue;
    const Node at = facts.node(e);
    for (ThreadId other : indices<ThreadId>(facts.thread_count())) {
      if (other == at.thread) continue;
      const std::uint32_t count = facts.must_precede(e, other);
      if (count > 0) order.append_step(at.thread, at.index, other, count);
    }
  }
  return order;
}

}  // namespace

Saturation::Saturation(const Facts& facts)
    : facts_(facts),
      horizon_(facts.thread_count(), 0),
      order_(order_of(facts)),
      counts_(facts.thread_count(), 0),
      limits_(lengths_of(facts)),
      scratch_(facts.thread_count(), 0) {}

void Saturation::look_back_to(EventId first) {
  for (ThreadId t : indices<ThreadId>(facts_.thread_count())) {
    const auto events = facts_.derived().order.events_of(t);
    const auto found = std::lower_bound(events.begin(), events.end(), first);
    horizon_[t.value()] = static_cast<std::uint32_t>(found - events.begin());
  }
}

// --- What is said ---

bool Saturation::include(EventId e) {
  need(e);
  return settle();
}

bool Saturation::include(std::span<const std::uint32_t> counts) {
  raise(counts);
  return settle();
}

bool Saturation::stop(ThreadId thread, std::uint32_t count) {
  raise(thread, count);
  lower_limit(thread, count);
  // Nobody gets to an event that needs more of this thread.
  for (ThreadId t : indices<ThreadId>(facts_.thread_count())) {
    if (t != thread) lower_limit(t, facts_.first_that_needs(t, thread, count));
  }
  facts_.for_each_held(thread, count, [&](SectionId held) {
    const Section& section = facts_.section(held);
    const auto& lists = section.reader ? facts_.writer_acquires() : facts_.acquires();
    for (const auto& row : lists.rows(section.lock)) {
      if (row.thread == thread) continue;
      const auto* last = last_below(lists.items(row), counts_[row.thread.value()]);
      if (last != nullptr) end_before(facts_.section(SectionId(last->payload)), section);
    }
    final_holds_.push_back(held);
  });
  return settle();
}

bool Saturation::precede(EventId a, EventId b) {
  require(facts_.node(a), facts_.node(b));
  return settle();
}

bool Saturation::end_with(VersionId version) {
  const CellId cell = facts_.cell_of(version);
  const EventId last = facts_.writer(version);
  if (last != kInitialWrite) need(last);
  last_versions_.push_back(version);
  for (const auto& row : facts_.cell_writes().rows(cell)) {
    const auto* item = last_below(facts_.cell_writes().items(row), counts_[row.thread.value()]);
    if (item == nullptr || VersionId(item->payload) == version) continue;
    if (last == kInitialWrite) return false;
    require({row.thread, item->index}, facts_.node(last));
  }
  return settle();
}

bool Saturation::notify_wakes() {
  std::size_t before = 0;
  do {
    before = trail_.size() + order_.mark();
    for (ThreadId t : indices<ThreadId>(facts_.thread_count())) {
      for (const Facts::Wake& wake : facts_.wakes(t)) {
        if (wake.index >= counts_[t.value()] || contradiction_) break;
        if (wake.index >= horizon_[t.value()]) notify_before(t, wake);
      }
    }
  } while (settle() && trail_.size() + order_.mark() != before);
  return !contradiction_;
}

void Saturation::undo(const Mark& mark) {
  order_.undo(mark.order);
  while (trail_.size() > mark.trail) {
    const Undo& change = trail_.back();
    counts_[change.thread] = change.count;
    limits_[change.thread] = change.limit;
    trail_.pop_back();
  }
  last_versions_.resize(mark.last_versions);
  final_holds_.resize(mark.holds);
  contradiction_ = false;
  entered_.clear();
  changes_.clear();
}

// --- Events that have to be in, and edges ---

void Saturation::raise(ThreadId thread, std::uint32_t count) {
  std::uint32_t& now = counts_[thread.value()];
  if (count <= now) return;
  if (count > limits_[thread.value()]) contradiction_ = true;
  trail_.push_back({thread.value(), now, limits_[thread.value()]});
  entered_.push_back({thread, now, count});
  now = count;
}

void Saturation::raise(std::span<const std::uint32_t> counts) {
  for (ThreadId t : indices<ThreadId>(counts.size())) raise(t, counts[t.value()]);
}

void Saturation::need(EventId e) {
  if (is_in(facts_.node(e))) return;
  std::copy(counts_.begin(), counts_.end(), scratch_.begin());
  facts_.add_needs(e, scratch_);
  raise(scratch_);
}

void Saturation::lower_limit(ThreadId thread, std::uint32_t limit) {
  std::uint32_t& now = limits_[thread.value()];
  if (limit >= now) return;
  if (limit < counts_[thread.value()]) contradiction_ = true;
  trail_.push_back({thread.value(), counts_[thread.value()], now});
  now = limit;
}

void Saturation::require(Node a, Node b) {
  if (contradiction_) return;
  need(facts_.event(a));
  if (!order_.add(a, b, changes_)) contradiction_ = true;
}

// New edges make new ranges and the other way round; both are finite.
bool Saturation::settle() {
  while (!contradiction_ && !(entered_.empty() && changes_.empty())) {
    if (!entered_.empty()) {
      const Range range = entered_.back();
      entered_.pop_back();
      enter(range);
    } else {
      const ChainOrder::Change change = changes_.back();
      changes_.pop_back();
      follow(change);
    }
  }
  return !contradiction_;
}

// --- Conclusions from events that are in ---

void Saturation::enter(const Range& whole) {
  const Range range{whole.thread, std::max(whole.first, horizon_[whole.thread.value()]),
                    whole.last};
  if (range.first >= range.last) return;
  for (std::uint32_t i = range.first; i < range.last && !contradiction_; ++i) {
    const Node node{range.thread, i};
    const EventKind kind = trace().kind(facts_.event(node));
    if (reads(kind)) enter_read(node);
    if (writes(kind)) enter_write(node);
    if (is_access(kind) || kind == EventKind::free) enter_life(node);
  }
  facts_.for_each_section(range.thread, range.first, range.last, [&](SectionId id) {
    const Section& section = facts_.section(id);
    enter_section(section, std::min(section.release, range.last - 1));
  });
}

void Saturation::enter_read(Node read) {
  const EventId e = facts_.event(read);
  if (!facts_.must_see_all(e)) return;
  for (CellId cell : facts_.cells(e)) {
    const VersionId seen = facts_.seen(e, cell);
    const EventId writer = facts_.writer(seen);
    for (const auto& row : facts_.cell_writes().rows(cell)) {
      const std::uint32_t before = order_.before(read, row.thread);
      read_after_writes(read, seen, row.thread, before);
      // The first write that is behind the one that was seen has to wait for the read.
      std::uint32_t behind = 0;
      if (writer != kInitialWrite) behind = order_.after(facts_.node(writer), row.thread);
      const auto* next = first_from(facts_.cell_writes().items(row), behind);
      if (next == nullptr) continue;
      const Node write{row.thread, next->index};
      if (is_in(write) && write != read) require(read, write);
    }
  }
}

void Saturation::enter_write(Node write) {
  const EventId e = facts_.event(write);
  for (CellId cell : facts_.cells(e)) {
    write_after_readers(write, Facts::initial_version(cell));
    for (const auto& row : facts_.cell_writes().rows(cell)) {
      write_after_writes(write, cell, row.thread, order_.before(write, row.thread));
    }
    for (VersionId last : last_versions_) {
      if (facts_.cell_of(last) != cell || facts_.writer(last) == e) continue;
      if (facts_.writer(last) == kInitialWrite) {
        contradiction_ = true;
      } else {
        require(write, facts_.node(facts_.writer(last)));
      }
    }
  }
}

void Saturation::enter_life(Node node) {
  const EventId e = facts_.event(node);
  if (is_access(trace().kind(e))) {
    const RegionId region = facts_.region_of(e);
    if (!region.valid() || !facts_.free_of(region).valid()) return;
    const Node free = facts_.node(facts_.free_of(region));
    if (is_in(free)) require(node, free);
    return;
  }
  for (const auto& row : facts_.accesses().rows(trace().region(e))) {
    const auto* last = last_below(facts_.accesses().items(row), counts_[row.thread.value()]);
    if (last != nullptr) require({row.thread, last->index}, node);
  }
}

void Saturation::enter_section(const Section& section, std::uint32_t last) {
  for (const auto& row : facts_.acquires().rows(section.lock)) {
    if (row.thread == section.thread) continue;
    section_after_sections(section, row.thread, order_.before({section.thread, last}, row.thread));
  }
  for (SectionId held : final_holds_) {
    if (exclude_each_other(section, facts_.section(held))) {
      end_before(section, facts_.section(held));
    }
  }
}

// --- Conclusions from edges ---

void Saturation::follow(const ChainOrder::Change& change) {
  const std::uint32_t end = std::min(change.until, counts_[change.to.value()]);
  const std::uint32_t first = std::max(change.index, horizon_[change.to.value()]);
  for (std::uint32_t i = first; i < end && !contradiction_; ++i) {
    follow_access(change, {change.to, i});
  }
  facts_.for_each_section(change.to, first, end, [&](SectionId id) {
    section_after_sections(facts_.section(id), change.from, change.count);
  });
}

void Saturation::follow_access(const ChainOrder::Change& change, Node access) {
  const EventId e = facts_.event(access);
  const EventKind kind = trace().kind(e);
  if (!is_access(kind)) return;
  for (CellId cell : facts_.cells(e)) {
    if (reads(kind) && facts_.must_see_all(e)) {
      read_after_writes(access, facts_.seen(e, cell), change.from, change.count);
    }
    if (writes(kind)) write_after_writes(access, cell, change.from, change.count);
  }
}

// --- The rules ---

// The first `count` events of the other thread precede the read: so their last write precedes
// the one that the read sees.
void Saturation::read_after_writes(Node read, VersionId seen, ThreadId other, std::uint32_t count) {
  const auto items = facts_.cell_writes().items(facts_.cell_of(seen), other);
  const auto* last = last_below(items, count);
  if (last == nullptr || VersionId(last->payload) == seen) return;
  const EventId writer = facts_.writer(seen);
  if (writer == kInitialWrite) {
    contradiction_ = true;
  } else if (Node{other, last->index} != read) {
    require({other, last->index}, facts_.node(writer));
  }
}

// They precede the write: so whoever reads their last write precedes it too.
void Saturation::write_after_writes(Node write, CellId cell, ThreadId other, std::uint32_t count) {
  const auto* last = last_below(facts_.cell_writes().items(cell, other), count);
  if (last != nullptr) write_after_readers(write, VersionId(last->payload));
}

void Saturation::write_after_readers(Node write, VersionId overwritten) {
  for (const auto& row : facts_.readers().rows(overwritten)) {
    const auto items = facts_.readers().items(row);
    const auto* last = last_below(items, counts_[row.thread.value()]);
    if (last == nullptr) continue;
    const Node reader{row.thread, last->index};
    if (reader != write) require(reader, write);
  }
}

// They precede something in the section: so the last section that they began, and that excludes
// it, ended before.
void Saturation::section_after_sections(const Section& section, ThreadId other,
                                        std::uint32_t count) {
  if (other == section.thread) return;
  const auto& lists = section.reader ? facts_.writer_acquires() : facts_.acquires();
  const auto* last = last_below(lists.items(section.lock, other), count);
  if (last != nullptr) end_before(facts_.section(SectionId(last->payload)), section);
}

void Saturation::end_before(const Section& section, const Section& later) {
  if (section.release == kNever) {
    contradiction_ = true;
  } else {
    require({section.thread, section.release}, {later.thread, later.acquire});
  }
}

// Somebody notifies between the wait and the wake. Where only one thread can, its first notify that
// may come after the wait comes before the wake.
void Saturation::notify_before(ThreadId thread, const Facts::Wake& wake) {
  Node notify{ThreadId::none(), 0};
  const auto& notifies = facts_.notifies();
  for (const auto& row : notifies.rows(wake.condition)) {
    if (row.thread == thread) continue;
    const auto* next =
        first_from(notifies.items(row), order_.before({thread, wake.wait}, row.thread));
    if (next == nullptr || next->index >= limits_[row.thread.value()]) continue;
    if (order_.precedes({thread, wake.index}, {row.thread, next->index})) continue;
    if (notify.thread.valid()) return;
    notify = {row.thread, next->index};
  }
  if (notify.thread.valid()) {
    require(notify, {thread, wake.index});
  } else {
    contradiction_ = true;
  }
}

}  // namespace heddle::order
