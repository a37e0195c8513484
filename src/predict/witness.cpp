#include "predict/witness.h"

#include <algorithm>
#include <span>

#include "finding/event_words.h"

namespace heddle::predict {
namespace {

FindingKind kind_of(Kind kind) {
  switch (kind) {
    case Kind::deadlock: return FindingKind::deadlock;
    case Kind::race: return FindingKind::race;
    case Kind::atomicity: return FindingKind::atomicity;
    case Kind::nondeterminism: return FindingKind::nondeterminism;
  }
  return FindingKind::race;
}

// Final reads are no operations of the program, allocations and frees none that it stops at.
bool is_step(const Trace& trace, EventId e) {
  return !trace.is_final_read(e) && !is_heap(trace.kind(e));
}

// A program looks at the word of a futex right after it took the lock of its queue: the two are
// one operation, and a thread cannot be held between them. So acquires are put off until their
// threads go on. Nobody else takes the lock before that in any case; only a try that fails has to
// find it taken.
class LateAcquires {
 public:
  LateAcquires(const Trace& trace, std::vector<EventId>& steps)
      : trace_(trace), steps_(steps), put_off_(trace.tables.threads.size(), EventId::none()) {}

  void add(EventId e) {
    let_go(trace_.thread(e));
    if (is_failed_try(e)) let_go_all();
    if (trace_.kind(e) == EventKind::acquire) {
      put_off_[trace_.thread(e)] = e;
    } else {
      steps_.push_back(e);
    }
  }
  void let_go_all() {
    for (ThreadId t : indices<ThreadId>(put_off_.size())) let_go(t);
  }

 private:
  bool is_failed_try(EventId e) const {
    return trace_.kind(e) == EventKind::failed_acquire ||
           trace_.kind(e) == EventKind::failed_reader_acquire;
  }
  void let_go(ThreadId thread) {
    EventId& acquire = put_off_[thread];
    if (acquire.valid()) steps_.push_back(acquire);
    acquire = EventId::none();
  }

  const Trace& trace_;
  std::vector<EventId>& steps_;
  Table<ThreadId, EventId> put_off_;
};

std::vector<EventId> steps_of(const Trace& trace, const Shown& shown) {
  std::vector<EventId> steps;
  LateAcquires late(trace, steps);
  for (EventId e : shown.sequence) {
    if (is_step(trace, e)) late.add(e);
  }
  late.let_go_all();
  return steps;
}

FindingEvent event_of(const Facts& facts, std::span<const EventId> steps, EventId e) {
  const Trace& trace = facts.trace();
  FindingEvent event;
  event.thread = trace.tables.describe(trace.thread(e));
  event.site = place_name(facts, e);
  event.operation = operation_in_words(trace.tables, trace.record(e));
  event.stack = stack_in_words(trace.tables, trace.site(e));
  const auto at = std::find(steps.begin(), steps.end(), e);
  if (at != steps.end()) event.step = static_cast<std::uint64_t>(at - steps.begin()) + 1;
  return event;
}

// In the order in which the sequence creates them.
std::vector<std::string> threads_created(const Trace& trace, std::span<const EventId> steps) {
  std::vector<std::string> threads = {trace.tables.describe(ThreadId(0))};
  for (EventId e : steps) {
    if (trace.kind(e) != EventKind::fork) continue;
    threads.push_back(trace.tables.describe(trace.other_thread(e)));
  }
  return threads;
}

ProgramSubject program_of(const Trace& trace, std::span<const EventId> steps) {
  const auto& notes = trace.metadata.notes;
  ProgramSubject program{trace.metadata.command_line, {}};
  if (program.command.empty()) return program;
  if (const auto build = notes.find(kBuildNote); build != notes.end()) {
    program.build_id = build->second;
  }
  program.threads = threads_created(trace, steps);
  if (const auto shared = notes.find(kSharedNote); shared != notes.end()) {
    program.shared = shared->second;
  }
  return program;
}

// What every step does is said up to this length, and of longer schedules at their end.
constexpr std::size_t kAllInWords = 50'000;
constexpr std::size_t kEndInWords = 1'000;

void add_schedule(const Trace& trace, std::span<const EventId> steps, Finding& finding) {
  const std::size_t from = steps.size() <= kAllInWords ? 0 : steps.size() - kEndInWords;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const EventId e = steps[i];
    const std::string words = i < from ? "" : step_in_words(trace.tables, trace.record(e));
    finding.add_step(trace.tables.describe(trace.thread(e)), 0, words);
  }
}

}  // namespace

Finding make_finding(const Facts& facts, const PredictedFinding& finding) {
  const Trace& trace = facts.trace();
  const std::vector<EventId> steps = steps_of(trace, finding.shown);
  Finding result;
  result.kind = kind_of(finding.kind);
  result.message = finding.what;
  result.found_by = "predict";
  result.subject = program_of(trace, steps);
  for (EventId e : finding.events) {
    if (e == kInitialWrite || trace.is_final_read(e)) continue;
    result.events.push_back(event_of(facts, steps, e));
  }
  add_schedule(trace, steps, result);
  return result;
}

Result<void> write_witness(const Trace& trace, const Shown& shown, EventSink& sink) {
  std::vector<EventRecord> records;
  for (EventId e : shown.sequence) {
    if (trace.is_final_read(e)) continue;
    records.push_back(trace.record(e));
    if (e == shown.question) records.back().has_value = false;
  }
  TRY_VOID(sink.append(trace.tables, records));
  Metadata metadata = trace.metadata;
  metadata.exit_status.reset();
  return sink.finish(trace.tables, metadata);
}

}  // namespace heddle::predict
