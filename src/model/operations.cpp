#include "model/operations.h"

#include <algorithm>

namespace heddle::model {
namespace {

using Rule = AccessPattern::Rule;

// What an atomic block does is in no data race with another one.
bool is_atomic_access(const Model& model, const Transition& transition, std::uint32_t word) {
  return transition.in_atomic_block || model.variable_of(word)->atomic;
}

EventKind both(EventKind a, EventKind b) {
  if (a == b) return a;
  return is_atomic(a) ? EventKind::atomic_rmw : EventKind::write;
}

EventKind event_kind(TransitionKind kind) {
  switch (kind) {
    case TransitionKind::acquire:
    case TransitionKind::try_acquire: return EventKind::acquire;
    case TransitionKind::release: return EventKind::release;
    case TransitionKind::reader_acquire:
    case TransitionKind::try_reader_acquire: return EventKind::reader_acquire;
    case TransitionKind::reader_release: return EventKind::reader_release;
    case TransitionKind::wait: return EventKind::wait;
    case TransitionKind::wake: return EventKind::wake;
    case TransitionKind::notify: return EventKind::notify;
    case TransitionKind::notify_all: return EventKind::notify_all;
    case TransitionKind::semaphore_wait:
    case TransitionKind::try_semaphore_wait: return EventKind::semaphore_wait;
    case TransitionKind::semaphore_post: return EventKind::semaphore_post;
    case TransitionKind::fork: return EventKind::fork;
    case TransitionKind::join: return EventKind::join;
    default: return EventKind::end;
  }
}

Rule rule_of(TransitionKind kind) {
  switch (kind) {
    case TransitionKind::try_acquire: return Rule::try_lock;
    case TransitionKind::try_reader_acquire: return Rule::try_read_lock;
    case TransitionKind::try_semaphore_wait: return Rule::try_semaphore;
    default: return Rule::fixed;
  }
}

bool leads_into_atomic_block(const Model& model, StateId state) {
  for (const Transition& transition : model.transitions_of(state)) {
    if (model.states[transition.target].atomic) return true;
  }
  return false;
}

}  // namespace

void add_access(std::vector<Access>& accesses, Access access) {
  for (Access& known : accesses) {
    if (known.object != access.object) continue;
    known.kind = both(known.kind, access.kind);
    return;
  }
  accesses.push_back(access);
}

OperationTable::OperationTable(const Model& model) : states_(model.states.size()) {
  for (const StateId state : indices(model.states)) add_patterns(model, state);
  for (const StateId state : indices(model.states)) add_constants(model, state);
}

// All transitions of a state read the same: only a single one does more than its guard.
void OperationTable::add_patterns(const Model& model, StateId state) {
  StateOperation& of = states_[state];
  of.first_pattern = static_cast<std::uint32_t>(patterns_.size());
  of.goes_on = leads_into_atomic_block(model, state);
  if (model.states[state].count > 0) {
    const Transition& transition = model.transitions_of(state).front();
    add_reads(model, transition);
    const bool swaps = transition.kind == TransitionKind::compare_and_swap;
    if (swaps) {
      patterns_.push_back(
          {EventKind::atomic_rmw, Rule::swap, transition.object, transition.condition});
    }
    for (const Update& update : model.updates_of(transition)) {
      const std::uint32_t word = update.target.base;
      if (swaps || !model.is_shared_word(word)) continue;
      const bool atomic = is_atomic_access(model, transition, word);
      patterns_.push_back(
          {atomic ? EventKind::atomic_write : EventKind::write, Rule::fixed, update.target});
    }
    if (synchronises(transition.kind)) add_synchronisation(model, transition, state);
  }
  of.pattern_count = static_cast<std::uint32_t>(patterns_.size()) - of.first_pattern;
  of.may_be_certain = may_be_certain(model, state);
}

bool OperationTable::may_be_certain(const Model& model, StateId state) const {
  if (model.states[state].count == 0) return false;
  if (synchronises(model.transitions_of(state).front().kind)) return false;
  const auto all = patterns(state);
  return std::all_of(all.begin(), all.end(),
                     [](const AccessPattern& pattern) { return pattern.rule == Rule::fixed; });
}

void OperationTable::add_reads(const Model& model, const Transition& transition) {
  add_reads(model, transition, transition.guard);
  add_reads(model, transition, transition.condition);
  add_reads(model, transition, transition.low);
  add_reads(model, transition, transition.high);
  add_reads(model, transition, transition.object.index);
  add_reads(model, transition, transition.lock.index);
  for (const Update& update : model.updates_of(transition)) {
    add_reads(model, transition, update.target.index);
    add_reads(model, transition, update.value);
  }
}

void OperationTable::add_reads(const Model& model, const Transition& transition,
                               ExpressionId expression) {
  for_each_node(model.expressions, expression, [&](const ExpressionNode& node) {
    const bool element = node.op == Operator::element;
    if (!element && node.op != Operator::load) return;
    if (!model.is_shared_word(node.left)) return;
    Reference object{.base = node.left};
    if (element) object = {.base = node.left, .length = node.extra, .index = node.right_operand()};
    const bool atomic = is_atomic_access(model, transition, node.left);
    patterns_.push_back({atomic ? EventKind::atomic_read : EventKind::read, Rule::fixed, object});
  });
}

void OperationTable::add_synchronisation(const Model& model, const Transition& transition,
                                         StateId state) {
  const TransitionKind kind = transition.kind;
  if (kind == TransitionKind::end) {
    const std::uint32_t thread = model.states[state].thread.value();
    const Reference self{.base = model.layout.first_thread_object + thread};
    patterns_.push_back({EventKind::end, Rule::fixed, self});
    return;
  }
  patterns_.push_back({event_kind(kind), rule_of(kind), transition.object});
  if (kind == TransitionKind::wait) {
    patterns_.push_back({EventKind::release, Rule::fixed, transition.lock});
  }
}

// Follows an atomic block as long as there is only one way through it.
bool OperationTable::collect_constants(const Model& model, StateId state,
                                       std::vector<Access>& accesses) const {
  for (std::size_t length = 0; length <= model.states.size(); ++length) {
    for (const AccessPattern& pattern : patterns(state)) {
      if (!pattern.is_constant()) return false;
      add_access(accesses, {pattern.kind, SystemObject(pattern.object.base)});
    }
    if (!states_[state].goes_on) return true;
    if (model.states[state].count > 1) return false;
    state = model.transitions_of(state).front().target;
  }
  return false;
}

void OperationTable::add_constants(const Model& model, StateId state) {
  StateOperation& of = states_[state];
  std::vector<Access> accesses;
  of.is_constant = collect_constants(model, state, accesses);
  if (!of.is_constant) return;
  of.first_constant = static_cast<std::uint32_t>(constants_.size());
  of.constant_count = static_cast<std::uint32_t>(accesses.size());
  constants_.insert(constants_.end(), accesses.begin(), accesses.end());
}

}  // namespace heddle::model
