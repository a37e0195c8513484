#include "ranges/meeting.h"

#include <algorithm>
#include <map>
#include <optional>

#include "ranges/transfer.h"

namespace heddle::ranges {
namespace {

using model::Transition;
using model::TransitionKind;

bool takes_lock(TransitionKind kind) {
  return kind == TransitionKind::acquire || kind == TransitionKind::reader_acquire;
}
bool gives_lock(TransitionKind kind) {
  return kind == TransitionKind::release || kind == TransitionKind::reader_release ||
         kind == TransitionKind::wait;
}

void add_lock(LockSet& locks, SystemObject lock, bool reader) {
  const auto at = std::find_if(locks.begin(), locks.end(), [&](const HeldLock& held) {
    return held.lock == lock && held.reader == reader;
  });
  if (at != locks.end()) {
    ++at->depth;
    return;
  }
  locks.push_back({lock, reader});
  std::sort(locks.begin(), locks.end());
}

// A release of one lock takes one hold away; of one among several it may be any.
void remove_lock(LockSet& locks, const Places& places) {
  const auto meant = [&](const HeldLock& held) {
    return held.lock.value() >= places.first && held.lock.value() < places.first + places.length;
  };
  std::erase_if(locks, [&](HeldLock& held) {
    if (!meant(held)) return false;
    return places.length > 1 || --held.depth == 0;
  });
}

template <typename T>
void insert_sorted(std::vector<T>& list, T item) {
  const auto at = std::lower_bound(list.begin(), list.end(), item);
  if (at == list.end() || *at != item) list.insert(at, item);
}

LockSet common(const LockSet& a, const LockSet& b) {
  LockSet both;
  for (const HeldLock& held : a) {
    for (const HeldLock& other : b) {
      if (held.lock != other.lock || held.reader != other.reader) continue;
      both.push_back({held.lock, held.reader, std::min(held.depth, other.depth)});
    }
  }
  return both;
}

Facts joined(const Facts& a, const Facts& b) {
  Facts made{.held = common(a.held, b.held), .forked = a.forked, .joined = {}};
  for (const ThreadId thread : b.forked) insert_sorted(made.forked, thread);
  std::set_intersection(a.joined.begin(), a.joined.end(), b.joined.begin(), b.joined.end(),
                        std::back_inserter(made.joined));
  return made;
}

}  // namespace

bool exclude(const LockSet& a, const LockSet& b) {
  for (const HeldLock& one : a) {
    for (const HeldLock& other : b) {
      if (one.lock == other.lock && !(one.reader && other.reader)) return true;
    }
  }
  return false;
}

Meeting::Meeting(const Flow& flow)
    : flow_(flow),
      of_(flow.size()),
      requested_(flow.size()),
      only_forker_(flow.model().threads.size()) {
  collect_forkers();
  std::map<Facts, FactsId> known;
  Table<PointId, std::optional<Facts>> arriving(flow.size());
  for (const ThreadId thread : indices(flow.model().threads)) {
    arriving[flow.first(thread)] = Facts();
  }
  for (const PointId point : indices<PointId>(flow.size())) {
    const auto [entry, fresh] = known.emplace(*arriving[point], facts_.end_index());
    if (fresh) facts_.add(*arriving[point]);
    of_[point] = entry->second;
    for (const Edge& edge : flow.edges(point)) {
      const Facts next = behind(point, edge);
      std::optional<Facts>& at = arriving[edge.target];
      at = at ? joined(*at, next) : next;
    }
    arriving[point].reset();
    find_requested(point);
  }
}

void Meeting::collect_forkers() {
  Table<ThreadId, bool> several(only_forker_.size(), false);
  for (const PointId point : indices<PointId>(flow_.size())) {
    for (const Edge& edge : flow_.edges(point)) {
      const Transition& transition = flow_.transition(edge);
      if (transition.kind != TransitionKind::fork) continue;
      const Places places = places_of(flow_.model(), transition.object, flow_.constants(point));
      for (std::uint32_t i = 0; i < places.length; ++i) {
        const ThreadId thread(places.first + i - flow_.model().layout.first_thread_object);
        const ThreadId forker = flow_[point].thread;
        several[thread] =
            several[thread] || (only_forker_[thread].valid() && only_forker_[thread] != forker);
        only_forker_[thread] = forker;
      }
    }
  }
  for (const ThreadId thread : indices(several)) {
    if (several[thread] || !flow_.model().threads[thread].forked) {
      only_forker_[thread] = ThreadId::none();
    }
  }
}

Facts Meeting::behind(PointId point, const Edge& edge) const {
  Facts facts = facts_[of_[point]];
  const Transition& transition = flow_.transition(edge);
  const TransitionKind kind = transition.kind;
  if (!synchronises(kind) || kind == TransitionKind::end) return facts;
  const bool waits = kind == TransitionKind::wait;
  const Places places =
      places_of(flow_.model(), waits ? transition.lock : transition.object, flow_.constants(point));
  const bool certain = places.length == 1;
  if (takes_lock(kind) && certain) {
    add_lock(facts.held, SystemObject(places.first), kind == TransitionKind::reader_acquire);
  }
  if (gives_lock(kind)) remove_lock(facts.held, places);
  const ThreadId first(places.first - flow_.model().layout.first_thread_object);
  if (kind == TransitionKind::join && certain) insert_sorted(facts.joined, first);
  for (std::uint32_t i = 0; kind == TransitionKind::fork && i < places.length; ++i) {
    insert_sorted(facts.forked, ThreadId(first.value() + i));
  }
  return facts;
}

// What a's thread has forked and joined agrees with where b's stands.
bool Meeting::agree(PointId a, PointId b) const {
  const Facts& facts = facts_[of_[a]];
  const Point& other = flow_[b];
  if (std::binary_search(facts.joined.begin(), facts.joined.end(), other.thread)) {
    return flow_.is_last(b) && !other.cut;
  }
  if (other.begins || only_forker_[other.thread] != flow_[a].thread) return true;
  return std::binary_search(facts.forked.begin(), facts.forked.end(), other.thread);
}

void Meeting::find_requested(PointId point) {
  const auto edges = flow_.edges(point);
  if (edges.size() != 1) return;
  const Transition& transition = flow_.transition(edges.front());
  if (!takes_lock(transition.kind)) return;
  const Places places = places_of(flow_.model(), transition.object, flow_.constants(point));
  if (places.length != 1) return;
  requested_[point].push_back(
      {SystemObject(places.first), transition.kind == TransitionKind::reader_acquire});
}

}  // namespace heddle::ranges
