// Operations: what a thread will do next.
//
// An operation is an event that has not happened yet, so it speaks the same language:
// kinds are EventKinds. One operation may touch several objects (a statement of a model
// reads and writes several variables in one atomic step), so it is a list of accesses.
// All objects of a system share one dense id space.
#pragma once

#include <cstdint>
#include <vector>

#include "base/index.h"
#include "trace/event.h"

namespace heddle {

// An object of a running system: a variable, an array element, a lock, a condition, a
// semaphore, a thread. Not to be confused with the ids of a trace, one space per type.
using SystemObject = Index<struct SystemObjectTag>;

struct Access {
  EventKind kind;
  SystemObject object;
  bool tried = false;  // an acquire or semaphore wait that would rather fail than block
  friend bool operator==(const Access&, const Access&) = default;
};

struct Operation {
  std::vector<Access> accesses;  // each object at most once; empty for a thread-local step
  std::uint32_t choices = 1;     // in how many ways it can happen (a nondeterministic choice)

  void clear() {
    accesses.clear();
    choices = 1;
  }
  friend bool operator==(const Operation&, const Operation&) = default;
};

}  // namespace heddle
