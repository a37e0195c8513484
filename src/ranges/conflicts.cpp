#include "ranges/conflicts.h"

#include <algorithm>
#include <map>

#include "model/operations.h"
#include "ranges/transfer.h"

namespace heddle::ranges {
namespace {

bool only_looks(EventKind kind) {
  return kind == EventKind::read || kind == EventKind::atomic_read || kind == EventKind::join;
}
bool reads_lock(EventKind kind) {
  return kind == EventKind::reader_acquire || kind == EventKind::reader_release;
}
bool commute(EventKind a, EventKind b) {
  return (only_looks(a) && only_looks(b)) || (reads_lock(a) && reads_lock(b));
}

void sort_and_unify(std::vector<PointId>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

// All objects that one declaration made, so that an access to an array meets its likes.
std::uint64_t bucket_of(const model::Model& model, std::uint32_t object) {
  if (object < model.layout.first_sync_object) return model.word_variables[object].value();
  return (std::uint64_t{1} << 32) + (object < model.layout.first_thread_object
                                         ? model.sync_object(SystemObject(object)).declaration
                                         : object);
}

}  // namespace

Conflicts::Conflicts(const Flow& flow)
    : flow_(flow),
      accesses_(flow.size()),
      targets_(flow.size()),
      conflicting_(flow.size()),
      steps_(flow.model().threads.size()) {
  collect_accesses();
  collect_targets();
  std::map<std::uint64_t, std::vector<std::pair<PointId, ObjectAccess>>> buckets;
  for (const PointId point : indices<PointId>(flow.size())) {
    if (!flow[point].stops) continue;
    steps_[flow[point].thread].push_back(point);
    for (const ObjectAccess& access : accesses_[point]) {
      buckets[bucket_of(flow.model(), access.first)].emplace_back(point, access);
    }
  }
  for (auto& [object, bucket] : buckets) compare(bucket);
  for (std::vector<PointId>& list : conflicting_) sort_and_unify(list);
}

void Conflicts::collect_accesses() {
  const model::OperationTable operations(flow_.model());
  for (const PointId point : indices<PointId>(flow_.size())) {
    if (flow_.is_last(point)) continue;
    for (const model::AccessPattern& pattern : operations.patterns(flow_[point].state)) {
      const Places places = places_of(flow_.model(), pattern.object, flow_.constants(point));
      if (places.length == 0) continue;
      accesses_[point].push_back({places.first, places.first + places.length - 1, pattern.kind});
    }
    const Point& at = flow_[point];
    const bool born_here = at.begins && flow_.model().threads[at.thread].forked &&
                           !flow_.model().states[at.state].inner;
    if (!born_here) continue;
    const std::uint32_t self = flow_.model().layout.first_thread_object + at.thread.value();
    accesses_[point].push_back({self, self, EventKind::begin});
  }
  for (const auto& list : accesses_) access_count_ += list.size();
}

// From the last point to the first, so that what follows inside a step is known already.
void Conflicts::collect_targets() {
  for (auto i = static_cast<std::uint32_t>(flow_.size()); i-- > 0;) {
    const PointId point(i);
    std::vector<ObjectAccess> inside;
    for (const Edge& edge : flow_.edges(point)) {
      if (flow_[edge.target].stops) {
        targets_[point].push_back(edge.target);
        continue;
      }
      const auto& further = targets_[edge.target];
      targets_[point].insert(targets_[point].end(), further.begin(), further.end());
      const auto& more = accesses_[edge.target];
      inside.insert(inside.end(), more.begin(), more.end());
    }
    accesses_[point].insert(accesses_[point].end(), inside.begin(), inside.end());
    sort_and_unify(targets_[point]);
  }
}

void Conflicts::compare(std::vector<std::pair<PointId, ObjectAccess>>& bucket) {
  for (std::size_t i = 0; i < bucket.size(); ++i) {
    for (std::size_t j = i + 1; j < bucket.size(); ++j) {
      const auto& [p, a] = bucket[i];
      const auto& [q, b] = bucket[j];
      const bool apart = a.last < b.first || b.last < a.first;
      if (apart || flow_[p].thread == flow_[q].thread || commute(a.kind, b.kind)) continue;
      conflicting_[p].push_back(q);
      conflicting_[q].push_back(p);
    }
  }
}

std::span<const PointId> Conflicts::of(PointId step, ThreadId thread) const {
  const std::vector<PointId>& all = conflicting_[step];
  const PointRange range = flow_.points_of(thread);
  const auto first = std::lower_bound(all.begin(), all.end(), range.first);
  const auto end = std::lower_bound(first, all.end(), range.end);
  return {first, end};
}

bool Conflicts::between(PointId a, PointId b) const {
  return std::binary_search(conflicting_[a].begin(), conflicting_[a].end(), b);
}

}  // namespace heddle::ranges
