// Words about steps, for reports.
#include <algorithm>

#include <fmt/format.h>

#include "model/interpreter.h"

namespace heddle::model {
namespace {

// A wait is three steps of the same text, told apart by a word in front.
std::string_view word_in_front(TransitionKind kind, bool done) {
  switch (kind) {
    case TransitionKind::wake: return done ? "woken in " : "wake up in ";
    case TransitionKind::acquire:
      return done ? "took the lock again in " : "take the lock again in ";
    default: return "";
  }
}

std::string statement_words(const Model& model, const Transition& transition, bool done) {
  std::string text = model.source.in_one_line(transition.range);
  if (!text.starts_with("wait")) return text;
  return fmt::format("{}{}", word_in_front(transition.kind, done), text);
}

std::string strip_call(std::string text, std::string_view name) {
  if (!text.starts_with(name)) return text;
  const std::size_t open = text.find('('), close = text.rfind(')');
  return close > open ? text.substr(open + 1, close - open - 1) : text;
}

}  // namespace

std::string Interpreter::describe_next(ThreadId thread) const {
  const StateId state = machine_.control(thread);
  if (model_.states[state].count == 0) return "finished";
  const Transition& transition = model_.transitions_of(state).front();
  if (transition.kind == TransitionKind::end) return "end";
  return statement_words(model_, transition, false);
}

std::string Interpreter::where_next(ThreadId thread) const {
  const StateId state = machine_.control(thread);
  if (model_.states[state].count == 0) return model_.source.name();
  const Transition& transition = model_.transitions_of(state).front();
  if (transition.kind == TransitionKind::end) return model_.source.name();
  return model_.source.place(transition.range);
}

std::string Interpreter::describe_last_step() const {
  if (steps_.empty()) return "";
  if (machine_.failure().failure != Failure::none) return describe_failure();
  const Step& step = steps_.back();
  std::string text = describe_changes(step);
  if (text.empty()) text = describe_loads(step);
  if (!text.empty()) return text;
  const auto transitions = model_.transitions_of(step.from);
  if (transitions.front().kind == TransitionKind::end) return "end";
  text = statement_words(model_, transitions.front(), true);
  if (!model_.branches(step.from)) return text;
  return fmt::format("{}: {}", text, went_the_first_way(step) ? "true" : "false");
}

// "read x = 3": a step that only loads, for a statement that was split.
std::string Interpreter::describe_loads(const Step& step) const {
  std::string text;
  for (const Update& update : model_.updates_of(model_.transitions_of(step.from).front())) {
    const Variable* const variable = model_.variable_of(update.target.base);
    if (variable != nullptr && variable->temporary) text = values_in(update.value);
  }
  return text.empty() ? text : fmt::format("read {}", text.substr(2, text.size() - 3));
}

// How the last step's branch went is seen by going back, looking, and stepping again.
bool Interpreter::went_the_first_way(const Step& step) const {
  machine_.undo_to(step.log_size);
  Fault fault;
  const bool holds = machine_.value(model_.transitions_of(step.from).front().guard, fault) != 0;
  machine_.step(step.thread, 0);
  return holds;
}

// The variables that have been set, each once, with what they are now.
std::string Interpreter::describe_changes(const Step& step) const {
  const Machine::Change* const first = machine_.changes_from(step.log_size);
  const Machine::Change* const last = machine_.changes_from(machine_.log_size());
  std::vector<std::uint32_t> words;
  for (const Machine::Change* change = first; change != last; ++change) {
    const Variable* const variable = model_.variable_of(change->word);
    const bool known = std::find(words.begin(), words.end(), change->word) != words.end();
    if (variable != nullptr && !variable->temporary && !known) words.push_back(change->word);
  }
  std::vector<std::string> parts;
  for (const std::uint32_t word : words) {
    const std::string value = model_.value_text(word, machine_.word(word));
    parts.push_back(fmt::format("{} := {}", model_.word_name(word), value));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string Interpreter::why_blocked(ThreadId thread) const {
  const StateId state = machine_.control(thread);
  if (model_.states[state].count == 0) return {};
  const Transition& transition = model_.transitions_of(state).front();
  std::uint32_t object = 0;
  if (!machine_.resolve(transition.object, object)) return {};
  const std::string name = object_name(SystemObject(object));
  switch (transition.kind) {
    case TransitionKind::acquire:
    case TransitionKind::reader_acquire:
      return fmt::format("lock {} is held by {}", name, holders_of(SystemObject(object)));
    case TransitionKind::wake: return fmt::format("nobody has notified {}", name);
    case TransitionKind::semaphore_wait: return fmt::format("semaphore {} is 0", name);
    case TransitionKind::join: return fmt::format("{} has not finished", name);
    default: return {};
  }
}

// The owner of a lock, or its writer; else those who hold it as readers.
std::string Interpreter::holders_of(SystemObject lock) const {
  const SyncObject& object = model_.sync_object(lock);
  const std::int64_t owner = machine_.word(object.word);
  if (owner > 0) return thread_name(ThreadId(static_cast<std::uint32_t>(owner - 1)));
  std::vector<std::string> readers;
  for (const ThreadId reader : indices(model_.threads)) {
    const bool holds =
        object.kind == SyncKind::rwlock && machine_.word(object.word + 2 + reader.value()) > 0;
    if (holds) readers.push_back(thread_name(reader));
  }
  return readers.empty() ? "nobody" : fmt::format("{}", fmt::join(readers, ", "));
}

std::string Interpreter::describe_failure() const {
  const FailureRecord& record = machine_.failure();
  const Transition& transition = model_.transitions[record.transition];
  const std::string text = model_.source.in_one_line(transition.range);
  if (record.fault.kind != FaultKind::none) {
    return fmt::format("{}: {}", text, describe_fault(record.fault));
  }
  switch (record.failure) {
    case Failure::assertion:
      return fmt::format("assertion {} fails{}", strip_call(text, "assert"),
                         values_in(transition.condition));
    case Failure::assumption:
      return fmt::format("assumption {} does not hold{}", strip_call(text, "assume"),
                         values_in(transition.condition));
    case Failure::out_of_range: {
      const Interval bounds = model_.bounds_of(record.word);
      return fmt::format("{} := {} is outside {}..{}", model_.word_name(record.word), record.value,
                         bounds.low, bounds.high);
    }
    default: return fmt::format("{}: {}", text, describe_misuse(transition));
  }
}

std::string Interpreter::describe_fault(const Fault& fault) const {
  if (fault.kind == FaultKind::division) return "division by zero";
  if (fault.length == 0) return fmt::format("index {} of an empty array", fault.value);
  return fmt::format("index {} is outside 0..{}", fault.value, fault.length - 1);
}

std::string Interpreter::describe_misuse(const Transition& transition) const {
  switch (transition.kind) {
    case TransitionKind::acquire:
    case TransitionKind::reader_acquire: return "the thread holds this lock already";
    case TransitionKind::release:
    case TransitionKind::reader_release: return "the thread does not hold this lock";
    case TransitionKind::wait: return "waiting needs the lock, held once";
    case TransitionKind::fork: return "this thread was forked before";
    case TransitionKind::choose_value: return "there is nothing, or too much, to choose from";
    default: return "this atomic block does not end";
  }
}

// " (x = 2, a[1] = 0)": the variables of an expression and their values.
std::string Interpreter::values_in(ExpressionId expression) const {
  std::vector<std::string> parts;
  for_each_node(model_.expressions, expression, [&](const ExpressionNode& node) {
    Reference place{.base = node.left};
    if (node.op == Operator::element) {
      place = {.base = node.left, .length = node.extra, .index = node.right_operand()};
    } else if (node.op != Operator::load) {
      return;
    }
    std::uint32_t word = 0;
    if (!machine_.resolve(place, word)) return;
    const std::string part = fmt::format("{} = {}", model_.word_name(word),
                                         model_.value_text(word, machine_.word(word)));
    if (std::find(parts.begin(), parts.end(), part) == parts.end()) parts.push_back(part);
  });
  return parts.empty() ? "" : fmt::format(" ({})", fmt::join(parts, ", "));
}

}  // namespace heddle::model
