// Strongly connected components [Tarjan 1972], again and again inside of themselves.
#include "ranges/loops.h"

#include <algorithm>

namespace heddle::ranges {
namespace {

using model::Model;
using model::StateId;

class Finder {
 public:
  explicit Finder(const Model& model)
      : model_(model),
        is_header_(model.states.size(), false),
        number_(model.states.size(), 0),
        lowest_(model.states.size(), 0),
        open_(model.states.size(), false) {
    found_.around.resize(model.states.size());
    found_.rank.resize(model.states.size());
  }

  Loops run() {
    for (const ThreadId thread : indices(model_.threads)) {
      order_from(model_.threads[thread].first);
    }
    return std::move(found_);
  }

 private:
  struct Visit {
    StateId state;
    std::uint32_t next;
  };

  // The states of a loop, or the first state of a thread; loops around it, itself included.
  struct Part {
    std::vector<StateId> states;
    std::size_t depth;
  };

  void order_from(StateId first) {
    std::vector<Part> parts{{{first}, 0}};
    while (!parts.empty()) {
      const Part part = std::move(parts.back());
      parts.pop_back();
      order(part);
      for (std::vector<StateId>& component : components_) {
        if (component.size() > 1) parts.push_back({std::move(component), part.depth + 1});
      }
    }
  }

  void order(const Part& part) {
    for (const StateId state : part.states) number_[state] = 0;
    components_.clear();
    depth_ = part.depth;
    for (const StateId state : part.states) {
      if (number_[state] == 0) search_from(state);
    }
    number_components();
  }

  bool is_loop(const std::vector<StateId>& component) const {
    return component.size() > 1 || goes_to(component.front(), component.front());
  }

  bool goes_to(StateId from, StateId to) const {
    for (const auto& transition : model_.transitions_of(from)) {
      if (transition.target == to && !is_header_[to]) return true;
    }
    return false;
  }

  // Components come out last first. The header of a loop is the state that is entered: the
  // first that the search came to.
  void number_components() {
    const auto count = static_cast<std::uint32_t>(components_.size());
    std::vector<StateId> headers;
    for (std::uint32_t i = 0; i < count; ++i) {
      std::vector<StateId>& component = components_[i];
      const std::uint32_t rank = count - 1 - i;
      if (!is_loop(component)) {
        found_.rank[component.front()] = rank;
        continue;
      }
      const StateId header = component.back();
      const LoopId loop = found_.loops.add({header, rank});
      for (const StateId state : component) found_.around[state].push_back(loop);
      headers.push_back(header);
      std::swap(component.front(), component.back());
    }
    for (const StateId header : headers) is_header_[header] = true;
  }

  void search_from(StateId root) {
    enter(root);
    while (!visits_.empty()) {
      Visit& visit = visits_.back();
      const auto transitions = model_.transitions_of(visit.state);
      if (visit.next < transitions.size()) {
        follow(visit.state, transitions[visit.next++].target);
      } else {
        leave(visit.state);
      }
    }
  }

  // Only within the part: the loop that is being taken apart, without the ways to its header.
  bool in_part(StateId from, StateId to) const {
    if (depth_ == 0) return true;
    const auto& around = found_.around;
    return around[to].size() >= depth_ && around[to][depth_ - 1] == around[from][depth_ - 1] &&
           !is_header_[to];
  }

  void enter(StateId state) {
    number_[state] = lowest_[state] = ++count_;
    open_[state] = true;
    component_.push_back(state);
    visits_.push_back({state, 0});
  }

  void follow(StateId from, StateId to) {
    if (!in_part(from, to)) return;
    if (number_[to] == 0) return enter(to);
    if (open_[to]) lowest_[from] = std::min(lowest_[from], number_[to]);
  }

  void leave(StateId state) {
    visits_.pop_back();
    if (!visits_.empty()) {
      const StateId parent = visits_.back().state;
      lowest_[parent] = std::min(lowest_[parent], lowest_[state]);
    }
    if (lowest_[state] == number_[state]) close_component(state);
  }

  void close_component(StateId first) {
    std::vector<StateId>& made = components_.emplace_back();
    do {
      made.push_back(component_.back());
      open_[component_.back()] = false;
      component_.pop_back();
    } while (made.back() != first);
  }

  const Model& model_;
  Loops found_;
  Table<StateId, bool> is_header_;
  std::size_t depth_ = 0;  // of the part that is being ordered
  Table<StateId, std::uint32_t> number_;
  Table<StateId, std::uint32_t> lowest_;
  Table<StateId, bool> open_;
  std::vector<StateId> component_;
  std::vector<Visit> visits_;
  std::vector<std::vector<StateId>> components_;
  std::uint32_t count_ = 0;
};

}  // namespace

bool Loops::inside(StateId state, LoopId loop) const {
  const std::vector<LoopId>& list = around[state];
  return std::find(list.begin(), list.end(), loop) != list.end();
}

Loops find_loops(const Model& model) { return Finder(model).run(); }

}  // namespace heddle::ranges
