// What can be said about a transition without running it.
#include <algorithm>

#include "model/finish.h"

namespace heddle::model {
namespace {

bool loads(const ExpressionNode& node) {
  return node.op == Operator::load || node.op == Operator::element;
}

void sort_and_unify(std::vector<VariableId>& variables) {
  std::sort(variables.begin(), variables.end());
  variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
}

class TableMaker {
 public:
  TableMaker(const Model& model, StaticTable& table) : model_(model), table_(table) {}

  void value(ExpressionId id) { loads_into(id, table_.reads), addresses_in(id); }
  void condition(ExpressionId id) { value(id), loads_into(id, table_.branches); }
  void address(const Reference& reference) {
    value(reference.index);
    loads_into(reference.index, table_.addresses);
  }
  void target(const Reference& reference) {
    address(reference);
    table_.writes.push_back(model_.word_variables[reference.base]);
  }
  void variable_read(const Reference& reference) {
    table_.reads.push_back(model_.word_variables[reference.base]);
    table_.branches.push_back(model_.word_variables[reference.base]);
  }

 private:
  void loads_into(ExpressionId id, std::vector<VariableId>& list) {
    for_each_node(model_.expressions, id, [&](const ExpressionNode& node) {
      if (loads(node)) list.push_back(model_.word_variables[node.left]);
    });
  }
  void addresses_in(ExpressionId id) {
    for_each_node(model_.expressions, id, [&](const ExpressionNode& node) {
      if (node.op == Operator::element) loads_into(node.right_operand(), table_.addresses);
    });
  }

  const Model& model_;
  StaticTable& table_;
};

}  // namespace

StaticTable static_table(const Model& model, const Transition& transition) {
  StaticTable table;
  TableMaker maker(model, table);
  maker.condition(transition.guard);
  maker.condition(transition.condition);
  maker.value(transition.low);
  maker.value(transition.high);
  maker.address(transition.object);
  maker.address(transition.lock);
  for (const Update& update : model.updates_of(transition)) {
    if (update.target.length > 0) maker.target(update.target);
    maker.value(update.value);
  }
  if (transition.kind == TransitionKind::compare_and_swap) maker.variable_read(transition.object);
  for (auto* list : {&table.reads, &table.writes, &table.addresses, &table.branches}) {
    sort_and_unify(*list);
  }
  return table;
}

// By the declared bounds; everything that synchronises may be misused.
bool may_fail(const Model& model, const Transition& transition) {
  if (transition.kind != TransitionKind::update) return transition.kind != TransitionKind::end;
  const DeclaredBounds bounds(model);
  IntervalEvaluator evaluator(model.expressions, bounds);
  if (transition.guard.valid()) evaluator(transition.guard);
  bool leaves_range = false;
  for (const Update& update : model.updates_of(transition)) {
    if (update.target.index.valid()) evaluator.index(update.target.index, update.target.length);
    leaves_range |= !evaluator(update.value).within(update.bounds);
  }
  return leaves_range || evaluator.may_fail();
}

bool is_local(const Model& model, const Transition& transition) {
  if (synchronises(transition.kind)) return false;
  const StaticTable table = static_table(model, transition);
  const auto shared = [&](VariableId id) { return model.variables[id].shared(); };
  return std::none_of(table.reads.begin(), table.reads.end(), shared) &&
         std::none_of(table.writes.begin(), table.writes.end(), shared);
}

}  // namespace heddle::model
