#include "explore/replay.h"

#include <optional>
#include <set>

#include <fmt/format.h>

#include "explore/dependence.h"
#include "explore/wrong.h"

namespace heddle {
namespace {

std::string describe(const Failure failure, const std::string& words) {
  return failure == Failure::assumption ? words + ", so the execution is dropped" : words;
}

class Replayer {
 public:
  Replayer(System& system, const Finding& finding) : system_(system), finding_(finding) {
    run_.threads = finding.threads;
    for (const std::string& name : finding.threads) threads_.push_back(thread_named(name));
  }

  Run run() {
    while (done_ < finding_.schedule.size() && take(finding_.schedule[done_])) ++done_;
    const bool whole = done_ == finding_.schedule.size();
    if (whole && !run_.end) run_.end = end_of_run();
    for (const Preemption& preemption : preemptions_) explain(preemption);
    return std::move(run_);
  }

 private:
  // A switch away from a thread that could have gone on.
  struct Preemption {
    std::size_t step;  // the first one of the other thread
    std::uint32_t thread;
    std::string operation;
    std::vector<Access> accesses;  // of the operation that has to wait
  };

  ThreadId thread_named(const std::string& name) const {
    for (const ThreadId thread : indices<ThreadId>(system_.thread_count())) {
      if (system_.thread_name(thread) == name) return thread;
    }
    return ThreadId::none();
  }

  // ----- steps -------------------------------------------------------------------------------

  // Takes the step; false if the run is over.
  bool take(const ScheduleStep& step) {
    if (!can_take(step)) return false;
    const ThreadId thread = threads_[step.thread];
    Operation operation;
    system_.next_operation(thread, operation);
    RunStep taken{.thread = step.thread,
                  .site = system_.where_next(thread),
                  .operation = system_.describe_next(thread),
                  .values = {}};
    compare(step, taken.operation);
    note_switch(step.thread, taken);
    const Failure failure = system_.step(thread, step.choice);
    taken.values = system_.describe_last_step();
    run_.steps.push_back(std::move(taken));
    accesses_.push_back(std::move(operation.accesses));
    return failure == Failure::none || fail(failure);
  }

  // Where a step fails, the run ends; false unless the schedule ends there too.
  bool fail(Failure failure) {
    const RunStep& step = run_.steps.back();
    if (done_ + 1 < finding_.schedule.size()) {
      diverge("that it goes on", describe(failure, step.values));
    }
    if (failure != Failure::assumption) {
      run_.end = RunEnd{kind_of(failure), step.values, events_of_failure()};
    }
    return done_ + 1 == finding_.schedule.size();
  }

  bool can_take(const ScheduleStep& step) {
    const ThreadId thread = threads_[step.thread];
    if (!thread.valid()) return diverge(expected(step), "there is no such thread");
    switch (system_.readiness(thread)) {
      case Readiness::ready:
      case Readiness::spinning: break;
      case Readiness::unborn: return diverge(expected(step), "the thread has not been forked");
      case Readiness::finished: return diverge(expected(step), "the thread is finished");
      case Readiness::blocked: return diverge(expected(step), blocked(thread));
    }
    Operation operation;
    system_.next_operation(thread, operation);
    if (step.choice < operation.choices) return true;
    return diverge(fmt::format("{} in way {}", expected(step), step.choice + 1),
                   fmt::format("`{}` with {} ways to happen", system_.describe_next(thread),
                               operation.choices));
  }

  std::string blocked(ThreadId thread) const {
    const std::string why = system_.why_blocked(thread);
    return fmt::format("it is blocked in `{}`{}{}", system_.describe_next(thread),
                       why.empty() ? "" : ": ", why);
  }

  std::string expected(const ScheduleStep& step) const {
    const std::string what = step.operation.empty() ? "a step" : "`" + step.operation + "`";
    return fmt::format("{} of {}", what, finding_.threads[step.thread]);
  }

  void compare(const ScheduleStep& step, const std::string& operation) {
    if (step.operation.empty() || step.operation == operation) return;
    diverge(expected(step), fmt::format("`{}`", operation));
  }

  bool diverge(std::string what, std::string came) {
    if (!run_.divergence) run_.divergence = Divergence{done_ + 1, std::move(what), std::move(came)};
    return false;
  }

  // ----- switches ----------------------------------------------------------------------------

  void note_switch(std::uint32_t to, RunStep& step) {
    if (run_.steps.empty() || run_.steps.back().thread == to) return;
    const std::uint32_t from = run_.steps.back().thread;
    const ThreadId thread = threads_[from];
    const std::string& name = run_.threads[from];
    if (system_.readiness(thread) == Readiness::finished) {
      step.switch_reason = fmt::format("{} is finished", name);
    } else if (system_.readiness(thread) == Readiness::blocked) {
      const std::string why = system_.why_blocked(thread);
      step.switch_reason = fmt::format("{} is blocked{}{}", name, why.empty() ? "" : ": ", why);
    } else {
      Operation next;
      system_.next_operation(thread, next);
      preemptions_.push_back(
          {run_.steps.size(), from, system_.describe_next(thread), std::move(next.accesses)});
    }
  }

  void explain(const Preemption& preemption) {
    std::string& reason = run_.steps[preemption.step].switch_reason;
    reason = fmt::format("{} is preempted before `{}`", run_.threads[preemption.thread],
                         preemption.operation);
    std::size_t other = preemption.step;
    for (; other < run_.steps.size() && run_.steps[other].thread != preemption.thread; ++other) {
      const SystemObject object = conflict(preemption.accesses, accesses_[other]);
      if (!object.valid()) continue;
      reason += fmt::format(", which conflicts with step {} on {}", other + 1,
                            system_.object_name(object));
      return;
    }
    if (other == run_.steps.size()) explain_end(preemption, reason);
  }

  // Who does not go on at all may be waiting for its part in a race.
  void explain_end(const Preemption& preemption, std::string& reason) const {
    if (!run_.end || run_.end->kind != FindingKind::race) return;
    for (const FindingEvent& event : run_.end->events) {
      if (event.thread == run_.threads[preemption.thread]) reason += ", its part in the race";
    }
  }

  static SystemObject conflict(const std::vector<Access>& a, const std::vector<Access>& b) {
    for (const Access& mine : a) {
      if (dependent({&mine, 1}, b)) return mine.object;
    }
    return SystemObject::none();
  }

  // ----- the end -----------------------------------------------------------------------------

  std::optional<RunEnd> end_of_run() const {
    if (finding_.kind != FindingKind::race) return deadlock_in(system_);
    if (finding_.events.size() < 2) return std::nullopt;
    const ThreadId a = thread_named(finding_.events[0].thread);
    const ThreadId b = thread_named(finding_.events[1].thread);
    return a.valid() && b.valid() ? race_in(system_, a, b) : std::nullopt;
  }

  FindingEvent event_of(std::size_t i) const {
    const RunStep& step = run_.steps[i];
    return {run_.threads[step.thread], step.site, step.operation, step.values, i + 1};
  }

  // The step that failed, the last access of its thread to each variable that another thread
  // had set, and where that was set.
  std::vector<FindingEvent> events_of_failure() const {
    const std::size_t last = run_.steps.size() - 1;
    std::set<std::size_t> places = {last};
    std::set<SystemObject> known;
    for (std::size_t i = last + 1; i-- > 0;) {
      if (run_.steps[i].thread != run_.steps[last].thread) continue;
      for (const Access& access : accesses_[i]) {
        if (!is_access(access.kind) || !known.insert(access.object).second) continue;
        const std::optional<std::size_t> source = source_of(access.object, i);
        if (source) places.insert({i, *source});
      }
    }
    std::vector<FindingEvent> events;
    for (const std::size_t place : places) events.push_back(event_of(place));
    return events;
  }

  // The last step before that one which wrote the object, if it is another thread's.
  std::optional<std::size_t> source_of(SystemObject object, std::size_t step) const {
    for (std::size_t i = step; i-- > 0;) {
      for (const Access& access : accesses_[i]) {
        if (access.object != object || !writes(access.kind)) continue;
        if (run_.steps[i].thread == run_.steps[step].thread) return std::nullopt;
        return i;
      }
    }
    return std::nullopt;
  }

  System& system_;
  const Finding& finding_;
  std::vector<ThreadId> threads_;  // of the finding, as the system numbers them
  std::size_t done_ = 0;
  Run run_;
  std::vector<std::vector<Access>> accesses_;  // of the steps
  std::vector<Preemption> preemptions_;
};

}  // namespace

Run replay(System& system, const Finding& finding) { return Replayer(system, finding).run(); }

ReplayedFinding make_finding(System& fresh, const Witness& witness,
                             std::variant<ModelSubject, ProgramSubject> subject,
                             std::string found_by) {
  Finding finding;
  finding.kind = witness.kind;
  finding.message = witness.message;
  finding.subject = std::move(subject);
  finding.found_by = std::move(found_by);
  for (const Transition& step : witness.schedule) {
    finding.add_step(fresh.thread_name(step.thread), step.choice);
  }
  for (const ThreadId thread : witness.racing) {
    finding.events.push_back({fresh.thread_name(thread), {}, {}, {}, {}});
  }
  Run run = replay(fresh, finding);
  if (run.shows(finding)) finding.confirmed = Confirmation::replay;
  if (run.end) finding.events = run.end->events;
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    finding.schedule[i].operation = run.steps[i].operation;
  }
  return {std::move(finding), std::move(run)};
}

}  // namespace heddle
