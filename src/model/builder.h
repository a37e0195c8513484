// A model under construction: states and transitions in any order, words handed out.
#pragma once

#include <vector>

#include "model/model.h"
#include "model/names.h"
#include "model/source.h"

namespace heddle::model {

inline constexpr std::int64_t kMaxLength = 1 << 20;    // of a shared array
inline constexpr std::int64_t kMaxLocalLength = 4096;  // of a thread's array
inline constexpr std::size_t kMaxThreads = 4096;
inline constexpr std::size_t kMaxWords = std::size_t{1} << 24;
inline constexpr std::size_t kMaxStates = std::size_t{1} << 22;

struct Builder {
  Builder(Model& model_to_build, Diagnostics& diagnostics_to_fill)
      : model(model_to_build), diagnostics(diagnostics_to_fill) {}

  Model& model;
  Diagnostics& diagnostics;
  Names names;
  std::vector<Transition> transitions;  // in no order; finish() sorts them
  std::vector<StateId> exits;           // per thread: the state behind its last statement

  StateId add_state(ThreadId thread, bool atomic) {
    return model.states.add({.thread = thread, .atomic = atomic});
  }
  // Gives the variable its words. Shared ones must all come before the local ones.
  VariableId add_variable(Variable variable);
  // The same place without an index, where the index is a constant that fits.
  Reference folded(const Reference& reference) const;
  void set_updates(Transition& transition, const std::vector<Update>& updates);
};

// The value that a variable has unless told otherwise: 0, or the bound that is next to it.
std::int64_t default_value(Interval bounds);

// The bounds of the variables as an environment for intervals: what holds in any state.
class DeclaredBounds {
 public:
  explicit DeclaredBounds(const Model& model) : model_(model) {}
  Interval word(std::uint32_t word) const { return model_.bounds_of(word); }
  Interval words(std::uint32_t first, std::uint32_t) const { return model_.bounds_of(first); }

 private:
  const Model& model_;
};

}  // namespace heddle::model
