#include "trace/tables.h"

#include <array>
#include <type_traits>

#include <fmt/format.h>

#include "trace/with_table.h"

namespace heddle {
namespace {

constexpr std::array<std::string_view, kLockKindCount> kLockKindNames = {"mutex", "recursive",
                                                                         "readers-writer"};

template <typename I, typename T>
bool keeps(const Table<I, T>& table, I index) {
  return table.contains(index);
}
template <typename I, typename T>
bool keeps(const ForgettingTable<I, T>& table, I index) {
  return table.keeps(index);
}

}  // namespace

std::size_t Tables::object_count(ObjectType type) const {
  if (type == ObjectType::none) return 0;
  return with_table(*this, type, [](const auto& table) { return table.size(); });
}

std::string Tables::given_name(const RegionInfo& region) const {
  std::string name(strings[region.name]);
  if (region.number == 0) return name;
  if (name.find('#') == std::string::npos) name += '#';
  return name.insert(name.find('#') + 1, std::to_string(region.number));
}

std::string Tables::given_name(ObjectType type, std::uint32_t object) const {
  if (type == ObjectType::none) return {};
  if (type == ObjectType::region && regions.keeps(RegionId(object))) {
    return given_name(regions[RegionId(object)]);
  }
  return with_table(*this, type, [&](const auto& table) {
    const typename std::decay_t<decltype(table)>::index_type index(object);
    return keeps(table, index) ? std::string(strings[table[index].name]) : std::string();
  });
}

std::string Tables::describe(ObjectType type, std::uint32_t object) const {
  if (std::string name = given_name(type, object); !name.empty()) return name;
  if (type == ObjectType::location && locations.keeps(LocationId(object))) {
    const LocationInfo& location = locations[LocationId(object)];
    if (regions.keeps(location.region) && regions[location.region].name.valid()) {
      return describe_part(regions[location.region], location.offset);
    }
  }
  return fmt::format("{} {}", name_of(type), object);
}

std::string Tables::describe_part(const RegionInfo& region, std::uint64_t offset) const {
  std::string text = given_name(region);
  const SiteId site = outside_libraries(region.allocated_at);
  if (site.valid()) text += fmt::format(", allocated at {}", describe(site));
  return offset == 0 ? text : fmt::format("{} +{}", text, offset);
}

bool Tables::in_library(SiteId id) const {
  return sites[id].line == 0 || strings[sites[id].file].starts_with("/usr/");
}

SiteId Tables::outside_libraries(SiteId id) const {
  SiteId site = id;
  while (sites.contains(site) && in_library(site)) site = sites[site].caller;
  return sites.contains(site) ? site : id;
}

std::string Tables::describe(SiteId id) const {
  if (!sites.contains(id)) return "?";
  const Site& site = sites[id];
  const std::string_view file = strings[site.file];
  if (!file.empty() && site.line != 0) return fmt::format("{}:{}", file, site.line);
  if (!file.empty()) return std::string(file);
  if (site.line != 0) return fmt::format("{}", site.line);
  if (site.address != 0) return fmt::format("{:#x}", site.address);
  return "?";
}

void Tables::shrink() {
  sites.shrink();
  threads.shrink();
  locations.shrink();
  regions.shrink();
  locks.shrink();
  conditions.shrink();
  semaphores.shrink();
  barriers.shrink();
  onces.shrink();
  descriptors.shrink();
}

std::size_t Tables::memory_bytes() const {
  return strings.memory_bytes() + sites.memory_bytes() + threads.memory_bytes() +
         locations.memory_bytes() + regions.memory_bytes() + locks.memory_bytes() +
         conditions.memory_bytes() + semaphores.memory_bytes() + barriers.memory_bytes() +
         onces.memory_bytes() + descriptors.memory_bytes();
}

std::string_view name_of(LockKind kind) { return kLockKindNames[static_cast<std::size_t>(kind)]; }

std::optional<LockKind> lock_kind_named(std::string_view name) {
  for (std::size_t i = 0; i < kLockKindCount; ++i) {
    if (kLockKindNames[i] == name) return static_cast<LockKind>(i);
  }
  return std::nullopt;
}

}  // namespace heddle
