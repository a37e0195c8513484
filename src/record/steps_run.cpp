#include "record/steps_run.h"

#include <optional>

#include "record/record.h"
#include "trace/cells.h"
#include "trace/open.h"

namespace heddle {
namespace {

std::optional<EventId> last_event_of(const Trace& trace, std::uint32_t thread) {
  std::optional<EventId> last;
  for (const EventId e : trace.events()) {
    if (trace.thread(e).value() == thread && trace.site(e).valid()) last = e;
  }
  return last;
}

RegionId region_of(const Trace& trace, EventId e) {
  if (is_access(trace.kind(e))) return trace.tables.locations[trace.location(e)].region;
  return trace.kind(e) == EventKind::free ? trace.region(e) : RegionId::none();
}

// Whether the two touch the same bytes, and not both of them only read. Freeing a block touches
// all of it.
bool conflict(const Trace& trace, const Cells& cells, EventId a, EventId b) {
  if (is_access(trace.kind(a)) && is_access(trace.kind(b))) {
    return (writes(trace.kind(a)) || writes(trace.kind(b))) &&
           cells.overlap(trace.location(a), trace.location(b));
  }
  return region_of(trace, a).valid() && region_of(trace, a) == region_of(trace, b);
}

std::optional<EventId> last_in_conflict(const Trace& trace, std::uint32_t thread, EventId racing) {
  const Cells cells(trace.tables);
  std::optional<EventId> last;
  for (const EventId e : trace.events()) {
    if (trace.thread(e).value() == thread && conflict(trace, cells, e, racing)) last = e;
  }
  return last;
}

}  // namespace

Result<StepsRun> run_steps(const std::vector<std::string>& command,
                           const std::vector<SearchStep>& steps, const std::string& path,
                           const StepSettings& settings, Under under) {
  TRY(RecordedRun recorded, record_steps(command, steps, path, settings, under));
  TRY(const auto source, open_trace(path));
  TRY(Trace trace, collect(*source));
  return StepsRun{std::move(recorded.result), std::move(trace)};
}

std::vector<EventId> events_that_matter(const Trace& trace, FindingKind kind, std::uint32_t thread,
                                        std::uint32_t other_thread) {
  std::vector<EventId> events;
  if (kind == FindingKind::deadlock) return events;
  const auto last = last_event_of(trace, thread);
  if (!last) return events;
  if (kind == FindingKind::race) {
    const auto other = last_in_conflict(trace, other_thread, *last);
    if (other) events.push_back(*other);
  }
  events.push_back(*last);
  return events;
}

}  // namespace heddle
