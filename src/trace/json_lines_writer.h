// Writes traces as JSON lines, one object per line, with all that a trace holds
// (docs/text-formats.md). An object or site is defined right before its first use.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/output.h"
#include "trace/stream.h"

namespace heddle {

class JsonLinesWriter final : public EventSink {
 public:
  explicit JsonLinesWriter(std::unique_ptr<Output> output);

  Result<void> append(const Tables& tables, std::span<const EventRecord> events) override;
  Result<void> finish(const Tables& tables, const Metadata& metadata) override;

 private:
  Result<void> define_used(const Tables& tables, const EventRecord& event);
  Result<void> define_object(const Tables& tables, ObjectType type, std::uint32_t last);
  Result<void> define_sites(const Tables& tables, SiteId last);
  Result<void> define_all(const Tables& tables);
  Result<void> write_object(const Tables& tables, ObjectType type, std::uint32_t object);
  Result<void> write_site(const Tables& tables, SiteId id);
  void write_event(const EventRecord& event);
  void write_metadata(const Metadata& metadata);
  Result<void> flush();

  std::unique_ptr<Output> output_;
  std::string text_;                                       // not yet written
  std::array<std::uint32_t, kObjectTypeCount> defined_{};  // how many of each type
  std::uint32_t sites_defined_ = 0;
};

}  // namespace heddle
