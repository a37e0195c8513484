#include "record/finding_schedule.h"

#include <map>
#include <string_view>

#include "finding/event_words.h"

namespace heddle {
namespace {

// What is done when a deadline comes has to be known before, so it begins a run of its own.
bool needs_deadline(EventKind kind) {
  return kind == EventKind::timeout || kind == EventKind::failed_acquire ||
         kind == EventKind::failed_reader_acquire || kind == EventKind::failed_semaphore_wait;
}

EventKind kind_in(std::string_view operation) {
  return event_kind_named(operation.substr(0, operation.find(' '))).value_or(EventKind::branch);
}

class Scheduler {
 public:
  explicit Scheduler(const std::vector<std::string>& threads) {
    for (const std::string& thread : threads) {
      numbers_.emplace(thread, static_cast<std::uint32_t>(numbers_.size()));
    }
  }

  Result<void> add(const std::string& thread, std::string_view operation) {
    const auto number = numbers_.find(thread);
    if (number == numbers_.end()) {
      return make_error("the finding does not say when its thread {} is created", thread);
    }
    const EventKind kind = kind_in(operation);
    if (begins_run(number->second, kind) || breaks_) {
      runs.push_back({number->second, 0, static_cast<std::uint32_t>(kind) & 0xff});
    }
    ++runs.back().events;
    breaks_ = false;
    return {};
  }
  // What comes next is a run by itself.
  void break_run() { breaks_ = true; }

  std::vector<wire::Run> runs;

 private:
  bool begins_run(std::uint32_t thread, EventKind kind) const {
    return runs.empty() || runs.back().thread != thread || runs.back().events == wire::kMaxRun ||
           needs_deadline(kind);
  }

  std::map<std::string, std::uint32_t> numbers_;
  bool breaks_ = false;
};

}  // namespace

Result<FindingSchedule> schedule_of_finding(const Finding& finding, const ProgramSubject& program) {
  if (program.threads.empty()) {
    return make_error(
        "the finding has no schedule that can be run; it was made by an earlier Heddle, so predict "
        "it again");
  }
  FindingSchedule schedule;
  Scheduler scheduler(program.threads);
  for (std::size_t i = 0; i < finding.schedule.size(); ++i) {
    const ScheduleStep& step = finding.schedule[i];
    if (i + 1 == finding.schedule.size()) scheduler.break_run();
    TRY_VOID(scheduler.add(finding.threads[step.thread], step.operation));
  }
  schedule.next_run = scheduler.runs.size();
  for (const FindingEvent& event : finding.events) {
    if (event.step) continue;
    if (is_heap(kind_in(event.operation))) {
      schedule.heap.push_back(&event);
      continue;
    }
    schedule.next.push_back(&event);
    scheduler.break_run();
    TRY_VOID(scheduler.add(event.thread, event.operation));
  }
  schedule.runs = std::move(scheduler.runs);
  schedule.tries = finding.kind == FindingKind::deadlock;
  const bool at_last_step = schedule.next.empty() && schedule.next_run > 0;
  schedule.last_run = at_last_step ? schedule.next_run - 1 : schedule.next_run;
  return schedule;
}

}  // namespace heddle
