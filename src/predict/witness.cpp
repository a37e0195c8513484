#include "predict/witness.h"

#include <algorithm>

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

std::string operation_of(const Trace& trace, EventId e) {
  const ObjectType type = object_type(trace.kind(e));
  const std::string_view name = heddle::name_of(trace.kind(e));
  if (type == ObjectType::none) return std::string(name);
  return fmt::format("{} {}", name, trace.tables.describe(type, trace.object(e)));
}

FindingEvent event_of(const Facts& facts, const Shown& shown, EventId e) {
  const Trace& trace = facts.trace();
  FindingEvent event;
  event.thread = trace.tables.describe(trace.thread(e));
  event.site = place_name(facts, e);
  event.operation = operation_of(trace, e);
  const auto at = std::find(shown.sequence.begin(), shown.sequence.end(), e);
  if (at != shown.sequence.end()) {
    event.step = static_cast<std::uint64_t>(at - shown.sequence.begin()) + 1;
  }
  return event;
}

}  // namespace

Finding make_finding(const Facts& facts, const PredictedFinding& finding) {
  const Trace& trace = facts.trace();
  Finding result;
  result.kind = kind_of(finding.kind);
  result.message = finding.what;
  result.found_by = "predict";
  result.subject = ProgramSubject{trace.metadata.command_line, {}};
  for (EventId e : finding.events) {
    if (e == kInitialWrite || trace.is_final_read(e)) continue;
    result.events.push_back(event_of(facts, finding.shown, e));
  }
  for (EventId e : finding.shown.sequence) {
    if (!trace.is_final_read(e)) result.add_step(trace.tables.describe(trace.thread(e)), 0);
  }
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
