#include "trace/scopes.h"

namespace heddle {
namespace {

bool opens_scope(EventKind kind) {
  return kind == EventKind::acquire || kind == EventKind::reader_acquire;
}

bool closes_scope(EventKind kind) {
  return kind == EventKind::release || kind == EventKind::reader_release || kind == EventKind::wait;
}

}  // namespace

// Follows the open scopes of every thread while the trace passes by.
class Scopes::Builder {
 public:
  explicit Builder(Scopes& scopes)
      : scopes_(scopes),
        trace_(*scopes.trace_),
        open_(trace_.tables.threads.size()),
        held_(trace_.tables.threads.size(), NodeId::none()) {}

  void take(EventId e) {
    const EventKind kind = trace_.kind(e);
    scopes_.opens_.push_back(opens_scope(kind));
    scopes_.closes_.push_back(closes_scope(kind));
    if (opens_scope(kind)) open(e);
    // An acquire starts its stretch and a release ends it, so here is the one moment at
    // which the thread's held locks are those of the whole stretch.
    scopes_.held_[scopes_.order_->stretch(e)] = held_[trace_.thread(e)];
    if (closes_scope(kind)) close(e);
  }

 private:
  struct OpenScope {
    ScopeId scope;
    bool counts;  // has a node in the list of held locks
  };

  LockId lock_of(EventId e) const {
    return trace_.kind(e) == EventKind::wait ? trace_.lock_of_wait(e) : trace_.lock(e);
  }

  void open(EventId e) {
    std::vector<OpenScope>& open = open_[trace_.thread(e)];
    NodeId& held = held_[trace_.thread(e)];
    bool counts = true;
    for (const OpenScope& outer : open) {
      if (trace_.lock(scopes_.acquire_[outer.scope]) == trace_.lock(e)) counts = false;
    }
    scopes_.parent_.add(open.empty() ? ScopeId::none() : open.back().scope);
    scopes_.release_.add(EventId::none());
    const ScopeId scope = scopes_.acquire_.add(e);
    open.push_back({scope, counts});
    if (counts) held = scopes_.nodes_.add({scope, held});
  }

  // Closes the thread's latest scope of that lock; what was opened above it stays.
  void close(EventId e) {
    std::vector<OpenScope>& open = open_[trace_.thread(e)];
    std::size_t i = open.size();
    while (i > 0 && trace_.lock(scopes_.acquire_[open[i - 1].scope]) != lock_of(e)) --i;
    if (i == 0) {
      scopes_.closed_.push_back(ScopeId::none());
      return;
    }
    const OpenScope closing = open[i - 1];
    scopes_.closed_.push_back(closing.scope);
    scopes_.release_[closing.scope] = e;
    open.erase(open.begin() + static_cast<std::ptrdiff_t>(i) - 1);
    if (closing.counts) held_[trace_.thread(e)] = without(held_[trace_.thread(e)], closing.scope);
  }

  NodeId without(NodeId list, ScopeId scope) {
    above_.clear();
    for (; scopes_.nodes_[list].scope != scope; list = scopes_.nodes_[list].rest) {
      above_.push_back(scopes_.nodes_[list].scope);
    }
    NodeId result = scopes_.nodes_[list].rest;
    for (; !above_.empty(); above_.pop_back()) result = scopes_.nodes_.add({above_.back(), result});
    return result;
  }

  Scopes& scopes_;
  const Trace& trace_;
  Table<ThreadId, std::vector<OpenScope>> open_;
  Table<ThreadId, NodeId> held_;
  std::vector<ScopeId> above_;  // scratch of without()
};

Scopes::Scopes(const Trace& trace, const ThreadOrder& order)
    : trace_(&trace), order_(&order), held_(order.stretch_count(), NodeId::none()) {
  Builder builder(*this);
  for (EventId e : trace.events()) builder.take(e);
  acquire_.shrink();
  release_.shrink();
  parent_.shrink();
  opens_.shrink();
  closes_.shrink();
  closed_.shrink_to_fit();
  nodes_.shrink();
}

Scopes::HeldRange Scopes::held(EventId e) const { return {this, held_[order_->stretch(e)]}; }

bool Scopes::holds(EventId e, LockId lock) const {
  for (ScopeId scope : held(e)) {
    if (trace_->lock(acquire_[scope]) == lock) return true;
  }
  return false;
}

bool Scopes::exclude_each_other(EventId a, EventId b) const {
  const auto is_reader = [this](ScopeId scope) {
    return trace_->kind(acquire_[scope]) == EventKind::reader_acquire;
  };
  for (ScopeId mine : held(a)) {
    for (ScopeId other : held(b)) {
      const bool same_lock = trace_->lock(acquire_[mine]) == trace_->lock(acquire_[other]);
      if (same_lock && !(is_reader(mine) && is_reader(other))) return true;
    }
  }
  return false;
}

std::size_t Scopes::memory_bytes() const {
  return acquire_.memory_bytes() + release_.memory_bytes() + parent_.memory_bytes() +
         opens_.memory_bytes() + closes_.memory_bytes() + closed_.capacity() * sizeof(ScopeId) +
         nodes_.memory_bytes() + held_.memory_bytes();
}

}  // namespace heddle
