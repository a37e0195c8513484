// What a thread will do next whatever the other threads do meanwhile.
//
// The thread is run ahead on intervals: its own variables start with their values, a shared
// variable is anything within its bounds. As long as every address is one value and nothing
// can block, fail or be chosen, the operations are certain; so these are the statements
// that an EPOR section may consist of. A branch on something unknown is certain itself (it
// reads what it reads) but the last one: condition (A) of the paper. An address that
// depends on shared data, through however many local variables, is never one value:
// condition (B), with the transitive closure that the paper's formula leaves out.
//
// A step without effect that leads to where the thread may have stood before is the last
// one too: a spin loop may be stopped there (interpreter.h).
#pragma once

#include <optional>
#include <vector>

#include "model/machine.h"
#include "model/operations.h"

namespace heddle::model {

class CertainWalk {
 public:
  CertainWalk(const Model& model, const OperationTable& operations,
              const Table<StateId, bool>& may_come_round);

  void run(const Machine& machine, ThreadId thread, std::size_t limit, OperationList& operations);

  // As an environment for intervals.
  Interval word(std::uint32_t word) const;
  Interval words(std::uint32_t first, std::uint32_t length) const;

 private:
  enum class Outcome : std::uint8_t { goes_on, unknown, uncertain };

  // The operation at `at_`; moves along to the state behind it.
  Outcome operation(Operation& operation);
  Outcome local_run(std::uint32_t taken);
  // One transition, if nothing about it can go wrong.
  Outcome transition();
  bool add_accesses(std::vector<Access>& accesses);
  bool update(const Transition& transition);
  bool set(const Reference& target, Interval value);

  const Model& model_;
  const OperationTable& operations_;
  const Table<StateId, bool>& may_come_round_;
  std::vector<Interval> shared_;  // bounds of the shared words
  std::vector<Interval> local_;   // what is known of the thread's own words
  std::vector<Interval> values_;  // scratch of update()
  std::uint32_t first_local_ = 0;
  StateId at_{};
};

}  // namespace heddle::model
