#include "tests/trace/same_trace.h"

#include <set>

#include <fmt/format.h>

#include "trace/with_table.h"

namespace heddle {
namespace {

std::string attributes(const Tables&, const LockInfo& lock) {
  return std::string(name_of(lock.kind));
}
std::string attributes(const Tables&, const SemaphoreInfo& row) {
  return fmt::format("{}", row.initial);
}
std::string attributes(const Tables&, const BarrierInfo& row) {
  return fmt::format("{}", row.parties);
}
std::string attributes(const Tables& tables, const RegionInfo& row) {
  return fmt::format("{} {}", row.size, tables.describe(row.allocated_at));
}
std::string attributes(const Tables& tables, const LocationInfo& row) {
  std::string region;
  if (row.region.valid()) {
    region = fmt::format("{} ({})", tables.describe(ObjectType::region, row.region.value()),
                         attributes(tables, tables.regions[row.region]));
  }
  return fmt::format("{}+{} {}", region, row.offset, row.size);
}
template <typename Info>
std::string attributes(const Tables&, const Info&) {
  return {};
}

std::string object_text(const Tables& tables, ObjectType type, std::uint32_t object) {
  return with_table(tables, type, [&](const auto& table) {
    const auto& row = *(table.begin() + object);
    return fmt::format("{} {} [{}]", name_of(type), tables.given_name(type, object),
                       attributes(tables, row));
  });
}

std::string site_text(const Tables& tables, SiteId id) {
  if (!id.valid()) return "no site";
  const Site& site = tables.sites[id];
  return fmt::format("{}:{}:{} {} {:#x} from {}", tables.strings[site.file], site.line, site.column,
                     tables.strings[site.function], site.address, site.caller.value());
}

// All rows of all tables, as text.
std::string tables_text(const Tables& tables) {
  std::string text;
  for (SiteId id : indices(tables.sites)) text += fmt::format("{}\n", site_text(tables, id));
  for (std::size_t i = 1; i < kObjectTypeCount; ++i) {
    const auto type = static_cast<ObjectType>(i);
    for (std::uint32_t id = 0; id < tables.object_count(type); ++id) {
      text += fmt::format("{}\n", object_text(tables, type, id));
    }
  }
  for (const RegionInfo& region : tables.regions) {
    text += fmt::format("allocated at {}\n", region.allocated_at.value());
  }
  return text;
}

}  // namespace

testing::AssertionResult same_trace(const Trace& a, const Trace& b) {
  if (a.metadata != b.metadata) return testing::AssertionFailure() << "the metadata differ";
  const std::string tables_a = tables_text(a.tables);
  const std::string tables_b = tables_text(b.tables);
  if (tables_a != tables_b) {
    return testing::AssertionFailure() << "tables:\n" << tables_a << "and\n" << tables_b;
  }
  if (a.size() != b.size()) {
    return testing::AssertionFailure() << a.size() << " events and " << b.size();
  }
  for (EventId e : a.events()) {
    if (a.record(e) != b.record(e)) {
      return testing::AssertionFailure() << "event " << e.value() << " differs";
    }
  }
  return testing::AssertionSuccess();
}

std::string what_std_carries(const Trace& trace) {
  const Tables& tables = trace.tables;
  std::string text;
  for (EventId e : trace.events()) {
    const EventRecord event = trace.record(e);
    text +=
        fmt::format("{} {} {}", tables.describe(event.thread), name_of(event.kind), event.detail);
    const ObjectType type = object_type(event.kind);
    if (type != ObjectType::none)
      text += fmt::format(" {}", object_text(tables, type, event.object));
    if (event.lock.valid()) {
      text += fmt::format(" {}", object_text(tables, ObjectType::lock, event.lock.value()));
    }
    if (event.has_value) text += fmt::format(" {} {}", event.old_value, event.value);
    text += fmt::format(" at {}\n", tables.describe(event.site));
  }
  return text;
}

std::unique_ptr<Input> input_of(std::string_view text, std::string name) {
  return *Input::from_memory(text, std::move(name));
}

}  // namespace heddle
