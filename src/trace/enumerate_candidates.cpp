#include "trace/enumerate_candidates.h"

#include <algorithm>
#include <map>
#include <set>

namespace heddle::enumeration {
namespace {

bool is_lifetime(EventKind kind) { return kind == EventKind::alloc || kind == EventKind::free; }

bool share_piece(const OriginalRun& run, EventId e, EventId f) {
  const auto& pieces = run.pieces_of(run.location_of(e));
  const auto& others = run.pieces_of(run.location_of(f));
  return std::find_first_of(pieces.begin(), pieces.end(), others.begin(), others.end()) !=
         pieces.end();
}

bool share_piece(const OriginalRun& run, EventId e, EventId f, EventId g) {
  const auto& of_e = run.pieces_of(run.location_of(e));
  const auto& of_f = run.pieces_of(run.location_of(f));
  const auto& of_g = run.pieces_of(run.location_of(g));
  return std::any_of(of_e.begin(), of_e.end(), [&](PieceId piece) {
    return std::count(of_f.begin(), of_f.end(), piece) != 0 &&
           std::count(of_g.begin(), of_g.end(), piece) != 0;
  });
}

// alloc and free write all of their region, not atomically; with each other they have no
// conflict.
bool is_of_region(const Trace& trace, EventId lifetime, EventId access) {
  return is_lifetime(trace.kind(lifetime)) && is_access(trace.kind(access)) &&
         trace.tables.locations[trace.location(access)].region == trace.region(lifetime);
}

bool conflict(const OriginalRun& run, EventId e, EventId f) {
  const Trace& trace = run.trace();
  if (trace.thread(e) == trace.thread(f)) return false;
  if (is_of_region(trace, e, f) || is_of_region(trace, f, e)) return true;
  if (!is_access(trace.kind(e)) || !is_access(trace.kind(f))) return false;
  return (writes(trace.kind(e)) || writes(trace.kind(f))) &&
         (!is_atomic(trace.kind(e)) || !is_atomic(trace.kind(f))) && share_piece(run, e, f);
}

std::vector<EventPair> find_conflicts(const OriginalRun& run) {
  std::vector<EventPair> result;
  for (EventId f : run.trace().events()) {
    for (EventId e : indices<EventId>(f.value())) {
      if (conflict(run, e, f)) result.push_back({e, f});
    }
  }
  return result;
}

void add_triplets(const OriginalRun& run, EventId read, std::set<Triplet>& triplets) {
  const auto& pieces = run.pieces_of(run.location_of(read));
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const EventId writer = run.seen(read, i);
    if (writer != kInitialWrite) triplets.insert({writer, read, kInitialWrite});
    for (EventId c : run.trace().events()) {
      if (!writes(run.trace().kind(c)) || c == writer || c == read) continue;
      const auto& written = run.pieces_of(run.location_of(c));
      if (std::count(written.begin(), written.end(), pieces[i]) != 0) {
        triplets.insert({writer, read, c});
      }
    }
  }
}

std::vector<Triplet> find_triplets(const OriginalRun& run, bool with_final_reads) {
  std::set<Triplet> triplets;
  for (EventId e : run.trace().events()) {
    if (reads(run.trace().kind(e))) add_triplets(run, e, triplets);
  }
  if (with_final_reads) {
    for (EventId e : final_reads(run)) add_triplets(run, e, triplets);
  }
  return {triplets.begin(), triplets.end()};
}

// For each event the scopes in which it stands: numbers that grow with each acquire of a
// lock that the thread did not hold yet. A wait ends the scope of its lock.
class Scopes {
 public:
  explicit Scopes(const OriginalRun& run) : of_event_(run.trace().size()) {
    for (ThreadId t : indices<ThreadId>(run.thread_count())) {
      held_.clear();
      for (EventId e : run.events_of(t)) note(run.trace(), e);
    }
  }

  bool share_scope(EventId e, EventId f) const {
    return std::any_of(of_event_[e].begin(), of_event_[e].end(),
                       [&](std::size_t scope) { return of_event_[f].contains(scope); });
  }

 private:
  struct Held {
    std::size_t scope = 0;
    std::uint32_t depth = 0;
  };

  void note(const Trace& trace, EventId e) {
    const EventKind kind = trace.kind(e);
    if (kind == EventKind::acquire || kind == EventKind::reader_acquire) {
      Held& held = held_[trace.lock(e)];
      if (held.depth++ == 0) held.scope = ++last_scope_;
    } else if (kind == EventKind::release || kind == EventKind::reader_release) {
      if (--held_[trace.lock(e)].depth == 0) held_.erase(trace.lock(e));
    } else if (kind == EventKind::wait) {
      held_.erase(trace.lock_of_wait(e));
    }
    for (const auto& [lock, held] : held_) of_event_[e].insert(held.scope);
  }

  std::size_t last_scope_ = 0;
  std::map<LockId, Held> held_;
  Table<EventId, std::set<std::size_t>> of_event_;
};

// The orders that no serial execution of the scope gives.
bool breaks_scope(const Trace& trace, EventId first, EventId remote, EventId second) {
  const EventKind a1 = trace.kind(first);
  const EventKind b = trace.kind(remote);
  const EventKind a2 = trace.kind(second);
  return (reads(a1) && writes(b) && reads(a2)) || (writes(a1) && writes(b) && reads(a2)) ||
         (reads(a1) && writes(b) && writes(a2)) || (writes(a1) && reads(b) && writes(a2));
}

std::vector<EventPair> pairs_in_scopes(const OriginalRun& run) {
  const Scopes scopes(run);
  std::vector<EventPair> result;
  for (ThreadId t : indices<ThreadId>(run.thread_count())) {
    for (EventId a2 : run.events_of(t)) {
      for (EventId a1 : run.events_of(t)) {
        if (a1 >= a2 || !is_access(run.trace().kind(a1)) || !is_access(run.trace().kind(a2))) {
          continue;
        }
        if (scopes.share_scope(a1, a2)) result.push_back({a1, a2});
      }
    }
  }
  return result;
}

std::vector<BrokenScope> find_scopes(const OriginalRun& run) {
  const Trace& trace = run.trace();
  std::vector<BrokenScope> result;
  for (const auto& [a1, a2] : pairs_in_scopes(run)) {
    for (EventId b : trace.events()) {
      if (is_access(trace.kind(b)) && trace.thread(b) != trace.thread(a1) &&
          share_piece(run, a1, b, a2) && breaks_scope(trace, a1, b, a2)) {
        result.push_back({a1, b, a2});
      }
    }
  }
  return result;
}

}  // namespace

Candidates::Candidates(const OriginalRun& run, const EnumerateOptions& options) {
  if (options.adjacent_races || options.unordered_races) conflicts = find_conflicts(run);
  if (options.paper_kinds) triplets = find_triplets(run, options.final_reads);
  if (options.atomicity) scopes = find_scopes(run);
}

std::vector<EventId> final_reads(const OriginalRun& run) {
  const Trace& trace = run.trace();
  std::vector<EventId> result;
  for (LocationId l : indices(trace.tables.locations)) {
    const RegionId region = trace.tables.locations[l].region;
    if (!region.valid() || !run.free_of(region).valid()) result.push_back(trace.final_read(l));
  }
  return result;
}

bool is_read_between_writes(const Trace& trace, const BrokenScope& scope) {
  return writes(trace.kind(scope.first)) && reads(trace.kind(scope.remote)) &&
         writes(trace.kind(scope.second));
}

}  // namespace heddle::enumeration
