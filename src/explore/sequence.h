// A sequence of transitions, with what each accesses: what a wakeup tree is made of.
//
// Only its initials matter to the algorithms: the transitions that could as well come
// first, because nothing before them in the sequence is dependent with them. A weak
// initial is an initial, or a transition outside the sequence that is independent of all
// of it. [Abdulla, Aronis, Jonsson, Sagonas: Optimal dynamic partial order reduction,
// POPL 2014 / Source sets, JACM 2017]
#pragma once

#include <cstddef>
#include <memory_resource>
#include <optional>
#include <span>
#include <vector>

#include "explore/execution.h"

namespace heddle {

class Sequence {
 public:
  explicit Sequence(std::pmr::memory_resource* memory) : items_(memory), accesses_(memory) {}

  std::size_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }
  Transition transition(std::size_t i) const { return items_[i].transition; }
  std::span<const Access> accesses(std::size_t i) const {
    return {accesses_.data() + items_[i].first, items_[i].count};
  }

  void clear();
  void append(Transition transition, std::span<const Access> accesses);
  void erase(std::size_t i) { items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(i)); }

  // If the transition is a weak initial: its place in the sequence, or size() if it is not
  // in it. Nothing if it is not one.
  std::optional<std::size_t> weak_initial(Transition transition, std::span<const Access> accesses,
                                          CheckCounters& counters) const;

  friend bool operator==(const Sequence& a, const Sequence& b);

 private:
  struct Item {
    Transition transition;
    std::uint32_t first;
    std::uint32_t count;
  };
  bool independent_of_first(std::size_t count, std::span<const Access> accesses,
                            CheckCounters& counters) const;

  std::pmr::vector<Item> items_;
  std::pmr::vector<Access> accesses_;
};

}  // namespace heddle
