#include "trace/event.h"

namespace heddle {
namespace {

constexpr std::array<std::string_view, kObjectTypeCount> kObjectTypeNames = {
    "none",      "location",  "region",  "lock", "thread",
    "condition", "semaphore", "barrier", "once", "descriptor"};

constexpr std::array<std::string_view, kMemoryOrderCount> kMemoryOrderNames = {
    "relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"};

constexpr bool rows_stand_at_their_kind() {
  for (std::size_t i = 0; i < kEventKindCount; ++i) {
    if (static_cast<std::size_t>(kEventKinds[i].kind) != i) return false;
  }
  return true;
}
static_assert(rows_stand_at_their_kind());

}  // namespace

std::optional<EventKind> event_kind_named(std::string_view name) {
  for (const EventKindInfo& row : kEventKinds) {
    if (row.name == name) return row.kind;
  }
  return std::nullopt;
}

std::string_view name_of(ObjectType type) {
  return kObjectTypeNames[static_cast<std::size_t>(type)];
}

std::string_view name_of(MemoryOrder order) {
  return kMemoryOrderNames[static_cast<std::size_t>(order)];
}

std::optional<MemoryOrder> memory_order_named(std::string_view name) {
  for (std::size_t i = 0; i < kMemoryOrderCount; ++i) {
    if (kMemoryOrderNames[i] == name) return static_cast<MemoryOrder>(i);
  }
  return std::nullopt;
}

}  // namespace heddle
