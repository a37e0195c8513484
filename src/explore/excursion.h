// An excursion: from the end of an execution to another state, and back.
//
// What a search seems to have found is tried at once, so that a finding never rests on
// what the dependence of events promises alone.
#pragma once

#include <vector>

#include "explore/execution.h"
#include "system/system.h"

namespace heddle {

class Excursion {
 public:
  // The system stands at the end of the execution, and does so again afterwards.
  Excursion(System& system, const Execution& execution) : system_(system), execution_(execution) {}
  ~Excursion();
  Excursion(const Excursion&) = delete;
  Excursion& operator=(const Excursion&) = delete;

  // Goes to the state in front of that event.
  void go_back_to(Execution::EventIndex e) { system_.rewind(e); }
  // Follows the schedule from the initial state, all but the last step without a failure.
  // Steps that fail before that are left out of it: their threads stop in front of them.
  // False if it cannot be followed.
  bool follow(std::vector<Transition>& schedule);
  // How the last step of the schedule failed.
  Failure failure() const { return failure_; }

 private:
  std::size_t follow_to_failure(const std::vector<Transition>& schedule);

  System& system_;
  const Execution& execution_;
  Failure failure_ = Failure::none;
  bool strayed_ = false;  // the steps are not the execution's any more
};

}  // namespace heddle
