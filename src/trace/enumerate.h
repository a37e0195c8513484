// The brute-force enumerator: all reorderings of a small trace, and everything that they
// can show. It is the oracle of the tests: an engine's answers must equal these sets.
//
// It walks, breadth first, through all states that reorderings lead to (ReorderingState
// says which events may come next) and looks at each state for answers to the questions
// of docs/semantics.md. Two sequences that lead to the same state have the same future,
// so each state is visited once. Where a question asks for more than the state knows, the
// walk is done again with states that remember more: the order of two events for the
// atomicity of scopes and for the paper's `w c r`, happens-before for unordered races.
//
// Cost: exponential in the number of threads. A trace of 14 events in 4 threads takes
// milliseconds. The walk gives up, and says so, at a limit of states.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "trace/trace.h"

namespace heddle {

struct EnumerateOptions {
  bool values = false;      // reads may see another write of the same value
  bool final_reads = true;  // ask the questions about reads for final reads too
  std::size_t max_states = 2'000'000;
  // Which questions to ask.
  bool nondeterminism = true;
  bool paper_kinds = true;
  bool adjacent_races = true;
  bool unordered_races = true;
  bool deadlocks = true;
  bool atomicity = true;
};

// A reordering that shows the answer. A question that is about one event (`question`) has it
// with its outcome free; check_reordering takes the same field.
struct Witness {
  std::vector<EventId> sequence;
  EventId question = EventId::none();
};

// `read` can see `write`, which may be kInitialWrite, in a byte in which it saw another one.
// The read may be a final read. The witness ends in the read.
struct ReadOfWrite {
  EventId read;
  EventId write;
  friend auto operator<=>(const ReadOfWrite&, const ReadOfWrite&) = default;
};

// The paper's (w, r, c): in some byte r saw w, and c, another write, writes that byte too.
struct Triplet {
  EventId writer;
  EventId read;
  EventId challenger;
  friend auto operator<=>(const Triplet&, const Triplet&) = default;
};

// The paper's kinds of witness: c r w; w c r; c r without w.
enum class TripletKind : std::uint8_t { read_before_writer, challenger_between, without_writer };
inline constexpr std::size_t kTripletKindCount = 3;

// Two conflicting accesses; `first` stands before `second` in the trace.
struct EventPair {
  EventId first;
  EventId second;
  friend auto operator<=>(const EventPair&, const EventPair&) = default;
};

// `remote` falls between two accesses of one scope.
struct BrokenScope {
  EventId first;
  EventId remote;
  EventId second;
  friend auto operator<=>(const BrokenScope&, const BrokenScope&) = default;
};

struct Oracle {
  std::map<ReadOfWrite, Witness> nondeterminism;
  std::array<std::map<Triplet, Witness>, kTripletKindCount> triplets;  // by TripletKind
  std::map<EventPair, Witness> adjacent_races;     // the witness ends where both come next
  std::map<EventPair, Witness> unordered_races;    // the witness ends in the later of the two
  std::map<std::set<EventId>, Witness> deadlocks;  // the acquires that wait in a ring, all next
  std::map<BrokenScope, Witness> atomicity;        // the witness ends in `second`

  bool complete = true;    // false: gave up at max_states, the sets may lack answers
  std::size_t states = 0;  // visited, over all walks

  const std::map<Triplet, Witness>& of_kind(TripletKind kind) const {
    return triplets[static_cast<std::size_t>(kind)];
  }
};

Oracle enumerate(const Trace& trace, const EnumerateOptions& options = {});

}  // namespace heddle
