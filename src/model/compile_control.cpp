// Control flow: blocks, branches, loops, choices.
#include <fmt/format.h>

#include "model/compile_thread.h"

namespace heddle::model {

using syntax::Statement;
using syntax::StatementKind;

void ThreadCompiler::compile(const syntax::Block& body) {
  const StateId first = add_state();
  const StateId last = add_state();
  builder_.model.threads[thread_].first = first;
  builder_.exits.push_back(last);
  builder_.model.threads[thread_].first_word = builder_.model.layout.words;
  sequence(body, first, last);
  builder_.model.threads[thread_].end_word = builder_.model.layout.words;
}

void ThreadCompiler::sequence(const syntax::Block& block, StateId from, StateId to) {
  if (block.empty()) return skip({}, from, to);
  builder_.names.open_scope();
  for (std::size_t i = 0; i < block.size(); ++i) {
    const StateId next = i + 1 == block.size() ? to : add_state();
    statement(block[i], from, next);
    from = next;
  }
  builder_.names.close_scope();
}

void ThreadCompiler::statement(const Statement& statement, StateId from, StateId to) {
  switch (statement.kind) {
    case StatementKind::declaration: return declaration(statement, from, to);
    case StatementKind::assignment: return assignment(statement, from, to);
    case StatementKind::if_: return if_statement(statement, from, to);
    case StatementKind::while_: return while_statement(statement, from, to);
    case StatementKind::for_: return for_statement(statement, from, to);
    case StatementKind::break_:
    case StatementKind::continue_: return jump(statement, from);
    case StatementKind::assertion:
    case StatementKind::assumption: return check(statement, from, to);
    case StatementKind::skip: return skip(statement.range, from, to);
    case StatementKind::block: return sequence(statement.blocks.front(), from, to);
    case StatementKind::atomic: return atomic_block(statement, from, to);
    case StatementKind::choose: return choose_block(statement, from, to);
    case StatementKind::call: return call(statement, from, to);
  }
}

void ThreadCompiler::skip(SourceRange range, StateId from, StateId to) {
  builder_.transitions.push_back({.source = from, .target = to, .range = range});
}

// Where a block starts; an empty one is over at once.
StateId ThreadCompiler::entry(const syntax::Block& block, StateId to) {
  return block.empty() ? to : add_state();
}

void ThreadCompiler::branch(SourceRange range, ExpressionId condition, StateId from, StateId then,
                            StateId otherwise) {
  Splitter splitter(builder_, thread_, range, from);
  if (splits() && shared_loads(builder_.model, condition) > 1) {
    condition = splitter.split(condition);
    then = splitter.reset_before(then);
    otherwise = splitter.reset_before(otherwise);
  }
  Transition made{.source = from, .target = then, .guard = condition, .range = range};
  builder_.transitions.push_back(made);
  made.target = otherwise;
  made.negated = true;
  builder_.transitions.push_back(made);
}

void ThreadCompiler::if_statement(const Statement& statement, StateId from, StateId to) {
  const ExpressionId condition = expressions_.boolean(*statement.operands.front(), "a condition");
  static const syntax::Block nothing;
  const syntax::Block& otherwise = statement.blocks.size() > 1 ? statement.blocks[1] : nothing;
  const StateId then_entry = entry(statement.blocks[0], to);
  const StateId else_entry = entry(otherwise, to);
  branch(statement.range, condition, from, then_entry, else_entry);
  if (!statement.blocks[0].empty()) sequence(statement.blocks[0], then_entry, to);
  if (!otherwise.empty()) sequence(otherwise, else_entry, to);
}

// In an atomic block the thread must not come back to the visible state in front of it.
StateId ThreadCompiler::loop_head(SourceRange range, StateId from) {
  if (atomic_depth_ == 0 || builder_.model.states[from].atomic) return from;
  const StateId head = add_state();
  skip(range, from, head);
  return head;
}

void ThreadCompiler::loop(const Statement& statement, ExpressionId condition, StateId head,
                          StateId to, StateId next_round) {
  const StateId body = entry(statement.blocks.front(), next_round);
  branch(statement.range, condition, head, body, to);
  loops_.push_back({to, next_round});
  if (!statement.blocks.front().empty()) sequence(statement.blocks.front(), body, next_round);
  loops_.pop_back();
}

void ThreadCompiler::while_statement(const Statement& statement, StateId from, StateId to) {
  const ExpressionId condition = expressions_.boolean(*statement.operands.front(), "a condition");
  const StateId head = loop_head(statement.range, from);
  loop(statement, condition, head, to, head);
}

void ThreadCompiler::for_statement(const Statement& statement, StateId from, StateId to) {
  const ExpressionId low = expressions_.number(*statement.operands[0], "the start of a range");
  const ExpressionId high = expressions_.number(*statement.operands[1], "the end of a range");
  builder_.names.open_scope();
  const VariableId variable = declare(*statement.declaration);
  const Reference counter{.base = builder_.model.variables[variable].first_word};
  Expressions& expressions = builder_.model.expressions;
  const ExpressionId value = expressions.load(counter.base);
  const StateId head = add_state();
  const StateId next_round = add_state();
  update(statement.range, {{counter, low, {}}}, from, head);
  loop(statement, expressions.binary(Operator::less_equal, value, high), head, to, next_round);
  const ExpressionId next = expressions.binary(Operator::add, value, expressions.constant(1));
  update(statement.range, {{counter, next, {}}}, next_round, head);
  builder_.names.close_scope();
}

void ThreadCompiler::jump(const Statement& statement, StateId from) {
  const bool leaves = statement.kind == StatementKind::break_;
  if (loops_.empty()) {
    return complain(statement.range,
                    fmt::format("'{}' stands in no loop", leaves ? "break" : "continue"));
  }
  skip(statement.range, from, leaves ? loops_.back().exit : loops_.back().next_round);
}

void ThreadCompiler::atomic_block(const Statement& statement, StateId from, StateId to) {
  const std::size_t first = builder_.transitions.size();
  ++atomic_depth_;
  sequence(statement.blocks.front(), from, to);
  --atomic_depth_;
  for (std::size_t i = first; i < builder_.transitions.size(); ++i) {
    builder_.transitions[i].in_atomic_block = true;
  }
}

void ThreadCompiler::choose_block(const Statement& statement, StateId from, StateId to) {
  if (atomic_depth_ > 0) {
    return complain(statement.range,
                    "'choose' cannot stand inside an atomic block; choose before it");
  }
  for (const syntax::Block& block : statement.blocks) {
    const StateId start = entry(block, to);
    skip(statement.range, from, start);
    if (!block.empty()) sequence(block, start, to);
  }
}

}  // namespace heddle::model
