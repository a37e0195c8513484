#include "record/steps_run.h"

#include <optional>

#include "record/record.h"
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

// Of the same kind of object; where it is memory, one of the two writes.
bool can_clash(EventKind a, EventKind b) {
  if (object_type(a) != object_type(b)) return false;
  return !is_access(a) || !is_access(b) || writes(a) || writes(b);
}

std::optional<EventId> last_access_of(const Trace& trace, std::uint32_t thread, EventId racing) {
  std::optional<EventId> last;
  for (const EventId e : trace.events()) {
    if (trace.thread(e).value() != thread) continue;
    if (!can_clash(trace.kind(e), trace.kind(racing))) continue;
    if (trace.object(e) == trace.object(racing)) last = e;
  }
  return last;
}

}  // namespace

Result<StepsRun> run_steps(const std::vector<std::string>& command,
                           const std::vector<SearchStep>& steps, const std::string& path,
                           const StepSettings& settings) {
  TRY(RecordedRun recorded, record_steps(command, steps, path, settings));
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
    const auto other = last_access_of(trace, other_thread, *last);
    if (other) events.push_back(*other);
  }
  events.push_back(*last);
  return events;
}

}  // namespace heddle
