// A model as a system that can be explored.
//
// One step is one statement (or one shared access, see Granularity), together with the
// local statements behind it that cannot fail and have nothing to choose: nobody else can
// see them, so they do not deserve steps of their own. After a step that failed its thread
// counts as finished; the other threads could still be stepped, which an explorer may use
// to see the races that lead away from the failure.
//
// A step costs tens of nanoseconds. Not thread-safe, not even for reading.
#pragma once

#include <string>
#include <vector>

#include "model/certain.h"
#include "model/machine.h"
#include "model/operations.h"
#include "system/system.h"

namespace heddle::model {

class Interpreter final : public System {
 public:
  // The model must outlive the interpreter.
  explicit Interpreter(const Model& model);

  std::size_t thread_count() const override { return model_.threads.size(); }
  std::size_t object_count() const override { return model_.layout.objects; }

  Readiness readiness(ThreadId thread) const override;
  void next_operation(ThreadId thread, Operation& operation) const override;
  Failure step(ThreadId thread, std::uint32_t choice) override;
  void rewind(std::size_t depth) override;
  std::size_t depth() const override { return steps_.size(); }
  void certain_operations(ThreadId thread, std::size_t limit,
                          std::vector<Operation>& operations) const override;
  std::uint32_t initial_count(SystemObject object) const override;
  std::uint64_t state_hash() const override;

  std::string thread_name(ThreadId thread) const override { return model_.threads[thread].name; }
  std::string object_name(SystemObject object) const override { return model_.object_name(object); }
  // interpreter_words.cpp
  std::string describe_next(ThreadId thread) const override;
  std::string where_next(ThreadId thread) const override;
  std::string why_blocked(ThreadId thread) const override;
  std::string describe_last_step() const override;

  const Model& model() const { return model_; }
  // For checks of what is reachable: where a thread stands, and the value of a word.
  StateId control(ThreadId thread) const { return machine_.control(thread); }
  std::int64_t word(std::uint32_t word) const { return machine_.word(word); }

 private:
  struct Step {
    std::size_t log_size;
    ThreadId thread;
    StateId from;
  };

  void add_accesses(ThreadId thread, StateId state, std::vector<Access>& accesses) const;
  EventKind kind_now(ThreadId thread, const AccessPattern& pattern, std::uint32_t object) const;
  void walk_atomic_block(ThreadId thread, StateId at, std::vector<Access>& accesses) const;
  std::uint32_t choices(StateId state) const;
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
  mutable CertainWalk certain_;
  std::vector<Step> steps_;
};

}  // namespace heddle::model
