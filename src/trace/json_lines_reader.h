// Reads traces written as JSON lines (docs/text-formats.md): strict about keys, ids and
// types, because a slip in a hand-written line should not become another trace.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/input.h"
#include "base/result.h"
#include "trace/stream.h"

namespace heddle {

class JsonFields;

class JsonLinesReader final : public EventSource {
 public:
  explicit JsonLinesReader(std::unique_ptr<Input> input);

  Result<void> next(std::vector<EventRecord>& batch) override;
  std::string where(std::size_t i) const override;

 private:
  Result<void> parse_line(std::string_view line, std::vector<EventRecord>& batch);
  Result<void> parse_header(JsonFields& fields);
  Result<void> parse_definition(JsonFields& fields);
  Result<void> parse_site(JsonFields& fields);
  Result<void> parse_metadata(JsonFields& fields);
  Result<void> parse_note(JsonFields& fields);
  Result<EventRecord> parse_event(JsonFields& fields);
  Result<void> parse_detail(JsonFields& fields, EventRecord& event);
  Result<void> parse_values(JsonFields& fields, EventRecord& event);
  Result<StringId> parse_string(JsonFields& fields, std::string_view key);
  Error here(const Error& error) const;

  LineReader lines_;
  bool header_seen_ = false;
  std::vector<std::uint64_t> line_numbers_;  // of the events of the last batch
};

}  // namespace heddle
