// Runs the schedule of a finding on its program, until the predicted thing happens.
//
// A witness is the beginning of a run: it stops where two accesses come next that race, where
// threads wait for each other, or after a read that sees another write. So the run is steered
// along the schedule and compared with it step by step, in words (finding/event_words.h), since
// objects have other numbers in another order of events. Accesses to memory that one thread alone
// touches are no steps: a thread passes them on its way to its next step, which changes nothing for
// the others. Then come the operations that the finding says come next:
//
//   race, adjacent    both accesses happen, one right after the other, so each was next
//   deadlock          each thread of the ring is brought to where it waits; all of them have to
//   the others        the last steps of the schedule show it; a read in question has to have the
//                     value that the predicted write left in this very run
//
// Values on the way are not compared: a clock may show another time. What is said to have
// happened has happened in this run, whatever was predicted.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "base/result.h"
#include "finding/finding.h"
#include "finding/run.h"
#include "record/run.h"

namespace heddle {

enum class ReplayVerdict : std::uint8_t {
  confirmed,
  diverged,  // a step before the predicted thing was another one, or could not be held back
  refuted,   // the schedule was followed, but the predicted thing did not happen
};
std::string_view name_of(ReplayVerdict verdict);

struct FindingRun {
  ReplayVerdict verdict = ReplayVerdict::refuted;
  Run run;           // the last steps, in words
  std::string why;   // not confirmed: one line; confirmed: what was seen, if there is more to say
  RunResult result;  // how the program ended; "reached" where it was ended at that point
  // Where the program ran on: whether other threads than that of the last step did anything.
  bool others_went_on = false;
};

struct FindingRunOptions {
  Launch launch = {};  // its command may be empty: that of the finding
  bool go_on = false;  // let the program run on freely after the predicted thing
  std::uint64_t most_events = ~std::uint64_t{0};  // then it is ended
  std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max();
  bool debugger = false;  // run it under gdb, and stop right before it
};

// Errors: the program is not there or has no runtime, or the finding has no schedule for it.
Result<FindingRun> run_finding(const Finding& finding, const FindingRunOptions& options);

}  // namespace heddle
