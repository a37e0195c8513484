// A search behind the steps of a schedule, with one thread paused (`heddle hunt`).
//
// The last step of the schedule is one of that thread, and along with it came the access that
// is in question. Since the thread takes no step afterwards, nothing that it does orders that
// access before what the others do; so if one of them accesses the same memory, that is a race,
// and the program is watched for races anyhow.
#pragma once

#include <cstdlib>
#include <string>
#include <vector>

#include "engine/native_system.h"
#include "explore/findings.h"
#include "explore/system_view.h"
#include "runtime/wire.h"

namespace heddle {

class PausedView final : public SystemView {
 public:
  PausedView(System& system, ThreadId paused, ThreadId first)
      : SystemView(system, first), paused_(paused) {}

 private:
  bool leaves_out(ThreadId thread) const override { return thread == paused_; }

  ThreadId paused_;
};

// Whether the thread takes part in a race, as NativeSystem describes it.
inline bool takes_part(ThreadId thread, const std::string& race) {
  const std::size_t first = race.find('\t');
  const std::size_t second = race.find('\t', race.find('\t', first + 1) + 1);
  const auto number_at = [&](std::size_t tab) {
    return static_cast<std::uint32_t>(std::strtoul(race.c_str() + tab + 1, nullptr, 10));
  };
  return number_at(first) == thread.value() || number_at(second) == thread.value();
}

// Adds the race with which the execution ends. With other steps in between, or fewer, the two
// accesses may come in the other order, which is another message; then the steps stay as they are.
inline void collect_race(const System& system, const Execution& execution,
                         FindingCollector& collector) {
  const std::string message = system.describe_last_step();
  collector.on_failure(execution, Failure::race);
  for (const Witness& witness : collector.witnesses()) {
    if (witness.message == message) return;
  }
  Witness witness{
      .kind = FindingKind::race, .message = message, .sites = {message}, .schedule = {}};
  for (Execution::EventIndex e = 0; e < execution.size(); ++e) {
    witness.schedule.push_back(execution.transition(e));
  }
  collector.add(std::move(witness));
}

// Collects races, and ends the search at one of the paused thread.
class PausedRaces final : public ExplorationListener {
 public:
  PausedRaces(System& view, ThreadId paused)
      : view_(view), paused_(paused), collector_(view, {.keep_going = true}) {}

  bool on_execution(const Execution&) override { return true; }
  bool on_failure(const Execution& execution, Failure failure) override {
    if (failure != Failure::race) return true;
    const bool wanted = takes_part(paused_, view_.describe_last_step());
    collect_race(view_, execution, collector_);
    found_ = found_ || wanted;
    return !wanted;
  }
  bool found() const { return found_; }
  const std::vector<Witness>& witnesses() const { return collector_.witnesses(); }

 private:
  System& view_;
  ThreadId paused_;
  FindingCollector collector_;
  bool found_ = false;
};

// Takes the steps, from the start, and collects the races on the way. False if one cannot be taken.
inline bool take_steps(NativeSystem& system, const std::vector<Transition>& steps,
                       FindingCollector& collector) {
  Execution execution(system.thread_count(), system.object_count(),
                      std::pmr::new_delete_resource());
  Operation operation;
  std::vector<Access> accesses;
  for (const Transition& step : steps) {
    if (step.thread.value() >= system.thread_count()) return false;
    if (system.readiness(step.thread) != Readiness::ready) return false;
    system.next_operation(step.thread, operation);
    const Failure failure = system.step(step.thread, step.choice);
    accesses = operation.accesses;
    accesses.insert(accesses.end(), system.effects().begin(), system.effects().end());
    execution.push(step, accesses, 0);
    if (failure == Failure::race) collect_race(system, execution, collector);
    if (failure != Failure::none && failure != Failure::race) return false;
  }
  return true;
}

}  // namespace heddle
