// A model file as a tree, just as it is written: names are not looked up yet.
//
// Names are views into the SourceText, which must outlive the tree. No tree is deeper
// than kMaxDepth, so everything that walks one may recurse.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "model/operators.h"
#include "model/source.h"

namespace heddle::model::syntax {

inline constexpr std::uint32_t kMaxDepth = 200;

enum class ExpressionKind : std::uint8_t { number, boolean, name, element, operation };

struct Expression;
using ExpressionPointer = std::unique_ptr<Expression>;

struct Expression {
  ExpressionKind kind = ExpressionKind::number;
  SourceRange range;
  std::int64_t value = 0;                   // number, boolean
  std::string_view name;                    // name, element
  Operator op = Operator::constant;         // operation
  std::vector<ExpressionPointer> operands;  // of the operation; the index of an element
  std::uint32_t depth = 1;
};

struct Type {
  bool is_bool = false;
  ExpressionPointer low;  // both or none
  ExpressionPointer high;
};

enum class DeclarationKind : std::uint8_t {
  parameter,
  constant,
  variable,
  lock,
  recursive_lock,
  rwlock,
  condition,
  semaphore,
};

struct Declaration {
  DeclarationKind kind = DeclarationKind::variable;
  SourceRange range;  // of the name
  std::string_view name;
  bool atomic = false;
  Type type;
  ExpressionPointer length;     // none: a scalar
  std::string_view index_name;  // `a[i : 8] = i * i`
  std::vector<ExpressionPointer> initial;
  bool initial_list = false;  // `{1, 2, 3}`
};

enum class StatementKind : std::uint8_t {
  declaration,
  assignment,
  if_,
  while_,
  for_,
  break_,
  continue_,
  assertion,
  assumption,
  skip,
  block,
  atomic,
  choose,  // between blocks
  call,
};

enum class Call : std::uint8_t {
  lock,
  unlock,
  trylock,
  read_lock,
  read_unlock,
  try_read_lock,
  wait,  // (condition, lock) or (semaphore)
  trywait,
  post,
  notify,
  notify_all,
  fork,
  join,
  cas,
  choose,  // of a value
};

struct Statement;
using Block = std::vector<Statement>;

struct Statement {
  StatementKind kind = StatementKind::skip;
  SourceRange range;  // without the blocks
  Call call = Call::lock;
  Operator op = Operator::constant;        // of `x += e`; constant for `x = e`
  std::vector<ExpressionPointer> targets;  // assigned to
  std::vector<ExpressionPointer> operands;
  std::vector<Block> blocks;
  std::optional<Declaration> declaration;  // also the variable of a `for`
};

struct Thread {
  SourceRange range;  // of the name
  std::string_view name;
  std::string_view parameter;  // empty: a single thread
  ExpressionPointer low;
  ExpressionPointer high;
  bool forked = false;
  Block body;
};

struct Program {
  std::vector<Declaration> declarations;
  std::vector<Thread> threads;
};

}  // namespace heddle::model::syntax
