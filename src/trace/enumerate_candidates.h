// What the enumerator may find in a trace, before it looks for orders: pairs and triples
// of events that touch the same bytes in the way that a question asks for.
#pragma once

#include <vector>

#include "trace/enumerate.h"
#include "trace/original_run.h"

namespace heddle::enumeration {

struct Candidates {
  explicit Candidates(const OriginalRun& run, const EnumerateOptions& options);

  std::vector<EventPair> conflicts;  // of two threads, at least one not atomic
  std::vector<Triplet> triplets;
  std::vector<BrokenScope> scopes;
};

// The final reads that there are: not of what was freed.
std::vector<EventId> final_reads(const OriginalRun& run);

// Whether the pattern is W-R-W, the one in which the remote event is the one in question.
bool is_read_between_writes(const Trace& trace, const BrokenScope& scope);

}  // namespace heddle::enumeration
