#include "record/schedule.h"

#include "trace/open.h"

namespace heddle {
namespace {

void add_event(std::vector<wire::Run>& runs, const EventRecord& event) {
  const std::uint32_t thread = event.thread.value();
  if (runs.empty() || runs.back().thread != thread || runs.back().events == wire::kMaxRun) {
    runs.push_back({thread, 0, static_cast<std::uint32_t>(event.kind) & 0xff});
  }
  ++runs.back().events;
}

}  // namespace

Result<std::vector<wire::Run>> schedule_of_trace(const std::string& path) {
  TRY(const auto source, open_trace(path));
  std::vector<wire::Run> runs;
  std::vector<EventRecord> batch;
  for (;;) {
    TRY_VOID(source->next(batch));
    if (batch.empty()) return runs;
    for (const EventRecord& event : batch) add_event(runs, event);
  }
}

}  // namespace heddle
