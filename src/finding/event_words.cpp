#include "finding/event_words.h"

#include <fmt/format.h>

namespace heddle {

std::string operation_in_words(const Tables& tables, EventKind kind, std::uint32_t object) {
  const ObjectType type = object_type(kind);
  if (type == ObjectType::none) return std::string(name_of(kind));
  return fmt::format("{} {}", name_of(kind), tables.describe(type, object));
}

std::string operation_in_words(const Tables& tables, const EventRecord& event) {
  return operation_in_words(tables, event.kind, event.object);
}

std::string value_in_words(const Tables& tables, const EventRecord& event, std::uint64_t value) {
  if (object_type(event.kind) != ObjectType::location) return fmt::format("{}", value);
  const std::uint32_t size = tables.locations[LocationId(event.object)].size;
  if (size != 4 && size != 8) return fmt::format("{}", value);
  const unsigned unused = 64 - 8 * size;
  return fmt::format("{}", static_cast<std::int64_t>(value << unused) >> unused);
}

std::string place_in_words(const Tables& tables, SiteId site) {
  return site.valid() ? tables.describe(tables.outside_libraries(site)) : "?";
}

std::vector<std::string> stack_in_words(const Tables& tables, SiteId site) {
  std::vector<std::string> lines;
  for (SiteId id = site; tables.sites.contains(id); id = tables.sites[id].caller) {
    const std::string_view function = tables.strings[tables.sites[id].function];
    lines.push_back(function.empty() ? tables.describe(id)
                                     : fmt::format("{}  {}", function, tables.describe(id)));
  }
  return lines;
}

std::string step_in_words(const Tables& tables, const EventRecord& event) {
  return step_in_words(operation_in_words(tables, event), place_in_words(tables, event.site));
}

std::string step_in_words(const std::string& operation, const std::string& place) {
  return fmt::format("{} at {}", operation, place);
}

}  // namespace heddle
