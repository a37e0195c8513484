// Locked scopes: from an acquire to its release, with their nesting, and the locks that
// a thread holds at each of its events.
//
// A wait closes the scope of its lock (and the acquire after it opens another), as the
// NDET paper asks for. Scopes need not nest properly: the parent of a scope is the
// innermost scope that was open when it was opened, even if that one closes first. An
// acquire of a lock that the thread already holds (recursive, or a second read lock)
// opens a scope of its own, but does not count again among the locks held.
//
// The held locks of a stretch are a linked list whose tail is shared with the stretch
// before, so an acquire adds one node whatever the depth; only a release out of order
// copies the nodes above it.
#pragma once

#include <cstdint>
#include <vector>

#include "base/rank_bits.h"
#include "trace/thread_order.h"
#include "trace/trace.h"

namespace heddle {

using ScopeId = Index<struct ScopeTag>;

class Scopes {
 public:
  Scopes(const Trace& trace, const ThreadOrder& order);

  std::size_t size() const { return acquire_.size(); }
  EventId acquire(ScopeId scope) const { return acquire_[scope]; }
  // The release or wait that closed the scope; none if the trace ends before.
  EventId release(ScopeId scope) const { return release_[scope]; }
  ScopeId parent(ScopeId scope) const { return parent_[scope]; }

  // The scope that an acquire opens, or that a release or wait closes (none for a
  // release that closes nothing, in a trace that is not well-formed).
  ScopeId opened_by(EventId e) const { return ScopeId(opens_.rank(e.value())); }
  ScopeId closed_by(EventId e) const { return closed_[closes_.rank(e.value())]; }

  // The scopes, innermost first, that the event is in; an acquire and its release are
  // in their own scope.
  class HeldRange;
  HeldRange held(EventId e) const;
  bool holds(EventId e, LockId lock) const;
  // Whether two events stand in scopes of a common lock, not both as readers.
  bool exclude_each_other(EventId a, EventId b) const;

  std::size_t memory_bytes() const;

 private:
  using NodeId = Index<struct HeldNodeTag>;
  struct Node {
    ScopeId scope;
    NodeId rest;
  };
  class Builder;

  const Trace* trace_;
  const ThreadOrder* order_;
  Table<ScopeId, EventId> acquire_;
  Table<ScopeId, EventId> release_;
  Table<ScopeId, ScopeId> parent_;
  RankBits opens_;   // by event
  RankBits closes_;  // by event
  std::vector<ScopeId> closed_;
  Table<NodeId, Node> nodes_;
  Table<StretchId, NodeId> held_;
};

class Scopes::HeldRange {
 public:
  struct Iterator {
    const Scopes* scopes;
    NodeId node;
    ScopeId operator*() const { return scopes->nodes_[node].scope; }
    Iterator& operator++() {
      node = scopes->nodes_[node].rest;
      return *this;
    }
    friend bool operator==(const Iterator&, const Iterator&) = default;
  };
  HeldRange(const Scopes* scopes, NodeId first) : scopes_(scopes), first_(first) {}
  Iterator begin() const { return {scopes_, first_}; }
  Iterator end() const { return {scopes_, NodeId::none()}; }

 private:
  const Scopes* scopes_;
  NodeId first_;
};

}  // namespace heddle
