#include "trace/std_objects.h"

#include <algorithm>
#include <limits>

#include "base/printable.h"
#include "trace/std_format.h"
#include "trace/with_table.h"

namespace heddle {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t kSmallSites = std::size_t{1} << 20;

std::string_view cut_word(std::string_view& text) {
  text = std_trimmed(text);
  const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
  const std::string_view word = text.substr(0, end);
  text = std_trimmed(text.substr(end));
  return word;
}

// Sets the attributes of an object that was not used yet, or was used with the same ones.
template <typename SomeTable>
Result<void> define_object(StdObjects& objects, SomeTable& table, ObjectType type,
                           std::string_view name, typename SomeTable::value_type attributes) {
  TRY(const StdObjects::Object object, objects.object(type, name));
  auto& row = table[typename SomeTable::index_type(object.id)];
  attributes.name = row.name;
  if (!object.added && row != attributes) {
    return make_error("{} {} is defined after its first use, or a second time and differently",
                      name_of(type), printable(name));
  }
  row = attributes;
  return {};
}

Result<LockInfo> parse_lock(std::string_view attributes) {
  const auto kind = lock_kind_named(attributes);
  if (kind) return LockInfo{StringId::none(), *kind};
  return make_error("not a kind of lock (mutex, recursive, readers-writer): {}",
                    printable(attributes));
}

Result<std::uint32_t> parse_count(std::string_view attributes) {
  if (const auto count = parse_std_count(attributes)) return *count;
  return make_error("expected a count, not {}", printable(attributes));
}

Result<RegionInfo> parse_region(std::string_view attributes, StdObjects& objects) {
  RegionInfo region;
  while (!attributes.empty()) {
    const std::string_view word = cut_word(attributes);
    const std::string_view text = word.substr(std::min(word.find('=') + 1, word.size()));
    const auto number = parse_std_number(text);
    if (word.starts_with("site=")) {
      region.allocated_at = objects.site(text);
    } else if (word.starts_with("size=") && number) {
      region.size = *number;
    } else {
      return make_error("expected size=NUMBER or site=LOCATION, not {}", printable(word));
    }
  }
  return region;
}

Result<LocationInfo> parse_location(std::string_view attributes, StdObjects& objects) {
  LocationInfo location;
  while (!attributes.empty()) {
    const std::string_view word = cut_word(attributes);
    const std::string_view text = word.substr(std::min(word.find('=') + 1, word.size()));
    const auto number = parse_std_number(text);
    const auto count = parse_std_count(text);
    if (word.starts_with("region=")) {
      TRY(const auto region, objects.object(ObjectType::region, text));
      location.region = RegionId(region.id);
    } else if (word.starts_with("offset=") && number) {
      location.offset = *number;
    } else if (word.starts_with("size=") && count) {
      location.size = *count;
    } else {
      return make_error("expected region=NAME, offset=NUMBER or size=NUMBER, not {}",
                        printable(word));
    }
  }
  if (!ends_in_range(location)) {
    return make_error("offset {} and size {} lead out of the address space", location.offset,
                      location.size);
  }
  return location;
}

}  // namespace

StringId StdObjects::intern(std::string_view escaped) {
  const bool plain = escaped.find('%') == std::string_view::npos;
  return tables_.strings.intern(plain ? escaped : std_unescaped(escaped));
}

Result<StdObjects::Object> StdObjects::object(ObjectType type, std::string_view name) {
  if (name.empty()) return make_error("the name of the {} is missing", name_of(type));
  const StringId string = intern(name);
  std::vector<std::uint32_t>& ids = objects_[static_cast<std::size_t>(type)];
  if (string.value() < ids.size() && ids[string.value()] != kNone) {
    return Object{ids[string.value()], false};
  }
  TRY(const std::uint32_t id, add_object(type, string));
  if (string.value() >= ids.size()) ids.resize(tables_.strings.size(), kNone);
  ids[string.value()] = id;
  return Object{id, true};
}

Result<std::uint32_t> StdObjects::add_object(ObjectType type, StringId name) {
  const std::size_t limit = type == ObjectType::thread ? kMaxThreads : kNone;
  return with_table(tables_, type, [=](auto& table) -> Result<std::uint32_t> {
    if (table.size() >= limit) return make_error("more than {} {}s", limit, name_of(type));
    typename std::decay_t<decltype(table)>::value_type row;
    row.name = name;
    return table.add(row).value();
  });
}

SiteId StdObjects::site(std::string_view text) {
  if (text.empty()) return SiteId::none();
  if (const auto line = parse_std_count(text)) return site_of_line(*line);
  const auto number = parse_std_number(text);
  if (number && text.starts_with("0x")) {
    return *number == 0 ? SiteId::none() : site_of({StringId::none(), 0, *number});
  }
  const std::size_t colon = text.rfind(':');
  if (colon != std::string_view::npos && colon > 0) {
    const auto line = parse_std_count(text.substr(colon + 1));
    if (line && *line != 0) return site_of({intern(text.substr(0, colon)), *line, 0});
  }
  return site_of({intern(text), 0, 0});
}

SiteId StdObjects::site_of_line(std::uint32_t line) {
  if (line == 0) return SiteId::none();
  if (line >= kSmallSites) return site_of({StringId::none(), line, 0});
  if (line >= small_sites_.size()) {
    small_sites_.resize(std::min(kSmallSites, std::size_t{2} * line + 1));
  }
  SiteId& site = small_sites_[line];
  if (!site.valid()) site = site_of({StringId::none(), line, 0});
  return site;
}

SiteId StdObjects::site_of(SiteKey key) {
  const auto [found, added] = sites_.try_emplace(key, tables_.sites.end_index());
  if (added) {
    Site site;
    std::tie(site.file, site.line, site.address) = key;
    tables_.sites.add(site);
  }
  return found->second;
}

Result<void> StdObjects::define(std::string_view definition) {
  const std::string_view type = cut_word(definition);
  const std::string_view name = cut_word(definition);
  if (type == "lock") {
    TRY(const LockInfo lock, parse_lock(definition));
    return define_object(*this, tables_.locks, ObjectType::lock, name, lock);
  }
  if (type == "semaphore") {
    TRY(const std::uint32_t initial, parse_count(definition));
    return define_object(*this, tables_.semaphores, ObjectType::semaphore, name,
                         {StringId::none(), initial});
  }
  if (type == "barrier") {
    TRY(const std::uint32_t parties, parse_count(definition));
    return define_object(*this, tables_.barriers, ObjectType::barrier, name,
                         {StringId::none(), parties});
  }
  if (type == "region") {
    TRY(const RegionInfo region, parse_region(definition, *this));
    return define_object(*this, tables_.regions, ObjectType::region, name, region);
  }
  if (type == "location") {
    TRY(const LocationInfo location, parse_location(definition, *this));
    return define_object(*this, tables_.locations, ObjectType::location, name, location);
  }
  return make_error("expected a lock, semaphore, barrier, region or location after #!, not {}",
                    printable(type));
}

}  // namespace heddle
