// What a transition accesses, as an explorer sees it.
//
// For each control state there is a list of what its step accesses: variables (perhaps with
// a computed index), locks, threads. Most lists are constant and made once. The others are
// made when asked for: the index is computed, a try looks at its lock, and an atomic block
// with branches is walked through. A statement counts as reading every variable that is
// named in it, also behind an && that was already decided.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/machine.h"
#include "system/operation.h"

namespace heddle::model {

// An access whose object may have to be computed, and whose kind may depend on the state.
struct AccessPattern {
  enum class Rule : std::uint8_t { fixed, try_lock, try_read_lock, try_semaphore, swap };
  EventKind kind = EventKind::read;
  Rule rule = Rule::fixed;
  Reference object{};
  ExpressionId expected{};  // of a swap

  bool is_try() const { return rule != Rule::fixed && rule != Rule::swap; }
  bool is_constant() const { return rule == Rule::fixed && !object.index.valid(); }
};

struct StateOperation {
  std::uint32_t first_pattern = 0;
  std::uint32_t pattern_count = 0;
  std::uint32_t first_constant = 0;  // the accesses, where they are always the same
  std::uint32_t constant_count = 0;
  bool is_constant = false;
  bool goes_on = false;        // into an atomic block
  bool may_be_certain = true;  // its accesses do not depend on what others did, by their kind
};

// Adds an access; an object that is there already becomes read and written.
void add_access(std::vector<Access>& accesses, Access access);

class OperationTable {
 public:
  explicit OperationTable(const Model& model);

  const StateOperation& operator[](StateId state) const { return states_[state]; }
  std::span<const AccessPattern> patterns(StateId state) const {
    const StateOperation& of = states_[state];
    return {patterns_.data() + of.first_pattern, of.pattern_count};
  }
  std::span<const Access> constants(StateId state) const {
    const StateOperation& of = states_[state];
    return {constants_.data() + of.first_constant, of.constant_count};
  }

 private:
  void add_patterns(const Model& model, StateId state);
  void add_reads(const Model& model, const Transition& transition, ExpressionId expression);
  void add_reads(const Model& model, const Transition& transition);
  void add_synchronisation(const Model& model, const Transition& transition, StateId state);
  bool collect_constants(const Model& model, StateId state, std::vector<Access>& accesses) const;
  bool may_be_certain(const Model& model, StateId state) const;
  void add_constants(const Model& model, StateId state);

  Table<StateId, StateOperation> states_;
  std::vector<AccessPattern> patterns_;
  std::vector<Access> constants_;
};

}  // namespace heddle::model
