#include "model/interpreter.h"

#include <algorithm>

#include <xxhash.h>

namespace heddle::model {

Interpreter::Interpreter(const Model& model, Options options)
    : model_(model),
      operations_(model),
      machine_(model),
      options_(options),
      may_come_round_(states_on_cycles(model)),
      certain_(model, operations_, may_come_round_),
      last_step_(model.threads.size(), kNone) {}

Readiness Interpreter::readiness(ThreadId thread) const {
  if (machine_.status(thread) == ThreadStatus::unborn) return Readiness::unborn;
  if (machine_.finished(thread)) return Readiness::finished;
  if (machine_.status(thread) == ThreadStatus::spinning) return Readiness::spinning;
  return machine_.enabled(thread) ? Readiness::ready : Readiness::blocked;
}

void Interpreter::next_operation(ThreadId thread, Operation& operation) const {
  operation.clear();
  const StateId state = machine_.control(thread);
  if (machine_.status(thread) == ThreadStatus::born) {
    const SystemObject self(model_.layout.first_thread_object + thread.value());
    operation.accesses.emplace_back(EventKind::begin, self);
  }
  if (operations_[state].is_constant) {
    const auto constants = operations_.constants(state);
    operation.accesses.insert(operation.accesses.end(), constants.begin(), constants.end());
  } else {
    add_accesses(thread, state, operation.accesses);
    if (operations_[state].goes_on) walk_atomic_block(thread, state, operation.accesses);
  }
  operation.choices = choices(state);
}

void Interpreter::add_accesses(ThreadId thread, StateId state,
                               std::vector<Access>& accesses) const {
  for (const AccessPattern& pattern : operations_.patterns(state)) {
    std::uint32_t object = 0;
    if (!machine_.resolve(pattern.object, object)) continue;  // the step will fail
    const EventKind kind = kind_now(thread, pattern, object);
    const bool tried = pattern.is_try() && kind == pattern.kind;
    add_access(accesses, {kind, SystemObject(object), tried});
  }
}

EventKind Interpreter::kind_now(ThreadId thread, const AccessPattern& pattern,
                                std::uint32_t object) const {
  using Rule = AccessPattern::Rule;
  switch (pattern.rule) {
    case Rule::fixed: return pattern.kind;
    case Rule::try_lock: {
      const bool gets = machine_.can_acquire(object) || machine_.can_acquire_again(thread, object);
      return gets ? EventKind::acquire : EventKind::failed_acquire;
    }
    case Rule::try_read_lock:
      return machine_.can_acquire_as_reader(object) ? EventKind::reader_acquire
                                                    : EventKind::failed_reader_acquire;
    case Rule::try_semaphore:
      return machine_.semaphore_is_positive(object) ? EventKind::semaphore_wait
                                                    : EventKind::failed_semaphore_wait;
    case Rule::swap: {
      Fault fault;
      const bool swaps = machine_.word(object) == machine_.value(pattern.expected, fault);
      return swaps ? EventKind::atomic_rmw : EventKind::atomic_read;
    }
  }
  return pattern.kind;
}

// What follows the first transition of an atomic block is seen by doing it, and undone. A
// blocked first transition is passed over: what it waits for is no data.
void Interpreter::walk_atomic_block(ThreadId thread, StateId at,
                                    std::vector<Access>& accesses) const {
  const std::size_t log_size = machine_.log_size();
  const FailureRecord failure = machine_.failure();
  bool goes_on = true;
  if (machine_.enabled(thread)) {
    goes_on = machine_.take(thread, at, 0) == Failure::none;
  } else {
    at = model_.transitions_of(at).front().target;
  }
  for (std::uint32_t taken = 0; goes_on && model_.states[at].atomic; ++taken) {
    add_accesses(thread, at, accesses);
    goes_on = taken < Machine::kMaxAtomicRun && machine_.take(thread, at, 0) == Failure::none;
  }
  machine_.undo_to(log_size);
  machine_.set_failure(failure);
}

std::uint32_t Interpreter::choices(StateId state) const {
  const ControlState& from = model_.states[state];
  const Transition& transition = model_.transitions[from.first];
  if (from.count > 1 && !transition.guard.valid()) return from.count;
  if (transition.kind != TransitionKind::choose_value) return 1;
  Fault fault;
  const Interval range{machine_.value(transition.low, fault),
                       machine_.value(transition.high, fault)};
  const auto last = static_cast<std::uint64_t>(range.high) - static_cast<std::uint64_t>(range.low);
  const bool fails = fault.kind != FaultKind::none || range.low > range.high || last >= kMaxChoices;
  return fails ? 1 : static_cast<std::uint32_t>(last) + 1;
}

Failure Interpreter::step(ThreadId thread, std::uint32_t choice) {
  steps_.push_back(
      {machine_.log_size(), thread, machine_.control(thread), last_step_[thread], false});
  last_step_[thread] = static_cast<std::uint32_t>(steps_.size() - 1);
  const Failure failure = machine_.step(thread, choice);
  if (options_.stop_spinning && failure == Failure::none &&
      may_come_round_[machine_.control(thread)]) {
    notice_spinning(thread);
  }
  return failure;
}

void Interpreter::rewind(std::size_t depth) {
  if (depth >= steps_.size()) return;
  machine_.undo_to(steps_[depth].log_size);
  machine_.set_failure({});
  for (; steps_.size() > depth; steps_.pop_back()) {
    last_step_[steps_.back().thread] = steps_.back().previous;
  }
}

bool Interpreter::last_step_left(Interval bounds) const {
  const Machine::Change* const end = machine_.changes_from(machine_.log_size());
  return std::any_of(machine_.changes_from(steps_.back().log_size), end,
                     [&](const Machine::Change& change) {
                       return model_.variable_of(change.word) != nullptr &&
                              !bounds.contains(machine_.word(change.word));
                     });
}

void Interpreter::certain_operations(ThreadId thread, std::size_t limit,
                                     OperationList& operations) const {
  operations.clear();
  if (machine_.status(thread) != ThreadStatus::running) return;
  if (!operations_[machine_.control(thread)].may_be_certain) return;
  certain_.run(machine_, thread, limit, operations);
}

std::uint32_t Interpreter::initial_count(SystemObject object) const {
  const std::uint32_t id = object.value();
  const bool sync = id >= model_.layout.first_sync_object && id < model_.layout.first_thread_object;
  return sync ? static_cast<std::uint32_t>(model_.sync_object(object).initial) : 0;
}

std::uint64_t Interpreter::state_hash() const {
  const std::vector<std::int64_t>& words = machine_.words();
  return XXH3_64bits(words.data(), words.size() * sizeof(words[0]));
}

}  // namespace heddle::model
