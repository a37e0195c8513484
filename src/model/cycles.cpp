// Strongly connected components [Tarjan 1972], without recursion: a thread may have tens of
// thousands of control states in a row.
#include "model/cycles.h"

#include <algorithm>

namespace heddle::model {
namespace {

class Components {
 public:
  explicit Components(const Model& model)
      : model_(model),
        on_cycle_(model.states.size(), false),
        number_(model.states.size(), 0),
        lowest_(model.states.size(), 0),
        open_(model.states.size(), false) {}

  Table<StateId, bool> find() {
    for (const StateId state : indices(model_.states)) {
      if (number_[state] == 0) search_from(state);
    }
    return std::move(on_cycle_);
  }

 private:
  struct Visit {
    StateId state;
    std::uint32_t next;  // of its transitions
  };

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

  void enter(StateId state) {
    number_[state] = lowest_[state] = ++count_;
    open_[state] = true;
    component_.push_back(state);
    visits_.push_back({state, 0});
  }

  void follow(StateId from, StateId to) {
    if (to == from) on_cycle_[from] = true;
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
    const bool several = component_.back() != first;
    for (bool more = true; more;) {
      const StateId state = component_.back();
      component_.pop_back();
      open_[state] = false;
      if (several) on_cycle_[state] = true;
      more = state != first;
    }
  }

  const Model& model_;
  Table<StateId, bool> on_cycle_;
  Table<StateId, std::uint32_t> number_;  // in the order of the search, from 1; 0: not seen
  Table<StateId, std::uint32_t> lowest_;  // that it leads to, within what is open
  Table<StateId, bool> open_;             // its component is not complete
  std::vector<StateId> component_;
  std::vector<Visit> visits_;
  std::uint32_t count_ = 0;
};

}  // namespace

Table<StateId, bool> states_on_cycles(const Model& model) { return Components(model).find(); }

}  // namespace heddle::model
