// Small traces as text, for tests: one event per line.
//
//   T1 acq L               thread, operation as in the STD format, object
//   T1 wait c L            a wait names its lock too
//   T1 r x =5              with the value that it read
//   T1 rmw x =6 was=5      with the value that it wrote and the one that it saw
//   T1 aw x release        a memory order (seq_cst unless it is given)
//   T1 acq L tried         the tried bit; `T1 leave b serial` the serial bit
//
// Objects exist by being named, one name space per type. A line with '#' gives an object
// what it cannot have by being named; it stands before the object's first event:
//
//   # lock L recursive     or readers-writer; otherwise a mutex
//   # semaphore s 2        its initial count; otherwise 0
//   # barrier b 2          its parties; otherwise 1
//   # location x R 0 4     its region, offset and size; otherwise a place of its own
//
// A mistake in the text is a mistake in the test and ends it with a failed CHECK.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "trace/stream.h"
#include "trace/trace.h"

namespace heddle {

Trace tiny_trace(std::string_view text);

// The events in the same notation, a line each.
std::string tiny_text(const Trace& trace);

// Events as a source, in batches of the given size; the first one stands at "line 1".
class RecordSource final : public EventSource {
 public:
  // Of a trace, whose tables it takes.
  explicit RecordSource(Trace trace, std::size_t batch_size = 3);
  // Of any records whatever.
  RecordSource(Tables tables, std::vector<EventRecord> events, std::size_t batch_size = 3);

  Result<void> next(std::vector<EventRecord>& batch) override;
  std::string where(std::size_t i) const override;

 private:
  std::vector<EventRecord> events_;
  std::size_t batch_size_;
  std::size_t first_ = 0;  // of the last batch
  std::size_t next_ = 0;
};

}  // namespace heddle
