// Operations: what a thread will do next.
//
// An operation is an event that has not happened yet, so it speaks the same language:
// kinds are EventKinds. One operation may touch several objects (a statement of a model
// reads and writes several variables in one atomic step), so it is a list of accesses.
// All objects of a system share one dense id space.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/index.h"
#include "trace/event.h"

namespace heddle {

// An object of a running system: a variable, an array element, a lock, a condition, a
// semaphore, a thread. Not to be confused with the ids of a trace, one space per type.
using SystemObject = Index<struct SystemObjectTag>;

struct Access {
  EventKind kind{};
  bool tried = false;  // an acquire or semaphore wait that would rather fail than block
  SystemObject object;

  Access() = default;
  Access(EventKind its_kind, SystemObject its_object, bool is_tried = false)
      : kind(its_kind), tried(is_tried), object(its_object) {}
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

// A list of operations that keeps their memory when it is used again.
class OperationList {
 public:
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Operation& operator[](std::size_t i) { return operations_[i]; }
  const Operation& operator[](std::size_t i) const { return operations_[i]; }
  auto begin() { return operations_.begin(); }
  auto end() { return operations_.begin() + static_cast<std::ptrdiff_t>(size_); }
  auto begin() const { return operations_.begin(); }
  auto end() const { return operations_.begin() + static_cast<std::ptrdiff_t>(size_); }

  void clear() { size_ = 0; }
  // Adds an empty operation.
  Operation& add() {
    if (size_ == operations_.size()) operations_.emplace_back();
    operations_[size_].clear();
    return operations_[size_++];
  }
  void remove_last() { --size_; }

 private:
  std::vector<Operation> operations_;
  std::size_t size_ = 0;
};

}  // namespace heddle
