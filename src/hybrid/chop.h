// The chop: what, of the model behind a state, can matter for whether another thread reaches an
// access to a location.
//
// From the accesses to the location, three things are closed over until nothing is new:
//
//   live      control states from which something needed can be reached;
//   needed    transitions that access the location, change a variable that matters, or synchronise
//             on an object on which a transition of a live state does;
//   matters   variables by which a transition of a live state branches, finds its object or may
//             fail, and those from which such a variable is computed.
//
// A thread in a state that is not live can be left where it stands: all that it will still do is
// seen by nobody who is live. And two accesses to a variable that does not matter commute as far
// as the question goes, so the search need not try both orders. Reachability of the location's
// accesses is the same with and without it. Linear in the size of the model for each round; the
// rounds are as many as there are steps from cause to effect.
#pragma once

#include <vector>

#include "model/model.h"

namespace heddle::hybrid {

struct ChopQuestion {
  std::vector<model::StateId> controls;  // by thread: where it stands
  ThreadId paused;                       // takes no step
  SystemObject location;
};

class Chop {
 public:
  Chop(const model::Model& model, const ChopQuestion& question);

  bool is_live(model::StateId state) const { return live_[state]; }
  // Of an object of the model: a variable that matters, or something to synchronise on.
  bool matters(SystemObject object) const {
    return object.value() >= shared_words_ || variable_matters_[word_variables_[object.value()]];
  }

 private:
  const std::vector<model::VariableId>& word_variables_;
  std::uint32_t shared_words_;
  Table<model::StateId, bool> live_;
  Table<model::VariableId, bool> variable_matters_;
};

}  // namespace heddle::hybrid
