// The hunt: from Lockset's warnings of some runs of a model to races that happen, or to the word
// that there is none.
//
// Warnings at the same two places in the source are one question, whichever run, threads and
// elements they come from. It is tried on one pair of accesses after the other, until one gives a
// witness or the budget is used up. Races that a search comes across at other places answer their
// questions, too.
//
// [Shacham, Sagiv, Schuster: Scaling model checking of dataraces using dynamic information, JPDC
// 2007; docs/papers.md says where this differs.]
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "explore/findings.h"
#include "hybrid/observed_run.h"
#include "model/model.h"

namespace heddle::hybrid {

struct HuntOptions {
  std::uint32_t runs = 4;  // the first without a needless switch, the others at random
  std::uint64_t seed = 1;
  bool all_partners = false;  // every pair that could race, with or without a warning
  bool with_paused = false;   // the paused thread goes on in the search
  bool hint = true;           // few preemptions first, with the second thread pushed ahead
  bool extend = true;         // the prefix
  bool chop = true;
  std::uint32_t bits = 0;                  // of an integer in the search; 0: as many as it has
  std::uint64_t max_executions = 100'000;  // per warning
  double seconds = 0;                      // per warning; 0: as long as it takes
  std::size_t max_steps = 10'000;
};

enum class Verdict : std::uint8_t {
  witness,
  spurious,    // every search came to its end without a race
  open,        // the budget was used up, or a search was bounded
  no_partner,  // no other access of the runs could race with it
};
std::string_view name_of(Verdict verdict);

struct WarningReport {
  std::string location;
  std::vector<std::string> sites;  // of the paused access, and of the other one
  Verdict verdict = Verdict::no_partner;
  std::size_t pairs = 0;  // of accesses that were tried
  std::size_t prefix_events = 0;
  std::size_t extended_by = 0;
  std::size_t suffix_events = 0;  // of the witness's search
  std::uint64_t executions = 0;
  std::uint64_t overflows = 0;
  double seconds = 0;
  std::uint64_t peak_bytes = 0;  // of the process, when it was done
  std::string why = {};          // it is open
  std::optional<Witness> witness = {};
};

struct HuntReport {
  std::vector<WarningReport> warnings;
  std::size_t run_events = 0;

  std::size_t count(Verdict verdict) const;
};

// The model has to be compiled with one access per step.
HuntReport hunt(const model::Model& model, const HuntOptions& options);
// The same, from runs that were observed already.
HuntReport hunt(const model::Model& model, const std::deque<ObservedRun>& runs,
                const HuntOptions& options);

}  // namespace heddle::hybrid
