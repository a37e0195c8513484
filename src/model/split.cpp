#include "model/split.h"

namespace heddle::model {

std::size_t shared_loads(const Model& model, ExpressionId expression) {
  std::size_t count = 0;
  for_each_node(model.expressions, expression, [&](const ExpressionNode& node) {
    const bool loads = node.op == Operator::load || node.op == Operator::element;
    if (loads && model.is_shared_word(node.left)) ++count;
  });
  return count;
}

std::size_t shared_loads(const Model& model, const Reference& reference) {
  return shared_loads(model, reference.index);
}

Interval Splitter::interval_of(ExpressionId expression) const {
  const DeclaredBounds bounds(builder_.model);
  const Interval values = IntervalEvaluator(builder_.model.expressions, bounds)(expression);
  return values.empty() ? Interval::full() : values;  // it fails before it has a value
}

VariableId Splitter::add_temporary(Interval bounds) {
  Variable made;
  made.name = "temporary";
  made.thread = thread_;
  made.temporary = true;
  made.bounds = bounds;
  temporaries_.push_back(builder_.add_variable(std::move(made)));
  return temporaries_.back();
}

void Splitter::assign(VariableId temporary, ExpressionId value, StateId from, StateId to) {
  Transition made{.source = from, .target = to, .range = range_};
  const Variable& variable = builder_.model.variables[temporary];
  builder_.set_updates(made, {{{.base = variable.first_word}, value, variable.bounds}});
  builder_.transitions.push_back(made);
}

void Splitter::branch(ExpressionId guard, StateId from, StateId then, StateId otherwise) {
  Transition made{.source = from, .target = then, .guard = guard, .range = range_};
  builder_.transitions.push_back(made);
  made.target = otherwise;
  made.negated = true;
  builder_.transitions.push_back(made);
}

ExpressionId Splitter::into_temporary(ExpressionId value) {
  const VariableId temporary = add_temporary(interval_of(value));
  const StateId next = add_state();
  assign(temporary, value, at_, next);
  at_ = next;
  return builder_.model.expressions.load(builder_.model.variables[temporary].first_word);
}

ExpressionId Splitter::split(ExpressionId expression) {
  if (shared_loads(builder_.model, expression) == 0) return expression;
  Expressions& expressions = builder_.model.expressions;
  const ExpressionNode node = expressions[expression];
  switch (node.op) {
    case Operator::constant: return expression;
    case Operator::load: return into_temporary(expression);
    case Operator::element: {
      const ExpressionId place =
          expressions.element(node.left, node.extra, split(node.right_operand()));
      return builder_.model.is_shared_word(node.left) ? into_temporary(place) : place;
    }
    case Operator::negate:
    case Operator::logical_not: return expressions.unary(node.op, split(node.left_operand()));
    case Operator::logical_and:
    case Operator::logical_or: return split_logical(node);
    case Operator::conditional: return split_conditional(node);
    default: break;
  }
  const ExpressionId left = split(node.left_operand());
  return expressions.binary(node.op, left, split(node.right_operand()));
}

ExpressionId Splitter::split_logical(const ExpressionNode& node) {
  Expressions& expressions = builder_.model.expressions;
  const ExpressionId left = split(node.left_operand());
  if (shared_loads(builder_.model, node.right_operand()) == 0) {
    return expressions.binary(node.op, left, node.right_operand());
  }
  const VariableId temporary = add_temporary({0, 1});
  const ExpressionId result = expressions.load(builder_.model.variables[temporary].first_word);
  const StateId test = add_state(), undecided = add_state(), done = add_state();
  assign(temporary, left, at_, test);
  const bool stops_when_true = node.op == Operator::logical_or;
  branch(result, test, stops_when_true ? done : undecided, stops_when_true ? undecided : done);
  at_ = undecided;
  const ExpressionId right = split(node.right_operand());
  assign(temporary, right, at_, done);
  at_ = done;
  return result;
}

ExpressionId Splitter::split_conditional(const ExpressionNode& node) {
  Expressions& expressions = builder_.model.expressions;
  const ExpressionId condition = split(node.left_operand());
  const Interval bounds =
      join(interval_of(node.right_operand()), interval_of(node.third_operand()));
  const VariableId temporary = add_temporary(bounds);
  const StateId then = add_state(), otherwise = add_state(), done = add_state();
  branch(condition, at_, then, otherwise);
  at_ = then;
  const ExpressionId value = split(node.right_operand());
  assign(temporary, value, at_, done);
  at_ = otherwise;
  const ExpressionId other_value = split(node.third_operand());
  assign(temporary, other_value, at_, done);
  at_ = done;
  return expressions.load(builder_.model.variables[temporary].first_word);
}

StateId Splitter::reset_before(StateId to) {
  if (temporaries_.empty()) return to;
  std::vector<Update> updates;
  for (const VariableId temporary : temporaries_) {
    const Variable& variable = builder_.model.variables[temporary];
    const std::int64_t value = default_value(variable.bounds);
    updates.push_back({{.base = variable.first_word},
                       builder_.model.expressions.constant(value),
                       variable.bounds});
  }
  Transition made{.source = add_state(), .target = to, .range = range_};
  builder_.set_updates(made, updates);
  builder_.transitions.push_back(made);
  return made.source;
}

}  // namespace heddle::model
