#include "explore/findings.h"

#include <numeric>

#include <fmt/format.h>

#include "explore/excursion.h"
#include "explore/schedule.h"
#include "explore/wrong.h"

namespace heddle {
namespace {

using EventIndex = Execution::EventIndex;

std::string key_of(FindingKind kind, const std::string& message,
                   const std::vector<std::string>& sites) {
  return fmt::format("{}\n{}\n{}", name_of(kind), kind == FindingKind::race ? "" : message,
                     fmt::join(sites, "\n"));
}

std::vector<std::string> sites_of(const RunEnd& end) {
  std::vector<std::string> sites;
  for (const FindingEvent& event : end.events) sites.push_back(event.site);
  return sites;
}

std::vector<EventIndex> all_events(const Execution& execution) {
  std::vector<EventIndex> events(execution.size());
  std::iota(events.begin(), events.end(), 0);
  return events;
}

Execution ordered(const Execution& execution) {
  Execution copy = execution;
  CheckCounters not_of_the_search;
  copy.order_up_to(copy.size(), not_of_the_search);
  return copy;
}

}  // namespace

bool FindingCollector::on_execution(const Execution& execution) {
  const std::optional<RunEnd> end = deadlock_in(system_);
  if (!end || knows(end->kind, end->message, sites_of(*end))) return true;
  std::vector<Transition> schedule = with_few_switches(ordered(execution), all_events(execution));
  Excursion excursion(system_, execution);
  const bool alone = excursion.follow(schedule) && schedule.size() == execution.size() &&
                     excursion.failure() == Failure::none && deadlock_in(system_);
  if (alone) add({end->kind, end->message, sites_of(*end), std::move(schedule)});
  return wants_more();
}

bool FindingCollector::on_failure(const Execution& execution, Failure failure) {
  Witness witness{kind_of(failure), system_.describe_last_step(), {site_of_last(execution)}, {}};
  if (knows(witness.kind, witness.message, witness.sites)) return true;
  if (fails_alone(execution, witness.message, witness)) add(std::move(witness));
  return wants_more();
}

std::string FindingCollector::site_of_last(const Execution& execution) {
  Excursion excursion(system_, execution);
  const auto last = static_cast<EventIndex>(execution.size() - 1);
  excursion.go_back_to(last);
  return system_.where_next(execution.thread(last));
}

bool FindingCollector::fails_alone(const Execution& execution, const std::string& message,
                                   Witness& witness) {
  const Execution copy = ordered(execution);
  const auto last = static_cast<EventIndex>(copy.size() - 1);
  Excursion excursion(system_, execution);
  const auto fails_after = [&](const std::vector<EventIndex>& events) {
    witness.schedule = with_few_switches(copy, events);
    return excursion.follow(witness.schedule) && excursion.failure() != Failure::none &&
           system_.describe_last_step() == message;
  };
  // A step may let a thread go on that waited for others, too, and that fails.
  return fails_after(events_up_to(copy, {&last, 1})) || fails_after(all_events(copy));
}

bool FindingCollector::knows(FindingKind kind, const std::string& message,
                             const std::vector<std::string>& sites) const {
  return known_.contains(key_of(kind, message, sites));
}

void FindingCollector::add(Witness witness) {
  known_.insert(key_of(witness.kind, witness.message, witness.sites));
  witnesses_.push_back(std::move(witness));
}

}  // namespace heddle
