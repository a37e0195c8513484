// A state of a model that can be stepped and unstepped in place.
//
// The state is one array of words, and every change to a word is logged with the value it
// had, so undoing is copying back: no allocation after the logs have grown to the depth of
// the run. Not thread-safe.
#pragma once

#include <cstdint>
#include <vector>

#include "model/model.h"
#include "system/system.h"

namespace heddle::model {

enum class ThreadStatus : std::int64_t {
  unborn,
  born,  // forked; its first operation will say that it begins
  running,
  failed,    // it cannot go on; the others could
  spinning,  // it need not go on: it goes round in a circle
};

// Why the last step failed.
struct FailureRecord {
  Failure failure = Failure::none;
  TransitionId transition{};
  Fault fault{};
  std::uint32_t word = 0;  // whose bounds were left
  std::int64_t value = 0;
};

class Machine {
 public:
  // At the first visible states. The model must outlive the machine.
  explicit Machine(const Model& model);

  const Model& model() const { return model_; }
  const std::vector<std::int64_t>& words() const { return words_; }
  std::int64_t word(std::uint32_t word) const { return words_[word]; }
  StateId control(ThreadId thread) const {
    return StateId(static_cast<std::uint32_t>(words_[first_control_ + thread.value()]));
  }
  ThreadStatus status(ThreadId thread) const {
    return static_cast<ThreadStatus>(words_[first_status_ + thread.value()]);
  }
  bool finished(ThreadId thread) const {
    const ThreadStatus now = status(thread);
    if (now == ThreadStatus::failed) return true;
    return now != ThreadStatus::unborn && model_.states[control(thread)].count == 0;
  }
  // Whether the transition from the thread's control state can happen now.
  bool enabled(ThreadId thread) const {
    const Transition& transition = model_.transitions[model_.states[control(thread)].first];
    return !synchronises(transition.kind) || can_synchronise(thread, transition);
  }

  // A whole step: the transition from the control state, and the inner ones behind it.
  Failure step(ThreadId thread, std::uint32_t choice);
  // One transition; `at` moves along, the thread's control word does not.
  Failure take(ThreadId thread, StateId& at, std::uint32_t choice);

  void set_status(ThreadId thread, ThreadStatus status) {
    set(first_status_ + thread.value(), static_cast<std::int64_t>(status));
  }

  std::size_t log_size() const { return log_.size(); }
  void undo_to(std::size_t log_size);
  const FailureRecord& failure() const { return failure_; }
  void set_failure(const FailureRecord& failure) { failure_ = failure; }

  std::int64_t value(ExpressionId expression, Fault& fault) const {
    return evaluate(nodes_, expression.value(), words_.data(), fault);
  }
  // The word or object that is meant, unless the index is outside.
  bool resolve(const Reference& reference, std::uint32_t& place, Fault& fault) const;
  bool resolve(const Reference& reference, std::uint32_t& place) const {
    Fault fault;
    return resolve(reference, place, fault);
  }
  // How a try would end now.
  bool can_acquire(std::uint32_t lock) const;
  bool can_acquire_as_reader(std::uint32_t lock) const;
  bool can_acquire_again(ThreadId thread, std::uint32_t lock) const;
  bool semaphore_is_positive(std::uint32_t semaphore) const;

  // Changed words of the log from there on: (word, the value before).
  struct Change {
    std::uint32_t word;
    std::int64_t before;
  };
  const Change* changes_from(std::size_t log_size) const { return log_.data() + log_size; }

  // So many local transitions belong to one step; a longer run is cut into several steps.
  static constexpr std::uint32_t kMaxLocalRun = 4096;
  // So many transitions make an atomic block that does not end: misuse.
  static constexpr std::uint32_t kMaxAtomicRun = 1 << 20;

 private:
  void set(std::uint32_t word, std::int64_t value) {
    log_.push_back({word, words_[word]});
    words_[word] = value;
  }
  void run_to_first_visible_state(ThreadId thread);
  Failure run_inner(ThreadId thread, StateId& at);
  Failure fail(Failure failure, const Transition& transition);
  Failure fail(const Fault& fault, const Transition& transition);

  const Transition* pick(const ControlState& state, std::uint32_t choice, Fault& fault) const;
  Failure perform(ThreadId thread, const Transition& transition, std::uint32_t choice);
  Failure update(const Transition& transition);
  Failure update_one(const Transition& transition, const Update& update);
  Failure store(const Transition& transition, const Update& update, std::uint32_t word,
                std::int64_t value);
  Failure check(const Transition& transition, Failure failure);
  Failure compare_and_swap(const Transition& transition);
  Failure choose(const Transition& transition, std::uint32_t choice);
  Failure set_result(const Transition& transition, bool result);
  // machine_sync.cpp
  Failure synchronise(ThreadId thread, const Transition& transition);
  bool can_synchronise(ThreadId thread, const Transition& transition) const;
  const SyncObject& sync(std::uint32_t object) const {
    return model_.sync_object(SystemObject(object));
  }
  bool holds(ThreadId thread, std::uint32_t lock) const;
  bool acquire(ThreadId thread, std::uint32_t lock);
  bool release(ThreadId thread, std::uint32_t lock);
  bool reader_acquire(ThreadId thread, std::uint32_t lock);
  bool reader_release(ThreadId thread, std::uint32_t lock);
  bool wait(ThreadId thread, std::uint32_t condition, const Transition& transition);
  bool is_notified(ThreadId thread, std::uint32_t condition) const;
  void wake(ThreadId thread, std::uint32_t condition);
  void notify(std::uint32_t condition, bool all);
  bool fork(std::uint32_t object);
  bool is_over(std::uint32_t thread_object) const;

  const Model& model_;
  const ExpressionNode* nodes_;
  std::uint32_t first_control_;
  std::uint32_t first_status_;
  std::vector<std::int64_t> words_;
  std::vector<Change> log_;
  std::vector<std::pair<std::uint32_t, std::int64_t>> stores_;  // scratch of update()
  FailureRecord failure_;
};

}  // namespace heddle::model
