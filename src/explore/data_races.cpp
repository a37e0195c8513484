#include "explore/data_races.h"

#include <algorithm>
#include <array>

#include "explore/excursion.h"
#include "explore/schedule.h"
#include "explore/wrong.h"

namespace heddle {

DataRaceListener::DataRaceListener(System& system, FindingCollector& collector)
    : system_(system),
      collector_(collector),
      last_(system.thread_count(), system.object_count(), std::pmr::new_delete_resource()) {}

bool DataRaceListener::look_at(const Execution& execution) {
  const std::size_t known = follow(execution);
  pairs_.clear();
  for (auto e = static_cast<EventIndex>(known); e < last_.size(); ++e) find_pairs(e);
  if (pairs_.empty()) return true;
  find_sites(execution);
  for (const Pair& pair : pairs_) {
    if (!collector_.wants_more()) break;
    if (!collector_.knows(FindingKind::race, {}, pair.sites)) try_pair(execution, pair);
  }
  return collector_.wants_more();
}

// Makes the copy equal to the execution; returns how many events were there already.
std::size_t DataRaceListener::follow(const Execution& execution) {
  std::size_t same = 0;
  const std::size_t limit = std::min(last_.size(), execution.size());
  const auto transition = [](const Execution& of, std::size_t i) {
    return of.transition(static_cast<EventIndex>(i));
  };
  while (same < limit && transition(last_, same) == transition(execution, same)) ++same;
  last_.pop_to(same);
  for (auto e = static_cast<EventIndex>(same); e < execution.size(); ++e) {
    last_.push(execution.transition(e), execution.accesses(e), 0);
  }
  last_.order_up_to(last_.size(), counters_);
  return same;
}

void DataRaceListener::find_pairs(EventIndex later) {
  races_.clear();
  find_races(last_, last_.previous_in_thread(later), last_.predecessors_of(later), 0, races_,
             counters_);
  for (const Race& race : races_) {
    if (racing_accesses(last_.accesses(race.earlier), last_.accesses(later))) {
      pairs_.push_back({race.earlier, later, {}});
    }
  }
}

// Where an event stands in the source is known in front of it, so the system goes back
// from the last to the first.
void DataRaceListener::find_sites(const Execution& execution) {
  std::vector<std::pair<EventIndex, Pair*>> wanted;
  for (Pair& pair : pairs_) {
    wanted.emplace_back(pair.earlier, &pair);
    wanted.emplace_back(pair.later, &pair);
  }
  std::sort(wanted.begin(), wanted.end(),
            [](const auto& a, const auto& b) { return a.first > b.first; });
  Excursion excursion(system_, execution);
  for (const auto& [event, pair] : wanted) {
    excursion.go_back_to(event);
    pair->sites.push_back(system_.where_next(execution.thread(event)));
  }
  for (Pair& pair : pairs_) std::sort(pair.sites.begin(), pair.sites.end());
}

void DataRaceListener::try_pair(const Execution& execution, const Pair& pair) {
  const std::array targets = {pair.earlier, pair.later};
  std::vector<EventIndex> events = events_up_to(last_, targets);
  std::erase(events, pair.earlier);
  std::erase(events, pair.later);
  std::vector<Transition> schedule = with_few_switches(last_, events);
  const ThreadId first = last_.thread(pair.earlier), second = last_.thread(pair.later);

  Excursion excursion(system_, execution);
  bool followed = excursion.follow(schedule);
  while (followed && excursion.failure() != Failure::none) {
    schedule.pop_back();
    followed = excursion.follow(schedule);
  }
  if (!followed) return;
  const std::optional<RunEnd> race = race_in(system_, first, second);
  if (!race) return;
  collector_.add({race->kind, race->message, pair.sites, std::move(schedule), {first, second}});
}

}  // namespace heddle
