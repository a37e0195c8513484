#include "trace/stream.h"

#include <algorithm>

namespace heddle {

Result<Trace> collect(EventSource& source) {
  Trace trace;
  std::vector<EventRecord> batch;
  for (;;) {
    TRY_VOID(source.next(batch));
    if (batch.empty()) break;
    if (trace.size() + batch.size() > kMaxEvents) {
      return make_error("more than {} events; split the trace", kMaxEvents);
    }
    trace.append(batch);
  }
  trace.shrink();
  trace.tables = std::move(source.tables());
  trace.tables.shrink();
  trace.metadata = std::move(source.metadata());
  return trace;
}

Result<void> write_all(const Trace& trace, EventSink& sink) {
  constexpr std::size_t kBatch = 4096;
  std::vector<EventRecord> batch;
  for (std::size_t first = 0; first < trace.size(); first += kBatch) {
    batch.clear();
    const std::size_t last = std::min(first + kBatch, trace.size());
    for (std::size_t i = first; i < last; ++i) {
      batch.push_back(trace.record(EventId(static_cast<std::uint32_t>(i))));
    }
    TRY_VOID(sink.append(trace.tables, batch));
  }
  return sink.finish(trace.tables, trace.metadata);
}

}  // namespace heddle
