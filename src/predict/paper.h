// Paper mode: nondeterministic reads as the NDET paper (Sinha, Malik, Gupta: Efficient Predictive
// Analysis for Detecting Nondeterminism in Multi-Threaded Programs) finds them, with its counters.
//
// For each triplet (w, r, c), where r saw w and c is another write, there are three possible
// witnesses: c r w; w c r; c r without w. The witness order graph G' has the partial order of the
// trace, all read-couples but (w, r), the order of the witness (moved out to the ends of scopes
// of a common lock), and the edges that locks induce. A cycle refutes the witness. Else S_choice
// are the pairs of unordered scopes on the way from a witness edge's head back to its tail in the
// lock abstraction graph; without any, the witness is called feasible; with some, choice graphs
// order them in all ways until one is acyclic. (A cycle dismisses all choice graphs that have the
// choices made so far in common; that counts as one graph explored.)
//
// It is kept as published, mistakes included (docs/papers.md): a third write may stand between a
// read and its writer, and reads that the witness does not need are kept. What the paper leaves
// open: for the third kind, w and all that the partial order reaches from it is taken out, and the
// witness is infeasible if that takes out c or r; choice edges are walked both ways; objects other
// than locks keep their observed order.
//
// How it is fast: "all read-couples but one" is shared by halving. To treat the couples of one
// half, those of the other half are put into the order, and so on down to single couples; so n
// couples cost n log n insertions instead of n^2. What is left per witness are a few look-ups,
// and insertions for those that survive them.
#pragma once

#include <cstdint>
#include <functional>

#include "predict/question.h"
#include "trace/enumerate.h"

namespace heddle::predict {

struct PaperOptions {
  bool final_reads = true;
  unsigned threads = 2;
  // No more choice graphs than this for one witness; then it is undecided.
  std::uint64_t most_graphs = 1 << 16;
};

enum class PaperVerdict : std::uint8_t {
  cyclic,              // G' has a cycle
  no_choice,           // no cycle, and S_choice is empty: feasible
  feasible_by_choice,  // some choice graph is acyclic
  infeasible_by_choice,
  undecided,
};

struct PaperWitness {
  Triplet triplet;
  TripletKind kind = TripletKind::read_before_writer;
  PaperVerdict verdict = PaperVerdict::cyclic;
  std::uint32_t choices = 0;   // pairs in S_choice
  std::uint64_t explored = 0;  // choice graphs
};

struct PaperResult {
  std::uint64_t possible = 0;
  std::uint64_t cyclic = 0;
  std::uint64_t no_choice = 0;
  std::uint64_t with_choice = 0;
  double graphs_possible = 0;  // over all witnesses with choice
  std::uint64_t graphs_explored = 0;
  std::uint64_t feasible = 0;
  std::uint64_t infeasible = 0;
  std::uint64_t undecided = 0;
  double seconds = 0;

  void add(const PaperWitness& witness);
  void add(const PaperResult& other);
  double graphs_possible_per_witness() const;
  double graphs_explored_per_witness() const;
};

using PaperWitnesses = std::function<void(const PaperWitness&)>;

// With `tell`, every witness is told, in one thread.
PaperResult run_paper_mode(const Facts& facts, const PaperOptions& options,
                           const PaperWitnesses& tell = {});

}  // namespace heddle::predict
