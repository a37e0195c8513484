#include "model/compile_expression.h"

#include <fmt/format.h>

namespace heddle::model {
namespace {

using syntax::ExpressionKind;

ValueType type_of(bool is_bool) { return is_bool ? ValueType::boolean : ValueType::number; }

bool is_logical(Operator op) {
  return op == Operator::logical_and || op == Operator::logical_or || op == Operator::logical_not;
}

bool compares(Operator op) { return op >= Operator::equal && op <= Operator::greater_equal; }

std::string_view kind_name(SymbolKind kind) {
  switch (kind) {
    case SymbolKind::constant: return "a constant";
    case SymbolKind::variable: return "a variable";
    case SymbolKind::sync: return "a lock, condition or semaphore";
    case SymbolKind::thread: return "a thread";
  }
  return "";
}

}  // namespace

std::string_view name_of(ValueType type) {
  return type == ValueType::boolean ? "a bool" : "a number";
}

TypedExpression ExpressionCompiler::wrong(SourceRange range, std::string message) {
  builder_.diagnostics.add(range, std::move(message));
  return {builder_.model.expressions.constant(0), ValueType::wrong};
}

const Symbol* ExpressionCompiler::look_up(const syntax::Expression& expression) {
  const Symbol* const symbol = builder_.names.find(expression.name);
  if (symbol != nullptr) return symbol;
  std::string message = fmt::format("unknown name '{}'", expression.name);
  if (const auto similar = builder_.names.similar(expression.name)) {
    message += fmt::format("; did you mean '{}'?", *similar);
  }
  builder_.diagnostics.add(expression.range, std::move(message));
  return nullptr;
}

TypedExpression ExpressionCompiler::compile(const syntax::Expression& expression) {
  switch (expression.kind) {
    case ExpressionKind::number:
      return {builder_.model.expressions.constant(expression.value), ValueType::number};
    case ExpressionKind::boolean:
      return {builder_.model.expressions.constant(expression.value), ValueType::boolean};
    case ExpressionKind::name:
    case ExpressionKind::element: return name(expression);
    case ExpressionKind::operation: return operation(expression);
  }
  return {};
}

TypedExpression ExpressionCompiler::name(const syntax::Expression& expression) {
  const Symbol* const symbol = look_up(expression);
  Expressions& expressions = builder_.model.expressions;
  if (symbol == nullptr) return {expressions.constant(0), ValueType::wrong};
  if (symbol->kind == SymbolKind::constant) {
    if (!index_fits(expression, false)) return {expressions.constant(0), ValueType::wrong};
    return {expressions.constant(symbol->value), type_of(symbol->is_bool)};
  }
  if (symbol->kind != SymbolKind::variable) {
    return wrong(expression.range, fmt::format("'{}' is {}, which has no value", expression.name,
                                               kind_name(symbol->kind)));
  }
  const Place found = place(expression);
  return {load(found), found.type};
}

bool ExpressionCompiler::index_fits(const syntax::Expression& expression, bool is_array) {
  const bool has_index = expression.kind == ExpressionKind::element;
  if (has_index == is_array) return true;
  wrong(expression.range, is_array ? fmt::format("'{}' is an array; say which element, '{}[...]'",
                                                 expression.name, expression.name)
                                   : fmt::format("'{}' is no array", expression.name));
  return false;
}

Place ExpressionCompiler::place(const syntax::Expression& expression) {
  const Symbol* const symbol = look_up(expression);
  if (symbol == nullptr) return {};
  if (symbol->kind != SymbolKind::variable) {
    wrong(expression.range,
          fmt::format("'{}' is {}, not a variable", expression.name, kind_name(symbol->kind)));
    return {};
  }
  const VariableId id = symbol->variable;
  const Variable& variable = builder_.model.variables[id];
  Place made{
      {variable.first_word, variable.length}, variable.bounds, type_of(variable.is_bool), id};
  if (!index_fits(expression, variable.is_array)) return {};
  if (variable.is_array) {
    made.reference.index = number(*expression.operands.front(), "an index");
  }
  made.reference = builder_.folded(made.reference);
  return made;
}

ExpressionId ExpressionCompiler::load(const Place& place) {
  Expressions& expressions = builder_.model.expressions;
  if (place.type == ValueType::wrong) return expressions.constant(0);
  const Reference& from = place.reference;
  return from.index.valid() ? expressions.element(from.base, from.length, from.index)
                            : expressions.load(from.base);
}

ExpressionId ExpressionCompiler::of_type(const syntax::Expression& expression, ValueType type,
                                         std::string_view what) {
  const TypedExpression made = compile(expression);
  if (made.type != type && made.type != ValueType::wrong && type != ValueType::wrong) {
    wrong(expression.range,
          fmt::format("{} must be {}, but this is {}", what, name_of(type), name_of(made.type)));
  }
  return made.id;
}

ExpressionId ExpressionCompiler::number(const syntax::Expression& expression,
                                        std::string_view what) {
  return of_type(expression, ValueType::number, what);
}

ExpressionId ExpressionCompiler::boolean(const syntax::Expression& expression,
                                         std::string_view what) {
  return of_type(expression, ValueType::boolean, what);
}

std::optional<std::int64_t> ExpressionCompiler::constant(const syntax::Expression& expression,
                                                         std::string_view what) {
  const TypedExpression made = compile(expression);
  if (made.type == ValueType::wrong) return std::nullopt;
  const std::optional<std::int64_t> value = builder_.model.expressions.constant_value(made.id);
  if (made.type != ValueType::number) {
    wrong(expression.range, fmt::format("{} must be a number", what));
  } else if (!value) {
    wrong(expression.range, fmt::format("{} must be known before the model runs: numbers, "
                                        "parameters and constants only",
                                        what));
  }
  return made.type == ValueType::number ? value : std::nullopt;
}

TypedExpression ExpressionCompiler::operation(const syntax::Expression& expression) {
  if (compares(expression.op)) return comparison(expression);
  if (expression.op == Operator::conditional) return conditional(expression);
  const bool logical = is_logical(expression.op);
  const ValueType type = logical ? ValueType::boolean : ValueType::number;
  const std::string_view what =
      logical ? "an operand of '!', '&&' and '||'" : "an operand of arithmetic";
  const ExpressionId left = of_type(*expression.operands[0], type, what);
  Expressions& expressions = builder_.model.expressions;
  if (expression.operands.size() == 1) return {expressions.unary(expression.op, left), type};
  const ExpressionId right = of_type(*expression.operands[1], type, what);
  return {expressions.binary(expression.op, left, right), type};
}

TypedExpression ExpressionCompiler::comparison(const syntax::Expression& expression) {
  const TypedExpression left = compile(*expression.operands[0]);
  const TypedExpression right = compile(*expression.operands[1]);
  const bool known = left.type != ValueType::wrong && right.type != ValueType::wrong;
  const bool any_type = expression.op == Operator::equal || expression.op == Operator::not_equal;
  if (known && left.type != right.type) {
    return wrong(expression.range, fmt::format("{} cannot be compared with {}", name_of(left.type),
                                               name_of(right.type)));
  }
  if (known && !any_type && left.type == ValueType::boolean) {
    return wrong(expression.range, "only numbers have an order; compare bools with == and !=");
  }
  return {builder_.model.expressions.binary(expression.op, left.id, right.id), ValueType::boolean};
}

TypedExpression ExpressionCompiler::conditional(const syntax::Expression& expression) {
  const ExpressionId condition = boolean(*expression.operands[0], "what stands before '?'");
  const TypedExpression then = compile(*expression.operands[1]);
  const ExpressionId otherwise =
      of_type(*expression.operands[2], then.type, "the value behind ':', like the one before it,");
  return {builder_.model.expressions.conditional(condition, then.id, otherwise), then.type};
}

std::optional<Reference> ExpressionCompiler::sync_reference(const syntax::Expression& expression,
                                                            SyncKind& kind) {
  using Kind = ExpressionKind;
  if (expression.kind != Kind::name && expression.kind != Kind::element) {
    wrong(expression.range, "expected the name of a lock, condition or semaphore");
    return std::nullopt;
  }
  const Symbol* const symbol = look_up(expression);
  if (symbol == nullptr) return std::nullopt;
  if (symbol->kind != SymbolKind::sync) {
    wrong(expression.range, fmt::format("'{}' is {}; expected a lock, condition or semaphore",
                                        expression.name, kind_name(symbol->kind)));
    return std::nullopt;
  }
  const SyncDeclaration declaration = builder_.model.sync_declarations[symbol->index];
  kind = declaration.kind;
  if (!index_fits(expression, declaration.is_array)) return std::nullopt;
  Reference made{declaration.first.value(), declaration.length};
  if (declaration.is_array) made.index = number(*expression.operands.front(), "an index");
  return builder_.folded(made);
}

std::optional<Reference> ExpressionCompiler::thread_reference(
    const syntax::Expression& expression) {
  const Symbol* const symbol = look_up(expression);
  if (symbol == nullptr) return std::nullopt;
  if (symbol->kind != SymbolKind::thread) {
    wrong(expression.range,
          fmt::format("'{}' is {}, not a thread", expression.name, kind_name(symbol->kind)));
    return std::nullopt;
  }
  const ThreadTemplate& found = builder_.model.templates[symbol->index];
  const bool has_argument = expression.kind == ExpressionKind::element;
  if (has_argument != found.has_parameter) {
    wrong(expression.range,
          has_argument
              ? fmt::format("thread '{}' has no parameter", expression.name)
              : fmt::format("there are several '{0}'; say which one, '{0}(...)'", expression.name));
    return std::nullopt;
  }
  Reference made{builder_.model.layout.first_thread_object + found.first.value(), found.count};
  made.offset = found.low;
  if (has_argument) made.index = number(*expression.operands.front(), "a thread's parameter");
  return builder_.folded(made);
}

}  // namespace heddle::model
