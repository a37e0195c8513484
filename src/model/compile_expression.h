// Expressions: names looked up, types checked, nodes built.
#pragma once

#include <optional>
#include <string>

#include "model/builder.h"
#include "model/syntax.h"

namespace heddle::model {

enum class ValueType : std::uint8_t { number, boolean, wrong };

struct TypedExpression {
  ExpressionId id;
  ValueType type = ValueType::wrong;  // wrong: a mistake that has been reported
};

// A place that can be assigned to, or the variable of a CAS.
struct Place {
  Reference reference;
  Interval bounds;
  ValueType type = ValueType::wrong;
  VariableId variable;
};

class ExpressionCompiler {
 public:
  explicit ExpressionCompiler(Builder& builder) : builder_(builder) {}

  TypedExpression compile(const syntax::Expression& expression);
  // Of that type; otherwise a mistake, and some constant. `what` needs it: "the index".
  ExpressionId number(const syntax::Expression& expression, std::string_view what);
  ExpressionId boolean(const syntax::Expression& expression, std::string_view what);
  ExpressionId of_type(const syntax::Expression& expression, ValueType type, std::string_view what);
  // A number known now.
  std::optional<std::int64_t> constant(const syntax::Expression& expression, std::string_view what);

  Place place(const syntax::Expression& expression);
  ExpressionId load(const Place& place);
  // A lock, condition or semaphore; the kind is for the caller to check.
  std::optional<Reference> sync_reference(const syntax::Expression& expression, SyncKind& kind);
  std::optional<Reference> thread_reference(const syntax::Expression& expression);

 private:
  const Symbol* look_up(const syntax::Expression& expression);
  TypedExpression wrong(SourceRange range, std::string message);
  TypedExpression name(const syntax::Expression& expression);
  TypedExpression operation(const syntax::Expression& expression);
  TypedExpression comparison(const syntax::Expression& expression);
  TypedExpression conditional(const syntax::Expression& expression);
  bool index_fits(const syntax::Expression& expression, bool is_array);

  Builder& builder_;
};

std::string_view name_of(ValueType type);

}  // namespace heddle::model
