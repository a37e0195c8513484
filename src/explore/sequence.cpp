#include "explore/sequence.h"

#include <algorithm>

#include "explore/dependence.h"

namespace heddle {

using EventIndex = Execution::EventIndex;

LaterOperation later_operation(const Execution& execution, EventIndex e) {
  return {execution.transition(e), execution.accesses(e), execution.previous_in_thread(e),
          execution.predecessors_of(e), e};
}

void Sequence::reverse(const Execution& execution, EventIndex earlier, EventIndex end,
                       const LaterOperation& later) {
  clear(execution.size() - earlier);
  for (EventIndex e = earlier + 1; e < end; ++e) {
    if (e == later.event) lasting_ = this->end();
    if (e == later.event || execution.before(earlier, e)) continue;
    place_of_[e - earlier] = this->end();
    Item& item = append(execution.transition(e), execution.accesses(e), execution.index_in_thread(e));
    const EventIndex previous = execution.previous_in_thread(e);
    if (previous != Execution::kNone && previous > earlier) {
      add_predecessor(item, place_of_[previous - earlier]);
    }
    for (const Execution::Predecessor& predecessor : execution.predecessors_of(e)) {
      if (predecessor.event <= earlier) continue;
      add_predecessor(item, place_of_[predecessor.event - earlier]);
    }
  }
  const std::uint32_t index =
      later.previous == Execution::kNone ? 0 : execution.index_in_thread(later.previous) + 1;
  Item& last = append(later.transition, later.accesses, index);
  if (later.previous != Execution::kNone && later.previous > earlier) {
    add_predecessor(last, place_of_[later.previous - earlier]);
  }
  for (const Execution::Predecessor& predecessor : later.predecessors) {
    if (predecessor.event <= earlier || execution.before(earlier, predecessor.event)) continue;
    add_predecessor(last, place_of_[predecessor.event - earlier]);
  }
  need(this->end() - 1);
}

void Sequence::clear(std::size_t events) {
  items_.clear();
  accesses_.clear();
  predecessors_.clear();
  if (place_of_.size() < events) place_of_.resize(events);
  first_ = 0;
  lasting_ = 0;
  left_ = 0;
  hash_ = 0;
}

Sequence::Item& Sequence::append(Transition transition, std::span<const Access> accesses,
                                 std::uint32_t index) {
  const Item item = {.transition = transition,
                     .first_access = static_cast<std::uint32_t>(accesses_.size()),
                     .access_count = static_cast<std::uint32_t>(accesses.size()),
                     .first_predecessor = static_cast<std::uint32_t>(predecessors_.size()),
                     .predecessor_count = 0,
                     .index_in_thread = index,
                     .taken = false,
                     .needed = false};
  accesses_.insert(accesses_.end(), accesses.begin(), accesses.end());
  ++left_;
  hash_ += hash_of(item);
  return items_.emplace_back(item);
}

void Sequence::add_predecessor(Item& item, Place place) {
  predecessors_.push_back(place);
  ++item.predecessor_count;
}

void Sequence::take(Place place) {
  Item& item = items_[place];
  item.taken = true;
  --left_;
  hash_ -= hash_of(item);
  while (first_ < items_.size() && items_[first_].taken) ++first_;
}

Sequence::Place Sequence::first_of(ThreadId thread) const {
  Place place = first_;
  while (place < end() && (items_[place].taken || items_[place].transition.thread != thread)) {
    ++place;
  }
  return place;
}

std::span<const Sequence::Place> Sequence::predecessors(Place place) const {
  const Item& item = items_[place];
  return {predecessors_.data() + item.first_predecessor, item.predecessor_count};
}

bool Sequence::is_initial(Place place) const {
  const auto all = predecessors(place);
  return std::all_of(all.begin(), all.end(), [&](Place p) { return items_[p].taken; });
}

// With all that it depends on.
void Sequence::need(Place place) {
  to_be_needed_.assign(1, place);
  while (!to_be_needed_.empty()) {
    const Place next = to_be_needed_.back();
    to_be_needed_.pop_back();
    if (items_[next].taken || items_[next].needed) continue;
    items_[next].needed = true;
    const auto before = predecessors(next);
    to_be_needed_.insert(to_be_needed_.end(), before.begin(), before.end());
  }
}

bool Sequence::needs_only_lasting() const {
  for (Place place = lasting_; place + 1 < end(); ++place) {
    if (needs(place)) return false;
  }
  return true;
}

void Sequence::need_everything() {
  for (Place place = first_; place < end(); ++place) need(place);
}

// What is needed already comes first.
void Sequence::need_waker_of(Transition transition, std::span<const Access> accesses,
                             CheckCounters& counters) {
  const Place own = first_of(transition.thread);
  if (own < end() && items_[own].transition != transition) return need(own);
  if (own < end()) return need_one_of(predecessors(own));
  wakers_.clear();
  for (Place place = first_; place < end(); ++place) {
    if (items_[place].taken) continue;
    ++counters.dependency_checks;
    if (dependent(this->accesses(place), accesses)) wakers_.push_back(place);
  }
  need_one_of(wakers_);
}

void Sequence::need_one_of(std::span<const Place> places) {
  Place first = end();
  for (const Place place : places) {
    if (items_[place].taken) continue;
    if (items_[place].needed) return;
    first = std::min(first, place);
  }
  if (first < end()) need(first);
}

std::optional<Sequence::Place> Sequence::initial(Transition transition) const {
  const Place place = first_of(transition.thread);
  if (place == end() || items_[place].transition != transition) return std::nullopt;
  return is_initial(place) ? std::optional(place) : std::nullopt;
}

std::optional<Sequence::Place> Sequence::weak_initial(Transition transition,
                                                      std::span<const Access> accesses,
                                                      CheckCounters& counters) const {
  const Place place = first_of(transition.thread);
  if (place < end()) {
    const bool same = items_[place].transition == transition;
    return same && is_initial(place) ? std::optional(place) : std::nullopt;
  }
  for (Place other = first_; other < end(); ++other) {
    if (items_[other].taken) continue;
    ++counters.dependency_checks;
    if (dependent(this->accesses(other), accesses)) return std::nullopt;
  }
  return place;
}

std::uint64_t Sequence::hash_of(const Item& item) {
  std::uint64_t bits = std::uint64_t{item.transition.thread.value()} << 40 |
                       std::uint64_t{item.transition.choice} << 28 | item.index_in_thread;
  bits = (bits + 1) * 0x9e3779b97f4a7c15;
  return (bits ^ bits >> 32) * 0xc2b2ae3d27d4eb4f;
}

bool operator==(const Sequence& a, const Sequence& b) {
  if (a.left_ != b.left_ || a.hash_ != b.hash_) return false;
  Sequence::Place i = a.first_;
  Sequence::Place j = b.first_;
  for (std::size_t n = 0; n < a.left_; ++n, ++i, ++j) {
    while (a.items_[i].taken) ++i;
    while (b.items_[j].taken) ++j;
    if (a.items_[i].transition != b.items_[j].transition) return false;
  }
  return true;
}

}  // namespace heddle
