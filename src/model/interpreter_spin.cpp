// Noticing that a thread goes round in a circle; interpreter.h says why that may be stopped.
#include <algorithm>

#include <xxhash.h>

#include "model/interpreter.h"

namespace heddle::model {
namespace {

// Longer rounds are not noticed; --max-steps ends them.
constexpr int kLongestRound = 64;

}  // namespace

void Interpreter::notice_spinning(ThreadId thread) {
  Step& step = steps_.back();
  step.thread_state = thread_state(thread);
  step.without_effect = changed_only_its_own(thread, step.log_size);
  if (came_round(step)) machine_.set_status(thread, ThreadStatus::spinning);
}

// The thread's steps since its last one with an effect, and that one: where did it stand?
bool Interpreter::came_round(const Step& step) const {
  const Step* at = &step;
  for (int round = 0; round < kLongestRound && at->without_effect; ++round) {
    if (at->previous == kNone || at->previous < first_step_) return false;
    at = &steps_[at->previous];
    if (at->thread_state == step.thread_state) return true;
  }
  return false;
}

bool Interpreter::changed_only_its_own(ThreadId thread, std::size_t log_size) const {
  const ModelThread& info = model_.threads[thread];
  const std::uint32_t control = model_.layout.first_control + thread.value();
  const std::uint32_t status = model_.layout.first_status + thread.value();
  const Machine::Change* const end = machine_.changes_from(machine_.log_size());
  return std::all_of(machine_.changes_from(log_size), end, [&](const Machine::Change& change) {
    const bool own = change.word >= info.first_word && change.word < info.end_word;
    return own || change.word == control || change.word == status;
  });
}

// Never 0, which stands for a place to which the thread does not come back.
std::uint64_t Interpreter::thread_state(ThreadId thread) const {
  const ModelThread& info = model_.threads[thread];
  const std::int64_t* const words = machine_.words().data();
  const std::size_t size = (info.end_word - info.first_word) * sizeof(words[0]);
  const auto hash =
      XXH3_64bits_withSeed(words + info.first_word, size, machine_.control(thread).value());
  return std::max<std::uint64_t>(hash, 1);
}

bool Interpreter::spins_for_ever(ThreadId thread) const {
  const Readiness readiness = this->readiness(thread);
  if (readiness != Readiness::ready && readiness != Readiness::spinning) return false;
  const std::size_t log_size = machine_.log_size();
  const std::uint64_t start = thread_state(thread);
  bool may_spin = true;
  bool came_back = false;
  for (int i = 0; i < kLongestRound && may_spin && !came_back; ++i) {
    may_spin = choices(machine_.control(thread)) == 1 && machine_.enabled(thread) &&
               machine_.step(thread, 0) == Failure::none &&
               changed_only_its_own(thread, log_size) && !machine_.finished(thread);
    came_back = may_spin && thread_state(thread) == start;
  }
  machine_.undo_to(log_size);
  machine_.set_failure({});
  return came_back;
}

}  // namespace heddle::model
