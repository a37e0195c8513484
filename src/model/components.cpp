#include "model/components.h"

#include <algorithm>
#include <utility>

namespace heddle::model {

Components::Components(const Model& model)
    : model_(model),
      number_(model.states.size(), 0),
      lowest_(model.states.size(), 0),
      open_(model.states.size(), false) {}

std::vector<Components::Component> Components::find(std::span<const StateId> from,
                                                    const Follows& follows) {
  for (const StateId state : from) number_[state] = 0;
  for (const StateId state : from) {
    if (number_[state] == 0) search_from(state, follows);
  }
  return std::exchange(found_, {});
}

void Components::search_from(StateId root, const Follows& follows) {
  enter(root);
  while (!visits_.empty()) {
    Visit& visit = visits_.back();
    const StateId state = visit.state;
    const auto transitions = model_.transitions_of(state);
    if (visit.next == transitions.size()) {
      leave(state);
      continue;
    }
    const StateId target = transitions[visit.next++].target;
    if (follows(state, target)) go(state, target);
  }
}

void Components::enter(StateId state) {
  number_[state] = lowest_[state] = ++count_;
  open_[state] = true;
  component_.push_back(state);
  visits_.push_back({state, 0});
}

void Components::go(StateId from, StateId to) {
  if (number_[to] == 0) return enter(to);
  if (open_[to]) lowest_[from] = std::min(lowest_[from], number_[to]);
}

void Components::leave(StateId state) {
  visits_.pop_back();
  if (!visits_.empty()) {
    const StateId parent = visits_.back().state;
    lowest_[parent] = std::min(lowest_[parent], lowest_[state]);
  }
  if (lowest_[state] == number_[state]) close_component(state);
}

void Components::close_component(StateId first) {
  Component& made = found_.emplace_back();
  do {
    made.push_back(component_.back());
    open_[component_.back()] = false;
    component_.pop_back();
  } while (made.back() != first);
}

bool leads_to_itself(const Model& model, StateId state) {
  const auto transitions = model.transitions_of(state);
  return std::any_of(transitions.begin(), transitions.end(),
                     [&](const Transition& transition) { return transition.target == state; });
}

}  // namespace heddle::model
