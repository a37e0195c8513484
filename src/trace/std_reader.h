// Reads traces in the STD text format, in all dialects of docs/text-formats.md.
//
// A line is cut at its bars and parentheses without copying; what the names stand for
// is up to StdObjects. A line costs about a tenth of a microsecond.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/input.h"
#include "base/result.h"
#include "trace/std_objects.h"
#include "trace/stream.h"

namespace heddle {

class StdReader final : public EventSource {
 public:
  explicit StdReader(std::unique_ptr<Input> input);

  Result<void> next(std::vector<EventRecord>& batch) override;
  std::string where(std::size_t i) const override;

 private:
  Result<bool> next_event_line(std::string_view& line);
  Result<void> parse_event(std::string_view line, EventRecord& event);
  Result<ThreadId> thread_named(std::string_view name);
  Result<void> parse_operand(std::string_view operand, EventRecord& event);
  Result<void> parse_access(std::string_view operand, EventRecord& event);
  Result<void> parse_atomic(std::string_view operand, EventRecord& event);
  Result<void> parse_lock_event(std::string_view operand, EventRecord& event);
  Result<void> parse_wait(std::string_view operand, EventRecord& event);
  Result<void> parse_name(std::string_view operand, EventRecord& event);
  // The error with the place of the current line in front: "a.std:12: ...".
  Error here(const Error& error) const;

  LineReader lines_;
  StdObjects objects_;
  std::string last_thread_name_;  // most lines are of the same thread as the one before
  ThreadId last_thread_;
  std::vector<std::uint64_t> line_numbers_;  // of the events of the last batch
};

}  // namespace heddle
