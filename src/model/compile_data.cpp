// Data: declarations, assignments, checks, CAS, choice of a value.
#include <fmt/format.h>

#include "model/compile_thread.h"

namespace heddle::model {

using syntax::Declaration;
using syntax::Statement;
using syntax::StatementKind;

namespace {

ValueType type_of(const Variable& variable) {
  return variable.is_bool ? ValueType::boolean : ValueType::number;
}

}  // namespace

std::optional<std::uint32_t> array_length(ExpressionCompiler& expressions, Builder& builder,
                                          const Declaration& declaration, std::int64_t longest) {
  if (declaration.length == nullptr) return 1;
  const auto length = expressions.constant(*declaration.length, "the length of an array");
  if (!length) return std::nullopt;
  if (*length >= 0 && *length <= longest) return static_cast<std::uint32_t>(*length);
  builder.diagnostics.add(
      declaration.length->range,
      fmt::format("an array of length {}; possible are 0 to {}", *length, longest));
  return std::nullopt;
}

Interval declared_bounds(ExpressionCompiler& expressions, Builder& builder,
                         const syntax::Type& type) {
  if (type.is_bool) return {0, 1};
  if (type.low == nullptr) return {};
  const auto low = expressions.constant(*type.low, "a bound");
  const auto high = expressions.constant(*type.high, "a bound");
  if (!low || !high) return {};
  if (*low <= *high) return {*low, *high};
  builder.diagnostics.add({type.low->range.begin, type.high->range.end},
                          fmt::format("the bounds {}..{} contain no value", *low, *high));
  return {};
}

VariableId ThreadCompiler::declare(const Declaration& declaration) {
  Variable made;
  made.name = std::string(declaration.name);
  made.thread = thread_;
  made.is_bool = declaration.type.is_bool;
  made.is_array = declaration.length != nullptr;
  made.bounds = declared_bounds(expressions_, builder_, declaration.type);
  made.length = array_length(expressions_, builder_, declaration, kMaxLocalLength).value_or(1);
  made.declared = declaration.range;
  const VariableId id = builder_.add_variable(std::move(made));
  if (!builder_.names.add(declaration.name, {.kind = SymbolKind::variable, .variable = id})) {
    complain(declaration.range,
             fmt::format("'{}' is declared in this block already", declaration.name));
  }
  return id;
}

std::vector<Update> ThreadCompiler::initial_updates(const Declaration& declaration, VariableId id) {
  const Variable variable = builder_.model.variables[id];
  const std::size_t given = declaration.initial.size();
  if (declaration.initial_list && (!variable.is_array || given != variable.length)) {
    complain(declaration.range, fmt::format("{} values for '{}', which has {}", given,
                                            declaration.name, variable.length));
    return {};
  }
  std::vector<Update> updates;
  for (std::uint32_t i = 0; i < variable.length; ++i) {
    ExpressionId value = builder_.model.expressions.constant(default_value(variable.bounds));
    builder_.names.open_scope();
    if (!declaration.index_name.empty()) builder_.names.add(declaration.index_name, {.value = i});
    if (given > 0) {
      const auto& initial = *declaration.initial[declaration.initial_list ? i : 0];
      value = expressions_.of_type(initial, type_of(variable), "the initial value");
    }
    builder_.names.close_scope();
    updates.push_back({{.base = variable.first_word + i}, value, variable.bounds});
  }
  return updates;
}

void ThreadCompiler::declaration(const Statement& statement, StateId from, StateId to) {
  const Declaration& declared = *statement.declaration;
  const VariableId id = declare(declared);
  update(statement.range, initial_updates(declared, id), from, to);
}

Update ThreadCompiler::assigned(const Statement& statement, std::size_t index) {
  const Place place = expressions_.place(*statement.targets[index]);
  const syntax::Expression& operand = *statement.operands[index];
  Expressions& expressions = builder_.model.expressions;
  const bool compound = statement.op != Operator::constant;
  if (compound && place.type == ValueType::boolean) {
    complain(statement.range, "only numbers can be counted up or down; this is a bool");
  }
  const ValueType type =
      compound && place.type != ValueType::wrong ? ValueType::number : place.type;
  const ExpressionId value = expressions_.of_type(
      operand, type, fmt::format("what '{}' is set to", statement.targets[index]->name));
  return {place.reference,
          compound ? expressions.binary(statement.op, expressions_.load(place), value) : value,
          place.bounds};
}

void ThreadCompiler::assignment(const Statement& statement, StateId from, StateId to) {
  if (statement.targets.size() != statement.operands.size()) {
    return complain(statement.range,
                    fmt::format("{} values for {} variables", statement.operands.size(),
                                statement.targets.size()));
  }
  std::vector<Update> updates;
  for (std::size_t i = 0; i < statement.targets.size(); ++i) {
    updates.push_back(assigned(statement, i));
  }
  const Variable* const variable = builder_.model.variable_of(updates.front().target.base);
  const bool one_step = statement.op != Operator::constant && updates.size() == 1 &&
                        variable != nullptr && variable->atomic;
  if (!splits() || !one_step) return update(statement.range, std::move(updates), from, to);
  Splitter splitter(builder_, thread_, statement.range, from);
  const Update whole = read_modify_write(splitter, updates.front());
  Transition made{.source = from, .target = splitter.reset_before(to), .range = statement.range};
  builder_.set_updates(made, {whole});
  builder_.transitions.push_back(made);
}

// `x += e` on an atomic x stays one access: only the index and e are loaded before.
Update ThreadCompiler::read_modify_write(Splitter& splitter, const Update& update) {
  Expressions& expressions = builder_.model.expressions;
  const ExpressionNode node = expressions[update.value];
  Update made = update;
  splitter.split(made.target);
  const ExpressionId old_value =
      made.target.index.valid()
          ? expressions.element(made.target.base, made.target.length, made.target.index)
          : expressions.load(made.target.base);
  made.value = expressions.binary(node.op, old_value, splitter.split(node.right_operand()));
  return made;
}

void ThreadCompiler::update(SourceRange range, std::vector<Update> updates, StateId from,
                            StateId to) {
  std::size_t accesses = 0;
  for (const Update& update : updates) {
    accesses += shared_loads(builder_.model, update.value) +
                shared_loads(builder_.model, update.target) + (is_shared(update.target) ? 1 : 0);
  }
  if (splits() && accesses > 1) return split_update(range, std::move(updates), from, to);
  Transition made{.source = from, .target = to, .range = range};
  builder_.set_updates(made, updates);
  builder_.transitions.push_back(made);
}

// Loads, then the shared stores one by one, then the local ones all at once.
void ThreadCompiler::split_update(SourceRange range, std::vector<Update> updates, StateId from,
                                  StateId to) {
  Splitter splitter(builder_, thread_, range, from);
  std::vector<Update> local;
  for (Update& update : updates) {
    splitter.split(update.target);
    update.value = splitter.split(update.value);
  }
  for (const Update& update : updates) {
    if (!is_shared(update.target)) {
      local.push_back(update);
      continue;
    }
    Transition store{.source = from, .target = add_state(), .range = range};
    builder_.set_updates(store, {update});
    builder_.transitions.push_back(store);
    from = store.target;
  }
  Transition last{.source = from, .target = splitter.reset_before(to), .range = range};
  builder_.set_updates(last, local);
  builder_.transitions.push_back(last);
}

std::size_t ThreadCompiler::loads(const Transition& transition,
                                  const std::vector<Update>& updates) const {
  const Model& model = builder_.model;
  std::size_t count = shared_loads(model, transition.condition) +
                      shared_loads(model, transition.low) + shared_loads(model, transition.high) +
                      shared_loads(model, transition.object) + shared_loads(model, transition.lock);
  for (const Update& update : updates) {
    count += shared_loads(model, update.target) + shared_loads(model, update.value);
  }
  return count;
}

void ThreadCompiler::add(Transition transition, std::vector<Update> updates) {
  const bool checks =
      transition.kind == TransitionKind::assertion || transition.kind == TransitionKind::assumption;
  const std::size_t allowed = checks ? 1 : 0;  // the others have an access of their own
  if (splits() && loads(transition, updates) > allowed) {
    return add_split(transition, std::move(updates));
  }
  builder_.set_updates(transition, updates);
  builder_.transitions.push_back(transition);
}

void ThreadCompiler::add_split(Transition transition, std::vector<Update> updates) {
  Splitter splitter(builder_, thread_, transition.range, transition.source);
  splitter.split(transition.object);
  splitter.split(transition.lock);
  for (ExpressionId* const part : {&transition.condition, &transition.low, &transition.high}) {
    if (part->valid()) *part = splitter.split(*part);
  }
  if (transition.kind == TransitionKind::compare_and_swap) updates[1].target = transition.object;
  for (Update& update : updates) {
    splitter.split(update.target);
    update.value = update.value.valid() ? splitter.split(update.value) : update.value;
  }
  transition.target = splitter.reset_before(transition.target);
  builder_.set_updates(transition, updates);
  builder_.transitions.push_back(transition);
}

void ThreadCompiler::check(const Statement& statement, StateId from, StateId to) {
  const bool asserts = statement.kind == StatementKind::assertion;
  Transition made{.source = from, .target = to, .range = statement.range};
  made.kind = asserts ? TransitionKind::assertion : TransitionKind::assumption;
  made.condition = expressions_.boolean(*statement.operands.front(), "a condition");
  add(made, {});
}

// The first update is the result, the second what is written on success.
void ThreadCompiler::cas(const Statement& statement, StateId from, StateId to) {
  if (!has_arguments(statement, 3)) return;
  using Kind = syntax::ExpressionKind;
  const syntax::Expression& target = *statement.operands[0];
  if (target.kind != Kind::name && target.kind != Kind::element) {
    return complain(target.range, "'cas' needs a variable first: cas(variable, expected, new)");
  }
  const Place place = expressions_.place(target);
  if (place.type != ValueType::wrong && !builder_.model.variables[place.variable].atomic) {
    complain(target.range,
             fmt::format("'cas' needs an atomic variable; declare '{}' atomic", target.name));
  }
  Update result;
  if (place.type == ValueType::wrong || !result_update(statement, ValueType::boolean, result))
    return;
  Transition made{.source = from, .target = to, .range = statement.range};
  made.kind = TransitionKind::compare_and_swap;
  made.object = place.reference;
  made.condition = expressions_.of_type(*statement.operands[1], place.type, "what 'cas' expects");
  const ExpressionId value =
      expressions_.of_type(*statement.operands[2], place.type, "what 'cas' writes");
  add(made, {result, {place.reference, value, place.bounds}});
}

void ThreadCompiler::choose_value(const Statement& statement, StateId from, StateId to) {
  if (!has_arguments(statement, 2)) return;
  if (atomic_depth_ > 0) {
    return complain(statement.range,
                    "'choose' cannot stand inside an atomic block; choose before it");
  }
  const Place place = expressions_.place(*statement.targets.front());
  if (place.type == ValueType::boolean) {
    complain(statement.targets.front()->range, "'choose' gives a number, but this is a bool");
  }
  Transition made{.source = from, .target = to, .range = statement.range};
  made.kind = TransitionKind::choose_value;
  made.low = expressions_.number(*statement.operands[0], "the start of a range");
  made.high = expressions_.number(*statement.operands[1], "the end of a range");
  add(made, {{place.reference, {}, place.bounds}});
}

}  // namespace heddle::model
