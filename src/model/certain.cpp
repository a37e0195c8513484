#include "model/certain.h"

#include <algorithm>

namespace heddle::model {
namespace {

bool has_effect(const Operation& operation) {
  return std::any_of(
      operation.accesses.begin(), operation.accesses.end(), [](const Access& access) {
        return access.kind != EventKind::read && access.kind != EventKind::atomic_read;
      });
}

}  // namespace

CertainWalk::CertainWalk(const Model& model, const OperationTable& operations,
                         const Table<StateId, bool>& may_come_round)
    : model_(model), operations_(operations), may_come_round_(may_come_round) {
  for (std::uint32_t i = 0; i < model.layout.shared_words; ++i) {
    shared_.push_back(model.bounds_of(i));
  }
}

Interval CertainWalk::word(std::uint32_t word) const {
  return model_.is_shared_word(word) ? shared_[word] : local_[word - first_local_];
}

Interval CertainWalk::words(std::uint32_t first, std::uint32_t length) const {
  Interval all = word(first);
  if (model_.is_shared_word(first)) return all;
  for (std::uint32_t i = 1; i < length; ++i) all = join(all, word(first + i));
  return all;
}

void CertainWalk::run(const Machine& machine, ThreadId thread, std::size_t limit,
                      OperationList& operations) {
  const ModelThread& info = model_.threads[thread];
  first_local_ = info.first_word;
  local_.clear();
  for (std::uint32_t i = info.first_word; i < info.end_word; ++i) {
    local_.push_back(Interval::of(machine.word(i)));
  }
  at_ = machine.control(thread);
  Outcome outcome = Outcome::goes_on;
  while (outcome == Outcome::goes_on && operations.size() < limit && model_.states[at_].count > 0) {
    outcome = operation(operations.add());
    if (outcome == Outcome::uncertain) return operations.remove_last();
    if (may_come_round_[at_] && !has_effect(operations[operations.size() - 1])) return;
  }
}

CertainWalk::Outcome CertainWalk::operation(Operation& operation) {
  std::uint32_t taken = 0;
  for (bool first = true; first || model_.states[at_].atomic; first = false) {
    if (!first && ++taken > Machine::kMaxLocalRun) return Outcome::uncertain;
    if (!add_accesses(operation.accesses)) return Outcome::uncertain;
    const bool goes_on = operations_[at_].goes_on;
    const Outcome outcome = transition();
    if (outcome == Outcome::uncertain) return outcome;
    if (outcome == Outcome::unknown) return goes_on ? Outcome::uncertain : outcome;
  }
  return local_run(taken);
}

// A run that is too long for one step, or whose end is unknown, ends what is certain.
CertainWalk::Outcome CertainWalk::local_run(std::uint32_t taken) {
  for (; model_.states[at_].inner; ++taken) {
    if (taken >= Machine::kMaxLocalRun || model_.states[at_].atomic) return Outcome::unknown;
    if (transition() != Outcome::goes_on) return Outcome::unknown;
  }
  return Outcome::goes_on;
}

bool CertainWalk::add_accesses(std::vector<Access>& accesses) {
  for (const AccessPattern& pattern : operations_.patterns(at_)) {
    if (pattern.rule != AccessPattern::Rule::fixed) return false;
    std::uint32_t object = pattern.object.base;
    if (pattern.object.index.valid()) {
      IntervalEvaluator evaluator(model_.expressions, *this);
      const Interval index = evaluator(pattern.object.index);
      if (!index.single() || evaluator.may_fail()) return false;
      if (index.low < 0 || index.low >= pattern.object.length) continue;  // not evaluated
      object += static_cast<std::uint32_t>(index.low);
    }
    add_access(accesses, {pattern.kind, SystemObject(object)});
  }
  return true;
}

CertainWalk::Outcome CertainWalk::transition() {
  const auto transitions = model_.transitions_of(at_);
  const Transition& first = transitions.front();
  IntervalEvaluator evaluator(model_.expressions, *this);
  if (first.guard.valid()) {
    const Interval guard = evaluator(first.guard);
    if (evaluator.may_fail()) return Outcome::uncertain;
    if (!guard.single()) return Outcome::unknown;
    at_ = transitions[guard.low != 0 ? 0 : 1].target;
    return Outcome::goes_on;
  }
  const bool checks =
      first.kind == TransitionKind::assertion || first.kind == TransitionKind::assumption;
  if (transitions.size() > 1 || (first.kind != TransitionKind::update && !checks)) {
    return Outcome::uncertain;
  }
  if (checks && (evaluator(first.condition) != Interval::of(1) || evaluator.may_fail())) {
    return Outcome::uncertain;
  }
  if (!update(first)) return Outcome::uncertain;
  at_ = first.target;
  return Outcome::goes_on;
}

bool CertainWalk::update(const Transition& transition) {
  const auto updates = model_.updates_of(transition);
  values_.clear();
  IntervalEvaluator evaluator(model_.expressions, *this);
  for (const Update& update : updates) {
    values_.push_back(evaluator(update.value));
    if (!values_.back().within(update.bounds)) return false;
    if (update.target.index.valid()) evaluator.index(update.target.index, update.target.length);
  }
  if (evaluator.may_fail()) return false;
  if (updates.size() == 1) return set(updates.front().target, values_.front());
  for (const Update& update : updates) {
    if (update.target.index.valid()) return false;  // which of them, may depend on the others
  }
  for (std::size_t i = 0; i < updates.size(); ++i) set(updates[i].target, values_[i]);
  return true;
}

bool CertainWalk::set(const Reference& target, Interval value) {
  if (model_.is_shared_word(target.base)) return true;
  Interval* const words = local_.data() + (target.base - first_local_);
  if (!target.index.valid()) {
    words[0] = value;
    return true;
  }
  IntervalEvaluator evaluator(model_.expressions, *this);
  const Interval places = evaluator.index(target.index, target.length);
  for (std::int64_t i = places.low; i <= places.high; ++i) {
    words[i] = places.single() ? value : join(words[i], value);
  }
  return true;
}

}  // namespace heddle::model
