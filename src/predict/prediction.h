// All questions about one trace, and what came out of them: what `heddle predict` shows.
//
// Results are grouped as a person would: one finding per pair (or ring, or triple) of places in
// the source, with the number of events behind it, the worst first.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "finding/finding.h"
#include "predict/question.h"

namespace heddle::predict {

enum class Kind : std::uint8_t { deadlock, race, atomicity, nondeterminism };
std::string_view name_of(Kind kind);

struct PredictOptions {
  bool values = false;
  bool final_reads = true;
  bool all = false;  // every pair of events is asked and listed by itself
  Budget budget = {};
  unsigned workers = 2;
  std::vector<std::string> atomic_functions = {};
  bool races = true;
  bool deadlocks = true;
  bool atomicity = true;
  bool nondeterminism = true;
  // Nondeterminism is left out when there are more questions than this; 0: never.
  std::uint64_t most_reads = 50'000'000;
};

struct PredictedFinding {
  Kind kind = Kind::race;
  std::vector<EventId> events;     // the first of the group
  std::vector<std::string> sites;  // of these
  std::string what;                // in words
  std::uint64_t count = 1;         // how many sets of events are behind it
  bool adjacent = false;           // of a race
  bool requested = false;          // of atomicity: of a function that was named
  Shown shown;                     // may be left empty until somebody asks for it
};

struct ReadCounters {
  bool asked = false;
  std::uint64_t possible = 0;  // witnesses: three for each read and challenger, as the paper counts
  std::uint64_t pairs = 0;     // of a read and another write
  std::uint64_t feasible = 0;
  std::uint64_t infeasible = 0;
  std::uint64_t undecided = 0;
  std::uint64_t reads = 0;  // that can see another write
  double seconds = 0;
};

struct RaceCounters {
  bool asked = false;
  std::uint64_t candidates = 0;
  std::uint64_t guarded = 0;  // kept apart by a lock
  std::uint64_t joined = 0;   // by fork and join
  std::uint64_t examined = 0;
  std::uint64_t left_out = 0;
  std::uint64_t happens_before_pairs = 0;
  std::uint64_t lockset_warnings = 0;
  std::uint64_t pairs = 0;
  std::uint64_t adjacent = 0;
  std::uint64_t sites = 0;
  std::uint64_t undecided = 0;
  std::uint64_t by_needs = 0;   // questions that were refused by what they need
  std::uint64_t by_engine = 0;  // those that went past the cheap filters
  double seconds = 0;
};

struct PatternCounters {
  bool asked = false;
  std::uint64_t candidates = 0;
  std::uint64_t left_out = 0;
  std::uint64_t patterns = 0;
  std::uint64_t sites = 0;
  std::uint64_t undecided = 0;
  double seconds = 0;
};

struct Prediction {
  ReadCounters nondeterminism;
  RaceCounters races;
  PatternCounters deadlocks;
  PatternCounters atomicity;
  std::vector<PredictedFinding> findings;  // the worst first

  std::uint64_t undecided() const {
    return nondeterminism.undecided + races.undecided + deadlocks.undecided + atomicity.undecided;
  }
  std::uint64_t left_out() const {
    return races.left_out + deadlocks.left_out + atomicity.left_out;
  }
};

Prediction predict(const Facts& facts, const PredictOptions& options);

// Makes the sequence of a finding that has none yet.
void show(const Facts& facts, const PredictOptions& options, PredictedFinding& finding);

// "bank.cpp:12", or what the event does where its site is not known.
std::string place_name(const Facts& facts, EventId e);

}  // namespace heddle::predict
