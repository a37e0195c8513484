// The body of a thread as control states and transitions.
//
// Each function compiles one kind of statement: it adds the transitions that lead from the
// state `from` to the state `to`.
#pragma once

#include <vector>

#include "model/compile.h"
#include "model/compile_expression.h"
#include "model/split.h"

namespace heddle::model {

class ThreadCompiler {
 public:
  ThreadCompiler(Builder& builder, Granularity granularity, ThreadId thread)
      : builder_(builder), expressions_(builder), granularity_(granularity), thread_(thread) {}

  void compile(const syntax::Block& body);

 private:
  struct Loop {
    StateId exit;
    StateId next_round;
  };

  void sequence(const syntax::Block& block, StateId from, StateId to);
  void statement(const syntax::Statement& statement, StateId from, StateId to);
  // Control flow: compile_control.cpp.
  void if_statement(const syntax::Statement& statement, StateId from, StateId to);
  void while_statement(const syntax::Statement& statement, StateId from, StateId to);
  void for_statement(const syntax::Statement& statement, StateId from, StateId to);
  void loop(const syntax::Statement& statement, ExpressionId condition, StateId head, StateId to,
            StateId next_round);
  void jump(const syntax::Statement& statement, StateId from);
  void atomic_block(const syntax::Statement& statement, StateId from, StateId to);
  void choose_block(const syntax::Statement& statement, StateId from, StateId to);
  void branch(SourceRange range, ExpressionId condition, StateId from, StateId then,
              StateId otherwise);
  StateId loop_head(SourceRange range, StateId from);
  StateId entry(const syntax::Block& block, StateId to);
  // Data: compile_data.cpp.
  void declaration(const syntax::Statement& statement, StateId from, StateId to);
  void assignment(const syntax::Statement& statement, StateId from, StateId to);
  Update assigned(const syntax::Statement& statement, std::size_t index);
  Update read_modify_write(Splitter& splitter, const Update& update);
  void update(SourceRange range, std::vector<Update> updates, StateId from, StateId to);
  void split_update(SourceRange range, std::vector<Update> updates, StateId from, StateId to);
  void check(const syntax::Statement& statement, StateId from, StateId to);
  void cas(const syntax::Statement& statement, StateId from, StateId to);
  void choose_value(const syntax::Statement& statement, StateId from, StateId to);
  VariableId declare(const syntax::Declaration& declaration);
  std::vector<Update> initial_updates(const syntax::Declaration& declaration, VariableId id);
  // Synchronisation: compile_sync.cpp.
  void call(const syntax::Statement& statement, StateId from, StateId to);
  void wait(const syntax::Statement& statement, StateId from, StateId to);
  void fork_or_join(const syntax::Statement& statement, StateId from, StateId to);
  void synchronise(const syntax::Statement& statement, StateId from, StateId to);
  bool may_synchronise(const syntax::Statement& statement, StateId from);
  bool has_arguments(const syntax::Statement& statement, std::size_t count);
  bool result_update(const syntax::Statement& statement, ValueType type, Update& update);

  // Adds the transition, split if that is asked for and it loads shared variables.
  void add(Transition transition, std::vector<Update> updates);
  std::size_t loads(const Transition& transition, const std::vector<Update>& updates) const;
  void add_split(Transition transition, std::vector<Update> updates);
  void skip(SourceRange range, StateId from, StateId to);
  StateId add_state() { return builder_.add_state(thread_, atomic_depth_ > 0); }
  bool splits() const { return granularity_ == Granularity::access && atomic_depth_ == 0; }
  bool is_shared(const Reference& reference) const {
    return builder_.model.is_shared_word(reference.base);
  }
  void complain(SourceRange range, std::string message) {
    builder_.diagnostics.add(range, std::move(message));
  }

  Builder& builder_;
  ExpressionCompiler expressions_;
  Granularity granularity_;
  ThreadId thread_;
  std::uint32_t atomic_depth_ = 0;
  std::vector<Loop> loops_;
};

// Declares the shape of an array: its length, or nothing after a mistake.
std::optional<std::uint32_t> array_length(ExpressionCompiler& expressions, Builder& builder,
                                          const syntax::Declaration& declaration,
                                          std::int64_t longest);
// The bounds that the type gives; full for a plain int or after a mistake.
Interval declared_bounds(ExpressionCompiler& expressions, Builder& builder,
                         const syntax::Type& type);

}  // namespace heddle::model
