// What reader and writer of JSON lines share (docs/text-formats.md).
#pragma once

#include <cstdint>
#include <string_view>

#include "trace/event.h"

namespace heddle {

inline constexpr std::string_view kJsonLinesHeader = "heddle-trace";
inline constexpr std::uint32_t kJsonLinesVersion = 2;  // with numbers of regions
inline constexpr std::uint32_t kOldestJsonLinesVersion = 1;

// The key of an event's object. The thread that an event is about has another key than
// the thread that does it.
inline std::string_view json_object_key(ObjectType type) {
  return type == ObjectType::thread ? "other-thread" : name_of(type);
}

}  // namespace heddle
