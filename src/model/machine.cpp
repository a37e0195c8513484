#include "model/machine.h"

namespace heddle::model {

Machine::Machine(const Model& model)
    : model_(model),
      nodes_(model.expressions.data()),
      first_control_(model.layout.first_control),
      first_status_(model.layout.first_status),
      words_(model.initial_words) {
  for (const ThreadId thread : indices(model.threads)) {
    const ModelThread& info = model.threads[thread];
    words_[first_control_ + thread.value()] = info.first.value();
    words_[first_status_ + thread.value()] =
        static_cast<std::int64_t>(info.forked ? ThreadStatus::unborn : ThreadStatus::running);
    run_to_first_visible_state(thread);
  }
  log_.clear();
}

// Local variables are nobody else's, so this may happen before the thread is born.
void Machine::run_to_first_visible_state(ThreadId thread) {
  StateId at = control(thread);
  run_inner(thread, at);
  set(first_control_ + thread.value(), at.value());
}

void Machine::undo_to(std::size_t log_size) {
  while (log_.size() > log_size) {
    words_[log_.back().word] = log_.back().before;
    log_.pop_back();
  }
}

Failure Machine::step(ThreadId thread, std::uint32_t choice) {
  failure_.failure = Failure::none;
  StateId at = control(thread);
  if (status(thread) == ThreadStatus::born) {
    set(first_status_ + thread.value(), static_cast<std::int64_t>(ThreadStatus::running));
  }
  Failure failure = take(thread, at, choice);
  if (failure == Failure::none && model_.states[at].inner) failure = run_inner(thread, at);
  if (failure != Failure::none) [[unlikely]] {
    set(first_status_ + thread.value(), static_cast<std::int64_t>(ThreadStatus::failed));
  }
  set(first_control_ + thread.value(), at.value());
  return failure;
}

Failure Machine::run_inner(ThreadId thread, StateId& at) {
  for (std::uint32_t taken = 0; model_.states[at].inner; ++taken) {
    if (taken >= kMaxLocalRun && !model_.states[at].atomic) break;
    if (taken >= kMaxAtomicRun) return fail(Failure::misuse, model_.transitions_of(at).front());
    const Failure failure = take(thread, at, 0);
    if (failure != Failure::none) return failure;
  }
  return Failure::none;
}

Failure Machine::fail(Failure failure, const Transition& transition) {
  failure_ = {};
  failure_.failure = failure;
  failure_.transition =
      TransitionId(static_cast<std::uint32_t>(&transition - model_.transitions.data()));
  return failure;
}

Failure Machine::fail(const Fault& fault, const Transition& transition) {
  fail(Failure::out_of_range, transition);
  failure_.fault = fault;
  return Failure::out_of_range;
}

const Transition* Machine::pick(const ControlState& state, std::uint32_t choice,
                                Fault& fault) const {
  const Transition* const first = &model_.transitions[state.first];
  if (state.count == 1) return first;
  if (!first->guard.valid()) return first + choice;
  return value(first->guard, fault) != 0 ? first : first + 1;
}

Failure Machine::take(ThreadId thread, StateId& at, std::uint32_t choice) {
  Fault fault;
  const Transition& transition = *pick(model_.states[at], choice, fault);
  if (fault.kind != FaultKind::none) [[unlikely]]
    return fail(fault, transition);
  const Failure failure = perform(thread, transition, choice);
  if (failure == Failure::none) at = transition.target;
  return failure;
}

Failure Machine::perform(ThreadId thread, const Transition& transition, std::uint32_t choice) {
  switch (transition.kind) {
    case TransitionKind::update: return update(transition);
    case TransitionKind::assertion: return check(transition, Failure::assertion);
    case TransitionKind::assumption: return check(transition, Failure::assumption);
    case TransitionKind::compare_and_swap: return compare_and_swap(transition);
    case TransitionKind::choose_value: return choose(transition, choice);
    default: return synchronise(thread, transition);
  }
}

bool Machine::resolve(const Reference& reference, std::uint32_t& place, Fault& fault) const {
  place = reference.base;
  if (!reference.index.valid()) return true;
  const std::int64_t index = value(reference.index, fault);
  if (fault.kind != FaultKind::none) return false;
  const auto distance =
      static_cast<std::uint64_t>(index) - static_cast<std::uint64_t>(reference.offset);
  if (distance < reference.length) [[likely]] {
    place += static_cast<std::uint32_t>(distance);
    return true;
  }
  fault = {FaultKind::index, reference.base, reference.length, index};
  return false;
}

Failure Machine::update(const Transition& transition) {
  const std::span<const Update> updates = model_.updates_of(transition);
  if (updates.empty()) return Failure::none;
  if (updates.size() == 1) return update_one(transition, updates.front());
  stores_.clear();
  for (const Update& update : updates) {
    Fault fault;
    std::uint32_t word = 0;
    const bool found = resolve(update.target, word, fault);
    const std::int64_t result = found ? value(update.value, fault) : 0;
    if (fault.kind != FaultKind::none) return fail(fault, transition);
    stores_.emplace_back(word, result);
  }
  for (std::size_t i = 0; i < updates.size(); ++i) {
    const Failure failure = store(transition, updates[i], stores_[i].first, stores_[i].second);
    if (failure != Failure::none) return failure;
  }
  return Failure::none;
}

Failure Machine::update_one(const Transition& transition, const Update& update) {
  Fault fault;
  std::uint32_t word = 0;
  const bool found = resolve(update.target, word, fault);
  const std::int64_t result = found ? value(update.value, fault) : 0;
  if (fault.kind != FaultKind::none) [[unlikely]]
    return fail(fault, transition);
  return store(transition, update, word, result);
}

Failure Machine::store(const Transition& transition, const Update& update, std::uint32_t word,
                       std::int64_t value) {
  if (update.bounds.contains(value)) [[likely]] {
    set(word, value);
    return Failure::none;
  }
  fail(Failure::out_of_range, transition);
  failure_.word = word;
  failure_.value = value;
  return Failure::out_of_range;
}

Failure Machine::check(const Transition& transition, Failure failure) {
  Fault fault;
  const bool holds = value(transition.condition, fault) != 0;
  if (fault.kind != FaultKind::none) return fail(fault, transition);
  return holds ? Failure::none : fail(failure, transition);
}

Failure Machine::set_result(const Transition& transition, bool result) {
  const Update& update = model_.updates_of(transition).front();
  Fault fault;
  std::uint32_t word = 0;
  if (!resolve(update.target, word, fault)) return fail(fault, transition);
  set(word, result ? 1 : 0);
  return Failure::none;
}

Failure Machine::compare_and_swap(const Transition& transition) {
  const Update& written = model_.updates_of(transition)[1];
  Fault fault;
  std::uint32_t word = 0;
  resolve(transition.object, word, fault);
  const std::int64_t expected = value(transition.condition, fault);
  const std::int64_t desired = value(written.value, fault);
  if (fault.kind != FaultKind::none) return fail(fault, transition);
  const bool swaps = words_[word] == expected;
  if (const Failure failure = set_result(transition, swaps); failure != Failure::none) {
    return failure;
  }
  return swaps ? store(transition, written, word, desired) : Failure::none;
}

Failure Machine::choose(const Transition& transition, std::uint32_t choice) {
  const Update& update = model_.updates_of(transition).front();
  Fault fault;
  std::uint32_t word = 0;
  resolve(update.target, word, fault);
  const std::int64_t low = value(transition.low, fault);
  const std::int64_t high = value(transition.high, fault);
  if (fault.kind != FaultKind::none) return fail(fault, transition);
  const std::int64_t chosen = apply(Operator::add, low, choice);
  const auto last = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  if (low <= high && last < kMaxChoices && chosen <= high)
    return store(transition, update, word, chosen);
  return fail(Failure::misuse, transition);
}

}  // namespace heddle::model
