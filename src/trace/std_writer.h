// Writes traces in the STD text format (docs/text-formats.md).
//
// A trace with only the events that RAPID knows, on plain objects, comes out as RAPID
// reads it; everything else uses Heddle's extensions. What an object is called is worked
// out at its first use and kept, so an event costs a few copies of short strings.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <absl/container/flat_hash_set.h>

#include "base/output.h"
#include "trace/stream.h"

namespace heddle {

class StdWriter final : public EventSink {
 public:
  explicit StdWriter(std::unique_ptr<Output> output);

  Result<void> append(const Tables& tables, std::span<const EventRecord> events) override;
  Result<void> finish(const Tables& tables, const Metadata& metadata) override;

 private:
  // The names given so far to the objects of one type: all different, none empty.
  struct Names {
    std::vector<std::string> of_object;  // empty: not used yet
    absl::flat_hash_set<std::string> given;
  };

  void write_event(const Tables& tables, const EventRecord& event);
  void write_operand(const Tables& tables, const EventRecord& event);
  void write_attributes(const Tables& tables, const EventRecord& event);
  void write_wait(const Tables& tables, const EventRecord& event);
  void introduce(const Tables& tables, const EventRecord& event);
  void define(const Tables& tables, ObjectType type, std::uint32_t object,
              const EventRecord& event);
  void define_location(const Tables& tables, LocationId location, const EventRecord& event);
  void define_region(const Tables& tables, RegionId region);

  bool is_named(ObjectType type, std::uint32_t object) const;
  const std::string& name(const Tables& tables, ObjectType type, std::uint32_t object);
  const std::string& site(const Tables& tables, SiteId id);
  Result<void> flush();

  std::unique_ptr<Output> output_;
  std::string text_;  // not yet written
  std::array<Names, kObjectTypeCount> names_;
  std::vector<std::string> sites_;  // as text; empty: not used yet
};

}  // namespace heddle
