#include "record/finding_run.h"

#include <algorithm>
#include <array>
#include <deque>
#include <map>

#include "base/subprocess.h"
#include "finding/event_words.h"
#include "record/debugger.h"
#include "record/finding_schedule.h"
#include "record/shared_ranges.h"

namespace heddle {
namespace {

constexpr std::size_t kKeptSteps = 1'000;

// A compare-and-swap in question may fail or succeed.
EventKind other_outcome(EventKind kind) {
  if (kind == EventKind::atomic_rmw) return EventKind::atomic_read;
  return kind == EventKind::atomic_read ? EventKind::atomic_rmw : kind;
}

std::string values_in_words(const Tables& tables, const EventRecord& event) {
  if (!event.has_value) return {};
  const std::string words = operation_in_words(tables, event);
  const std::string value = value_in_words(tables, event, event.value);
  if (event.kind != EventKind::atomic_rmw) return fmt::format("{} = {}", words, value);
  return fmt::format("{} {} -> {}", words, value_in_words(tables, event, event.old_value), value);
}

// Takes the events of a run and compares them with what the finding expects of each thread. That
// threads take turns as the schedule says is the runtime's part.
class Follower {
 public:
  Follower(const Finding& finding, const FindingSchedule& schedule)
      : finding_(finding), schedule_(schedule), asked_(first_asked()) {
    for (std::uint64_t i = 0; i < steps(); ++i) {
      expected_[finding.threads[finding.schedule[i].thread]].steps.push_back(i);
    }
    if (schedule.tries) return;
    for (std::uint64_t i = 0; i < schedule.next.size(); ++i) {
      expected_[schedule.next[i]->thread].steps.push_back(steps() + i);
    }
  }

  // False when it is known that the run does not show the finding.
  bool take(const Tables& tables, std::span<const EventRecord> events) {
    for (const EventRecord& event : events) {
      if (is_heap(event.kind)) {
        note_heap(tables, event);
      } else if (done()) {
        others_went_on_ |=
            !steps_.empty() && tables.describe(event.thread) != run_.threads[steps_.back().thread];
      } else if (!take_step(tables, event)) {
        return false;
      }
    }
    return true;
  }

  // The rest of what can be said, once the run is over.
  FindingRun finish(RunResult result) {
    FindingRun run;
    run_.steps_before = count_ + heap_seen_ - steps_.size();
    run_.steps.assign(steps_.begin(), steps_.end());
    if (!run_.divergence && !done()) end_early(result);
    run.run = std::move(run_);
    run.result = std::move(result);
    run.others_went_on = others_went_on_;
    judge(run);
    return run;
  }

 private:
  struct OneThread {
    std::vector<std::uint64_t> steps;  // of the schedule, or behind it what comes next
    std::size_t done = 0;
  };

  std::uint64_t steps() const { return finding_.schedule.size(); }
  std::uint64_t expected_count() const {
    return steps() + (schedule_.tries ? 0 : schedule_.next.size());
  }
  bool done() const { return count_ >= expected_count(); }

  // What a thread does behind its last step belongs to that: it cannot be held there.
  bool take_step(const Tables& tables, const EventRecord& event) {
    OneThread& thread = expected_[tables.describe(event.thread)];
    if (thread.done == thread.steps.size()) return true;
    const std::uint64_t step = thread.steps[thread.done];
    if (!matches(tables, event, step)) return diverge(tables, event, step);
    if (step >= asked_ && step != count_ && early_.empty()) early_ = expected_in_words(step);
    ++thread.done;
    ++count_;
    keep(tables, event);
    remember_value(event, step);
    return true;
  }

  void note_heap(const Tables& tables, const EventRecord& event) {
    for (const FindingEvent* expected : schedule_.heap) {
      const bool same = tables.describe(event.thread) == expected->thread &&
                        operation_in_words(tables, event) == expected->operation;
      if (!same) continue;
      ++heap_seen_;
      keep(tables, event);
    }
  }

  // The first step whose outcome may be another one than in the recorded run.
  std::uint64_t first_asked() const {
    if (!schedule_.next.empty()) return finding_.schedule.size();
    return finding_.schedule.size() < 2 ? 0 : finding_.schedule.size() - 2;
  }

  std::string thread_of(std::uint64_t step) const {
    if (step >= steps()) return schedule_.next[step - steps()]->thread;
    return finding_.threads[finding_.schedule[step].thread];
  }
  // Empty where the finding does not say.
  std::string words_of(std::uint64_t step) const {
    if (step < steps()) return finding_.schedule[step].operation;
    const FindingEvent& event = *schedule_.next[step - steps()];
    return step_in_words(event.operation, event.site);
  }

  bool matches(const Tables& tables, const EventRecord& event, std::uint64_t step) const {
    const std::string expected = words_of(step);
    if (expected.empty() || step_in_words(tables, event) == expected) return true;
    if (step < asked_) return false;
    EventRecord other = event;
    other.kind = other_outcome(event.kind);
    return step_in_words(tables, other) == expected || uses_what_was_freed(tables, event, step);
  }

  // Memory of a block that was freed, which is what is to be seen, has no name any more.
  bool uses_what_was_freed(const Tables& tables, const EventRecord& event,
                           std::uint64_t step) const {
    if (heap_seen_ == 0 || step < steps()) return false;
    const FindingEvent& expected = *schedule_.next[step - steps()];
    const std::string verb(name_of(event.kind));
    return expected.operation.starts_with(verb + " heap block ") &&
           operation_in_words(tables, event).starts_with(verb + " memory ") &&
           place_in_words(tables, event.site) == expected.site;
  }

  bool diverge(const Tables& tables, const EventRecord& event, std::uint64_t step) {
    run_.divergence = Divergence{
        step + 1, expected_in_words(step),
        fmt::format("{}: {}", tables.describe(event.thread), step_in_words(tables, event))};
    return false;
  }

  std::string expected_in_words(std::uint64_t step) const {
    const std::string words = words_of(step);
    return fmt::format("{}: {}", thread_of(step), words.empty() ? "its next step" : words);
  }

  // The first one that is missing.
  std::uint64_t missing_step() const {
    std::uint64_t first = expected_count() - 1;
    for (const auto& [name, thread] : expected_) {
      if (thread.done < thread.steps.size()) first = std::min(first, thread.steps[thread.done]);
    }
    return first;
  }

  void end_early(const RunResult& result) {
    std::string came = fmt::format("the end of the run ({})", result.words);
    if (result.diverged) came = why_not_ready(result);
    const std::uint64_t step = missing_step();
    run_.divergence = Divergence{step + 1, expected_in_words(step), std::move(came)};
  }

  static std::string why_not_ready(const RunResult& result) {
    std::string text = "that thread cannot go on";
    if (result.diverged->why == wire::Divergence::finished) text = "that thread is over already";
    if (result.diverged->why == wire::Divergence::unborn) text = "that thread does not exist yet";
    for (const std::string& line : result.details) text += fmt::format("; {}", line);
    return text;
  }

  void keep(const Tables& tables, const EventRecord& event) {
    steps_.push_back({column_of(tables.describe(event.thread)), place_in_words(tables, event.site),
                      operation_in_words(tables, event), values_in_words(tables, event)});
    if (steps_.size() > kKeptSteps) steps_.pop_front();
  }

  std::uint32_t column_of(const std::string& thread) {
    const auto known = std::find(run_.threads.begin(), run_.threads.end(), thread);
    const auto column = static_cast<std::uint32_t>(known - run_.threads.begin());
    if (known == run_.threads.end()) run_.threads.push_back(thread);
    return column;
  }

  // Of a read in question and the write that it is to see.
  void remember_value(const EventRecord& event, std::uint64_t step) {
    if (finding_.kind != FindingKind::nondeterminism || finding_.events.size() != 2) return;
    for (std::size_t i = 0; i < 2; ++i) {
      if (finding_.events[i].step == step + 1) seen_[i] = event;
    }
  }

  // "" or what speaks against it.
  std::string other_value() const {
    const EventRecord& read = seen_[0];
    const EventRecord& write = seen_[1];
    if (!read.has_value || !write.has_value || read.object != write.object) return {};
    const std::uint64_t came = read.kind == EventKind::atomic_rmw ? read.old_value : read.value;
    if (came == write.value) return {};
    return fmt::format("the read saw {}, and the write had left {}", came, write.value);
  }

  // "" or which thread of the ring does not wait as predicted.
  std::string missing_in_ring(const RunResult& result) const {
    for (const FindingEvent* event : schedule_.next) {
      const auto waits = std::any_of(
          result.waiting.begin(), result.waiting.end(), [&](const WaitingThread& thread) {
            return thread.thread == event->thread && thread.operation == event->operation;
          });
      if (!waits) return fmt::format("{} does not wait to {}", event->thread, event->operation);
    }
    return {};
  }

  void judge(FindingRun& done) const {
    if (const auto& divergence = done.run.divergence) {
      done.verdict = divergence->step > steps() ? ReplayVerdict::refuted : ReplayVerdict::diverged;
      done.why = fmt::format("{} at step {}: expected {}; came {}", name_of(done.verdict),
                             divergence->step, divergence->expected, divergence->came);
      return;
    }
    done.why = schedule_.tries ? missing_in_ring(done.result) : other_value();
    if (heap_seen_ < schedule_.heap.size()) {
      done.why = fmt::format("{} did not {}", schedule_.heap.front()->thread,
                             schedule_.heap.front()->operation);
    }
    done.verdict = done.why.empty() ? ReplayVerdict::confirmed : ReplayVerdict::refuted;
    // A value is what it is in any order; that two accesses race is a matter of their places.
    const bool must_be_in_place = finding_.kind == FindingKind::race;
    if (!early_.empty() && (must_be_in_place || !done.why.empty())) {
      done.verdict = ReplayVerdict::diverged;
      done.why = fmt::format("diverged, since the program cannot be held before {}", early_);
    }
    if (done.verdict == ReplayVerdict::confirmed) {
      done.run.end = RunEnd{finding_.kind, finding_.message, finding_.events};
    }
  }

  const Finding& finding_;
  const FindingSchedule& schedule_;
  std::uint64_t asked_;
  std::map<std::string, OneThread> expected_;
  std::uint64_t count_ = 0;  // steps so far
  std::size_t heap_seen_ = 0;
  std::string early_;  // a step in question that came too early
  Run run_;
  std::deque<RunStep> steps_;
  bool others_went_on_ = false;
  std::array<EventRecord, 2> seen_;
};

Result<RunOptions> options_for(const ProgramSubject& program, const FindingSchedule& schedule,
                               const FindingRunOptions& options) {
  RunOptions run;
  run.launch = options.launch;
  if (run.launch.command.empty()) run.launch.command = program.command;
  if (run.launch.command.empty()) {
    return make_error("the finding does not say which program it is of; give it after --");
  }
  run.settings.policy = wire::PolicyKind::replay;
  run.settings.heap_counts = 0;
  run.schedule = schedule.runs;
  run.end_when_hanging = !options.debugger;
  run.until = options.until;
  if (program.shared) {
    run.settings.selection = wire::Selection::shared_only;
    TRY(run.shared, ranges_of_text(*program.shared));
  }
  run.settings.debugger = options.debugger ? 1 : 0;
  if (schedule.tries) {
    run.settings.tries_from = schedule.next_run;
    run.settings.stop_run = schedule.runs.size();
  } else if (options.debugger) {
    run.settings.stop_run = schedule.last_run;
  } else if (!options.go_on) {
    run.settings.stop_run = schedule.runs.size();
  }
  return run;
}

}  // namespace

std::string_view name_of(ReplayVerdict verdict) {
  switch (verdict) {
    case ReplayVerdict::confirmed: return "confirmed";
    case ReplayVerdict::diverged: return "diverged";
    case ReplayVerdict::refuted: return "refuted";
  }
  return {};
}

Result<FindingRun> run_finding(const Finding& finding, const FindingRunOptions& options) {
  const auto& program = std::get<ProgramSubject>(finding.subject);
  TRY(const FindingSchedule schedule, schedule_of_finding(finding, program));
  TRY(RunOptions run, options_for(program, schedule, options));
  std::optional<Debugger> debugger;
  if (options.debugger) {
    TRY(Debugger found, Debugger::find());
    debugger.emplace(std::move(found));
    debugger->put_around(run.launch);
  }
  Follower follower(finding, schedule);
  bool follows = true;
  std::uint64_t taken = 0;
  const auto take = [&](const Tables& tables, std::span<const EventRecord> events) -> Result<bool> {
    if (follows) follows = follower.take(tables, events);
    taken += events.size();
    return (follows && taken < options.most_events) || options.debugger;
  };
  const auto finish = [](const Tables&, const RunResult&) -> Result<void> { return {}; };
  TRY(RunResult result, run_program(run, take, finish));
  return follower.finish(std::move(result));
}

}  // namespace heddle
