// Strongly connected components of control states [Tarjan 1972], without recursion: a thread
// may have tens of thousands of control states in a row.
//
// A search can be repeated in a part of the states, and can leave out transitions; so the
// loops inside of loops are found by taking each component apart again. It costs as much as
// there are transitions from the states that it comes to.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "base/index.h"
#include "model/model.h"

namespace heddle::model {

class Components {
 public:
  using Component = std::vector<StateId>;
  using Follows = std::function<bool(StateId from, StateId to)>;

  explicit Components(const Model& model);

  // From these states, and to whatever else is new, on the transitions that are followed.
  // Components come out last first; the last state of each is the first that was come to.
  std::vector<Component> find(std::span<const StateId> from, const Follows& follows);

 private:
  struct Visit {
    StateId state;
    std::uint32_t next;  // of its transitions
  };

  void search_from(StateId root, const Follows& follows);
  void enter(StateId state);
  void go(StateId from, StateId to);
  void leave(StateId state);
  void close_component(StateId first);

  const Model& model_;
  Table<StateId, std::uint32_t> number_;  // in the order of the search, from 1; 0: not seen
  Table<StateId, std::uint32_t> lowest_;  // that it leads to, within what is open
  Table<StateId, bool> open_;             // its component is not complete
  Component component_;
  std::vector<Visit> visits_;
  std::vector<Component> found_;
  std::uint32_t count_ = 0;
};

// Whether a transition leads from the state back to it.
bool leads_to_itself(const Model& model, StateId state);

}  // namespace heddle::model
