// Can a remote access fall between two accesses that belong together, in a way that no serial
// order explains?
//
// What belongs together is a scope: what a thread does while it holds a lock; and, on request,
// what it does in one call of a function. docs/semantics.md, section 6.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "predict/question.h"
#include "trace/enumerate.h"

namespace heddle::predict {

// A run of one thread's events, [first, last) as indices in the thread.
struct AtomicScope {
  ThreadId thread;
  std::uint32_t first;
  std::uint32_t last;
};

// The scopes of all locks.
std::vector<AtomicScope> locked_scopes(const Facts& facts);
// The calls of a function: neighbouring events whose site, or a caller of it, is in the function.
std::vector<AtomicScope> calls_of(const Facts& facts, const std::string& function);

struct AtomicityOptions {
  Budget budget = {};
  // Only pairs of accesses of a scope with no other access of the same memory between them.
  bool neighbours_only = false;
  // No more questions for a triple of places after the first that can happen, or so many in vain,
  // and only about the remote accesses nearest to the two.
  std::uint64_t per_places = 0;  // 0: all
};

struct AtomicityAnswer {
  BrokenScope scope;
  Shown shown;
};

struct AtomicityCounters {
  std::uint64_t candidates = 0;
  std::uint64_t left_out = 0;
};

class Atomicity {
 public:
  Atomicity(const Facts& facts, const AtomicityOptions& options)
      : facts_(facts), options_(options) {}

  AtomicityCounters ask_all(const std::vector<AtomicScope>& scopes,
                            const std::function<void(AtomicityAnswer)>& tell) const;

 private:
  const Facts& facts_;
  AtomicityOptions options_;
};

}  // namespace heddle::predict
