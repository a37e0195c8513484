// A model as a system that can be explored.
//
// One step is one statement (or one shared access, see Granularity), together with the
// local statements behind it that cannot fail and have nothing to choose: nobody else can
// see them, so they do not deserve steps of their own. After a step that failed its thread
// counts as finished; the other threads could still be stepped, which an explorer may use
// to see the races that lead away from the failure.
//
// Spin loops. A thread that comes back to where it stood, with the same values in its own
// variables, without having changed anything that others can see, has made a round in vain:
// leaving that round out gives an execution that ends in the same states. So a search that
// tries all orders can stop the thread there (`stop_spinning`); in another execution it
// reads, in place of the round, what lets it leave the loop. That makes the search finite
// for loops that wait for others, and loses nothing but rounds in vain.
//
// A step costs tens of nanoseconds. Not thread-safe, not even for reading.
#pragma once

#include <string>
#include <vector>

#include "model/certain.h"
#include "model/cycles.h"
#include "model/machine.h"
#include "model/operations.h"
#include "system/system.h"

namespace heddle::model {

class Interpreter final : public System {
 public:
  struct Options {
    bool stop_spinning = false;
  };
  // The model must outlive the interpreter.
  explicit Interpreter(const Model& model) : Interpreter(model, Options()) {}
  Interpreter(const Model& model, Options options);

  std::size_t thread_count() const override { return model_.threads.size(); }
  std::size_t object_count() const override { return model_.layout.objects; }

  Readiness readiness(ThreadId thread) const override;
  void next_operation(ThreadId thread, Operation& operation) const override;
  Failure step(ThreadId thread, std::uint32_t choice) override;
  void rewind(std::size_t depth) override;
  std::size_t depth() const override { return steps_.size(); }
  void certain_operations(ThreadId thread, std::size_t limit,
                          OperationList& operations) const override;
  bool spins_for_ever(ThreadId thread) const override;
  std::uint32_t initial_count(SystemObject object) const override;
  std::uint64_t state_hash() const override;

  std::string thread_name(ThreadId thread) const override { return model_.threads[thread].name; }
  std::string object_name(SystemObject object) const override { return model_.object_name(object); }
  // interpreter_words.cpp
  std::string describe_next(ThreadId thread) const override;
  std::string where_next(ThreadId thread) const override;
  std::string why_blocked(ThreadId thread) const override;
  std::string describe_last_step() const override;

  // A search that begins behind so many steps: what threads did before is no part of a round in
  // vain, since it will not be left out.
  void notice_rounds_from(std::size_t depth) { first_step_ = static_cast<std::uint32_t>(depth); }
  // Whether the last step stored a value outside of these bounds in a variable.
  bool last_step_left(Interval bounds) const;

  const Model& model() const { return model_; }
  // For checks of what is reachable: where a thread stands, and the value of a word.
  StateId control(ThreadId thread) const { return machine_.control(thread); }
  std::int64_t word(std::uint32_t word) const { return machine_.word(word); }

 private:
  struct Step {
    std::size_t log_size;
    ThreadId thread;
    StateId from;
    std::uint32_t previous;        // step of the same thread, or kNone
    bool without_effect;           // on what others can see
    std::uint64_t thread_state{};  // behind it, where it may come round
  };
  static constexpr std::uint32_t kNone = 0xffffffff;

  void add_accesses(ThreadId thread, StateId state, std::vector<Access>& accesses) const;
  EventKind kind_now(ThreadId thread, const AccessPattern& pattern, std::uint32_t object) const;
  void walk_atomic_block(ThreadId thread, StateId at, std::vector<Access>& accesses) const;
  std::uint32_t choices(StateId state) const;
  // interpreter_spin.cpp
  void notice_spinning(ThreadId thread);
  bool came_round(const Step& step) const;
  bool changed_only_its_own(ThreadId thread, std::size_t log_size) const;
  std::uint64_t thread_state(ThreadId thread) const;
  std::string describe_failure() const;
  std::string describe_fault(const Fault& fault) const;
  std::string describe_misuse(const Transition& transition) const;
  std::string values_in(ExpressionId expression) const;
  std::string describe_changes(const Step& step) const;
  std::string describe_loads(const Step& step) const;
  bool went_the_first_way(const Step& step) const;
  std::string holders_of(SystemObject lock) const;

  const Model& model_;
  OperationTable operations_;
  mutable Machine machine_;  // next_operation() goes ahead in it and back again
  Options options_;
  Table<StateId, bool> may_come_round_;
  mutable CertainWalk certain_;
  std::vector<Step> steps_;
  Table<ThreadId, std::uint32_t> last_step_;
  std::uint32_t first_step_ = 0;  // of the search
};

}  // namespace heddle::model
