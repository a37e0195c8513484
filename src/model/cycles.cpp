#include "model/cycles.h"

#include "model/components.h"

namespace heddle::model {

Table<StateId, bool> states_on_cycles(const Model& model) {
  Table<StateId, bool> on_cycle(model.states.size(), false);
  std::vector<StateId> states;
  for (const StateId state : indices(model.states)) states.push_back(state);
  const auto everywhere = [](StateId, StateId) { return true; };
  for (const auto& component : Components(model).find(states, everywhere)) {
    const bool cycle = component.size() > 1 || leads_to_itself(model, component.front());
    for (const StateId state : component) on_cycle[state] = cycle;
  }
  return on_cycle;
}

}  // namespace heddle::model
