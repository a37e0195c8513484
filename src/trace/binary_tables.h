// The payloads of definitions and metadata blocks.
//
// A definitions block holds what was added to the tables since the last one, as
// sections of consecutive entries of one table. An entry refers only to entries that
// stand before it in the file; so a site's caller has a smaller number than the site,
// and chains of callers end. A metadata block holds numbered fields; a later block
// overrides an earlier one field by field, and fields that a reader does not know are
// skipped.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "trace/tables.h"
#include "trace/trace.h"

namespace heddle::binary {

// In the order in which a writer adds them; the numbers stand in the file.
enum class TableNumber : std::uint8_t {
  strings = 1,
  sites,
  threads,
  regions,
  locations,
  locks,
  conditions,
  semaphores,
  barriers,
  onces,
  descriptors,
};
inline constexpr std::size_t kTableCount = 11;

class DefinitionEncoder {
 public:
  // Appends to `payload` what is new in the tables, about kDefinitionBytes at most;
  // leaves it empty when nothing is.
  Result<void> encode_some(const Tables& tables, std::vector<std::uint8_t>& payload);
  // How many entries of the table are encoded.
  std::size_t encoded(TableNumber table) const {
    return done_[static_cast<std::size_t>(table) - 1];
  }

 private:
  std::array<std::size_t, kTableCount> done_{};
};

// The payload of a file of that major version. The error is a clause that says what is wrong
// with it.
Result<void> decode_definitions(std::span<const std::uint8_t> payload, std::uint16_t version,
                                Tables& tables);

std::vector<std::uint8_t> encode_metadata(const Metadata& metadata);
Result<void> decode_metadata(std::span<const std::uint8_t> payload, Metadata& metadata);

}  // namespace heddle::binary
