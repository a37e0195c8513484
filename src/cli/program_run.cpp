#include "cli/program_run.h"

#include <algorithm>
#include <charconv>

#include "cli/output.h"
#include "report/columns.h"
#include "runtime/explored_program.h"
#include "trace/cells.h"

namespace heddle {
namespace {

constexpr std::size_t kMostShown = 80;  // events

std::string site_of(const Trace& trace, EventId e) {
  return trace.site(e).valid() ? trace.tables.describe(trace.site(e)) : std::string();
}

bool is_plain(EventKind kind) { return kind == EventKind::read || kind == EventKind::write; }

// Which plain accesses touch something that other threads touch, too.
class SharedMemory {
 public:
  explicit SharedMemory(const Trace& trace) : cells_(trace.tables), owners_(cells_.size()) {
    for (const EventId e : trace.events()) {
      if (is_access(trace.kind(e))) note(trace.location(e), trace.thread(e));
    }
  }
  bool has(LocationId location) const {
    const auto cells = cells_.cells_of(location);
    return std::any_of(cells.begin(), cells.end(),
                       [&](CellId cell) { return owners_[cell] == kSeveral; });
  }

 private:
  static constexpr std::uint32_t kSeveral = ~0u;

  // An owner is a thread, plus one.
  void note(LocationId location, ThreadId thread) {
    for (const CellId cell : cells_.cells_of(location)) {
      std::uint32_t& owner = owners_[cell];
      owner = owner == 0 || owner == thread.value() + 1 ? thread.value() + 1 : kSeveral;
    }
  }

  Cells cells_;
  Table<CellId, std::uint32_t> owners_;
};

// What a person wants to see of a long run is its end; blocks that come and go, and what only one
// thread touches, is seldom of interest.
std::vector<EventId> shown_events(const Trace& trace, const std::vector<EventId>& that_matter) {
  const SharedMemory shared(trace);
  std::vector<EventId> events;
  for (const EventId e : trace.events()) {
    const EventKind kind = trace.kind(e);
    const bool left_out = kind == EventKind::alloc || kind == EventKind::free ||
                          (is_plain(kind) && !shared.has(trace.location(e)));
    const bool matters = std::find(that_matter.begin(), that_matter.end(), e) != that_matter.end();
    if (matters || !left_out) events.push_back(e);
  }
  if (events.size() > kMostShown) {
    events.erase(events.begin(), events.end() - static_cast<std::ptrdiff_t>(kMostShown));
  }
  return events;
}

}  // namespace

bool shows(const StepsRun& run, FindingKind kind, const std::string& message) {
  if (kind == FindingKind::deadlock) return run.result.ending == Ending::deadlock;
  if (kind == FindingKind::livelock) return run.result.message == explored::kScheduleOver;
  return run.result.message == message;
}

std::vector<FindingEvent> events_of(const StepsRun& run, FindingKind kind, std::uint32_t thread,
                                    std::uint32_t other_thread) {
  std::vector<FindingEvent> events;
  for (const EventId e : events_that_matter(run.trace, kind, thread, other_thread)) {
    events.push_back({.thread = run.trace.tables.describe(run.trace.thread(e)),
                      .site = site_of(run.trace, e),
                      .operation = describe(run.trace, e),
                      .values = ""});
  }
  return events;
}

void print_run(const StepsRun& run, FindingKind kind, std::uint32_t thread,
               std::uint32_t other_thread) {
  const std::vector<EventId> that_matter =
      events_that_matter(run.trace, kind, thread, other_thread);
  const std::vector<EventId> events = shown_events(run.trace, that_matter);
  if (events.size() < run.trace.size()) {
    print("{} of {} events; what only one thread touches is left out:\n", events.size(),
          run.trace.size());
  }
  const Columns columns(run.trace, events, {.width = terminal_width(), .colour = colour_wanted()});
  print("{}\n", columns.header());
  for (const EventId e : events) print("{}\n", columns.line(e));
  for (const EventId e : that_matter) {
    print("\n{}: {}\n", run.trace.tables.describe(run.trace.thread(e)), describe(run.trace, e));
    for (const std::string& line : stack_of(run.trace, e)) print("  at {}\n", line);
  }
  for (const std::string& line : run.result.details) print("  {}\n", line);
}

std::string step_thread_name(std::uint32_t thread) {
  return thread == 0 ? "main" : fmt::format("thread {}", thread);
}

std::vector<SearchStep> steps_of(const Finding& finding) {
  std::vector<SearchStep> steps;
  for (const ScheduleStep& step : finding.schedule) {
    const std::string& name = finding.threads[step.thread];
    std::uint32_t number = 0;
    const std::size_t space = name.find(' ');
    if (space != std::string::npos) {
      std::from_chars(name.data() + space + 1, name.data() + name.size(), number);
    }
    steps.push_back({number, step.choice});
  }
  return steps;
}

}  // namespace heddle
