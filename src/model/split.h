// `--granularity access`: a statement as one shared access per transition.
//
// Shared variables are loaded into temporaries one by one, in the order of evaluation, and
// the rest of the statement works on those, as in compiled C. Operands of && and || that
// need not be evaluated are not loaded. Behind the statement the temporaries are reset, so
// that what was loaded does not make two states differ for ever.
#pragma once

#include <vector>

#include "model/builder.h"

namespace heddle::model {

// Shared words that evaluating the expression, or finding the place, may load.
std::size_t shared_loads(const Model& model, ExpressionId expression);
std::size_t shared_loads(const Model& model, const Reference& reference);

class Splitter {
 public:
  // Transitions are added from `at` on, which moves along.
  Splitter(Builder& builder, ThreadId thread, SourceRange range, StateId& at)
      : builder_(builder), thread_(thread), range_(range), at_(at) {}

  // An expression of the same value without shared loads.
  ExpressionId split(ExpressionId expression);
  void split(Reference& reference) {
    if (reference.index.valid()) reference.index = split(reference.index);
  }

  // A state from which the temporaries are reset on the way to `to`.
  StateId reset_before(StateId to);

 private:
  ExpressionId into_temporary(ExpressionId value);
  ExpressionId split_logical(const ExpressionNode& node);
  ExpressionId split_conditional(const ExpressionNode& node);
  VariableId add_temporary(Interval bounds);
  void assign(VariableId temporary, ExpressionId value, StateId from, StateId to);
  void branch(ExpressionId guard, StateId from, StateId then, StateId otherwise);
  StateId add_state() { return builder_.add_state(thread_, false); }
  Interval interval_of(ExpressionId expression) const;

  Builder& builder_;
  ThreadId thread_;
  SourceRange range_;
  StateId& at_;
  std::vector<VariableId> temporaries_;
};

}  // namespace heddle::model
