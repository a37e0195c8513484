#include "ranges/walk.h"

#include <algorithm>
#include <functional>

namespace heddle::ranges {

Walk::Walk(const Flow& flow, Table<PointId, bool> halts)
    : flow_(flow), halts_(std::move(halts)), waiting_(flow.size()) {}

// Points are taken in order, so that all that leads to one has been joined before it is left.
void Walk::run(PointId from, const Environment& environment, const WordSet& wrote, Record* record,
               Ends& ends) {
  ends.clear();
  follow(from, environment, wrote, record, ends);
  while (!open_.empty()) {
    std::pop_heap(open_.begin(), open_.end(), std::greater<>());
    const PointId point = open_.back();
    open_.pop_back();
    const Arrival here = std::move(waiting_[point]);
    waiting_[point] = {};
    follow(point, here.environment, here.wrote, record, ends);
  }
  if (record == nullptr) return;
  for (const End& end : ends) record->arrive(end.point, end.arrival.environment);
}

void Walk::follow(PointId point, const Environment& environment, const WordSet& wrote,
                  Record* record, Ends& ends) {
  if (record != nullptr) look_at(point, environment, *record);
  for (const Edge& edge : flow_.edges(point)) {
    Arrival behind{environment, wrote};
    apply(flow_.model(), flow_.transition(edge), behind.environment, outcome_);
    if (behind.environment.empty()) continue;
    note_writes(behind.wrote);
    if (record != nullptr) record->write(flow_.edge_index(edge), outcome_);
    bring(edge.target, std::move(behind), ends);
  }
}

void Walk::bring(PointId point, Arrival arrival, Ends& ends) {
  if (halts_[point]) {
    const auto known =
        std::find_if(ends.begin(), ends.end(), [&](const End& end) { return end.point == point; });
    if (known != ends.end()) return known->arrival.join(arrival);
    ends.push_back({point, std::move(arrival)});
    return;
  }
  if (!waiting_[point].environment.empty()) return waiting_[point].join(arrival);
  waiting_[point] = std::move(arrival);
  open_.push_back(point);
  std::push_heap(open_.begin(), open_.end(), std::greater<>());
}

void Walk::note_writes(WordSet& wrote) const {
  for (const Write& write : outcome_.writes) {
    if (write.first_word >= flow_.model().layout.shared_words) continue;
    for (std::uint32_t i = 0; i < write.length; ++i) wrote.insert(write.first_word + i);
  }
}

// Also of transitions that were left out of the flow because they cannot succeed.
void Walk::look_at(PointId point, const Environment& environment, Record& record) {
  record.arrive(point, environment);
  if (flow_[point].cut) return;
  for (const model::Transition& transition : flow_.model().transitions_of(flow_[point].state)) {
    Environment behind = environment;
    apply(flow_.model(), transition, behind, outcome_);
    const bool asserts = transition.kind == model::TransitionKind::assertion;
    if (asserts && !outcome_.holds) record.unproved[point] = true;
    if (outcome_.may_fail) record.may_fail[point] = true;
  }
}

}  // namespace heddle::ranges
