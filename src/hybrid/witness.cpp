#include "hybrid/witness.h"

#include <algorithm>
#include <array>

#include "explore/schedule.h"
#include "explore/wrong.h"

namespace heddle::hybrid {
namespace {

using EventIndex = Execution::EventIndex;

Operation next_of(const System& system, ThreadId thread) {
  Operation operation;
  system.next_operation(thread, operation);
  return operation;
}

// Takes the step, if it is ready and does not fail, and adds it to the execution.
bool take(System& system, Transition step, Execution& execution) {
  if (system.readiness(step.thread) != Readiness::ready) return false;
  Operation operation = next_of(system, step.thread);
  if (step.choice >= operation.choices) return false;
  if (system.step(step.thread, step.choice) != Failure::none) return false;
  const auto effects = system.effects();
  operation.accesses.insert(operation.accesses.end(), effects.begin(), effects.end());
  execution.push(step, operation.accesses, 0);
  return true;
}

// The race at the end of the schedule, and the way there.
std::optional<RunEnd> follow(System& system, const std::vector<Transition>& schedule,
                             ThreadId first, ThreadId second, Execution& execution) {
  for (const Transition& step : schedule) {
    if (!take(system, step, execution)) return std::nullopt;
  }
  return race_in(system, first, second);
}

// What happens before the two accesses, which come next.
std::vector<Transition> shortened(const System& system, Execution execution, ThreadId first,
                                  ThreadId second) {
  for (const ThreadId thread : {first, second}) {
    execution.push({thread, 0}, next_of(system, thread).accesses, 0);
  }
  CheckCounters counters;
  execution.order_up_to(execution.size(), counters);
  const auto end = static_cast<EventIndex>(execution.size());
  const std::array targets = {end - 2, end - 1};
  std::vector<EventIndex> events = events_up_to(execution, targets);
  std::erase_if(events, [&](EventIndex e) { return e >= end - 2; });
  return with_few_switches(execution, events);
}

Witness witness_of(const RunEnd& race, std::vector<Transition> schedule, ThreadId first,
                   ThreadId second) {
  std::vector<std::string> sites;
  for (const FindingEvent& event : race.events) sites.push_back(event.site);
  std::sort(sites.begin(), sites.end());
  return {race.kind, race.message, std::move(sites), std::move(schedule), {first, second}};
}

}  // namespace

std::optional<Witness> make_witness(System& system, const std::vector<Transition>& schedule,
                                    ThreadId first, ThreadId second) {
  const auto nothing = [&] {
    return Execution(system.thread_count(), system.object_count(), std::pmr::new_delete_resource());
  };
  Execution execution = nothing();
  const std::optional<RunEnd> race = follow(system, schedule, first, second, execution);
  std::vector<Transition> brief;
  if (race) brief = shortened(system, execution, first, second);
  system.rewind(0);
  if (!race) return std::nullopt;
  Execution again = nothing();
  const std::optional<RunEnd> same = follow(system, brief, first, second, again);
  system.rewind(0);
  if (same) return witness_of(*same, std::move(brief), first, second);
  return witness_of(*race, schedule, first, second);
}

}  // namespace heddle::hybrid
