#include "trace/json_lines_reader.h"

#include <limits>

#include "base/nearest.h"
#include "base/printable.h"
#include "trace/json_fields.h"
#include "trace/json_lines_format.h"
#include "trace/with_table.h"

namespace heddle {
namespace {

constexpr std::size_t kBatch = 4096;
constexpr std::uint32_t kMaxId = std::numeric_limits<std::uint32_t>::max() - 1;

// The types by whose key a definition is told; a location comes before the region that it
// may lie in.
constexpr std::array<ObjectType, kObjectTypeCount - 1> kDefinable = {
    ObjectType::thread,  ObjectType::location,  ObjectType::region,
    ObjectType::lock,    ObjectType::condition, ObjectType::semaphore,
    ObjectType::barrier, ObjectType::once,      ObjectType::descriptor};

template <typename Id>
Id id_of(const std::optional<std::uint32_t>& number) {
  return number ? Id(*number) : Id::none();
}

Result<void> parse_attributes(JsonFields& fields, const Tables& tables, LocationInfo& location) {
  TRY(const auto region, fields.optional_reference("region", tables.regions.size()));
  location.region = id_of<RegionId>(region);
  TRY(location.offset, fields.number_or<std::uint64_t>("offset", 0));
  TRY(location.size, fields.number_or<std::uint32_t>("size", 1));
  if (ends_in_range(location)) return {};
  return make_error("offset {} and size {} lead out of the address space", location.offset,
                    location.size);
}

Result<void> parse_attributes(JsonFields& fields, const Tables& tables, RegionInfo& region) {
  TRY(region.number, fields.number_or<std::uint64_t>("number", 0));
  TRY(region.size, fields.number_or<std::uint64_t>("size", 0));
  TRY(const auto site, fields.optional_reference("allocated-at", tables.sites.size()));
  region.allocated_at = id_of<SiteId>(site);
  return {};
}

Result<void> parse_attributes(JsonFields& fields, const Tables&, LockInfo& lock) {
  TRY(const std::string name, fields.string("kind"));
  if (name.empty()) return {};
  const auto kind = lock_kind_named(name);
  if (!kind) {
    return make_error("not a kind of lock (mutex, recursive, readers-writer): {}", printable(name));
  }
  lock.kind = *kind;
  return {};
}

Result<void> parse_attributes(JsonFields& fields, const Tables&, SemaphoreInfo& semaphore) {
  TRY(semaphore.initial, fields.number_or<std::uint32_t>("initial", 0));
  return {};
}

Result<void> parse_attributes(JsonFields& fields, const Tables&, BarrierInfo& barrier) {
  TRY(barrier.parties, fields.number_or<std::uint32_t>("parties", 1));
  return {};
}

// Threads, conditions, once-flags and descriptors have nothing but a name.
template <typename Info>
Result<void> parse_attributes(JsonFields&, const Tables&, Info&) {
  return {};
}

// That a definition's id is the next one.
Result<void> check_id(JsonFields& fields, std::string_view key, std::size_t next,
                      std::size_t limit) {
  TRY(const auto id, fields.number<std::uint32_t>(key));
  if (next >= limit) return make_error("more than {} {}s", limit, key);
  if (id && *id == next) return {};
  return make_error("the next {} to define is number {}", key, next);
}

Result<EventKind> parse_kind(const std::string& name) {
  if (const auto kind = event_kind_named(name)) return *kind;
  std::vector<std::string> names;
  for (const EventKindInfo& row : kEventKinds) names.emplace_back(row.name);
  const auto suggestion = nearest(name, names);
  return make_error("unknown event {}{}", printable(name),
                    suggestion ? fmt::format("; did you mean '{}'?", *suggestion) : "");
}

}  // namespace

JsonLinesReader::JsonLinesReader(std::unique_ptr<Input> input) : lines_(std::move(input)) {}

std::string JsonLinesReader::where(std::size_t i) const {
  return fmt::format("{}:{}", lines_.name(), line_numbers_.at(i));
}

Error JsonLinesReader::here(const Error& error) const {
  return make_error("{}:{}: {}", lines_.name(), lines_.line_number(), error.message);
}

Result<void> JsonLinesReader::next(std::vector<EventRecord>& batch) {
  batch.clear();
  line_numbers_.clear();
  std::string_view line;
  while (batch.size() < kBatch) {
    TRY(const bool more, lines_.next(line));
    if (!more) break;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const Result<void> parsed = parse_line(line, batch);
    if (!parsed.ok()) return here(parsed.error());
    if (batch.size() > line_numbers_.size()) line_numbers_.push_back(lines_.line_number());
  }
  return {};
}

Result<void> JsonLinesReader::parse_line(std::string_view line, std::vector<EventRecord>& batch) {
  TRY(const nlohmann::json object, parse_json_line(line));
  JsonFields fields(object);
  if (!header_seen_) {
    TRY_VOID(parse_header(fields));
  } else if (fields.has("event")) {
    TRY(const EventRecord event, parse_event(fields));
    batch.push_back(event);
  } else if (fields.has("site")) {
    TRY_VOID(parse_site(fields));
  } else if (fields.has("metadata")) {
    TRY_VOID(parse_metadata(fields));
  } else if (fields.has("note")) {
    TRY_VOID(parse_note(fields));
  } else {
    TRY_VOID(parse_definition(fields));
  }
  return fields.finish();
}

Result<void> JsonLinesReader::parse_header(JsonFields& fields) {
  TRY(const auto version, fields.number<std::uint32_t>(kJsonLinesHeader));
  if (!version) {
    return make_error("the first line of a trace as JSON lines should be {{\"{}\":{}}}",
                      kJsonLinesHeader, kJsonLinesVersion);
  }
  if (*version < kOldestJsonLinesVersion || *version > kJsonLinesVersion) {
    return make_error("version {} of the format; this Heddle reads versions {} to {}", *version,
                      kOldestJsonLinesVersion, kJsonLinesVersion);
  }
  header_seen_ = true;
  return {};
}

Result<StringId> JsonLinesReader::parse_string(JsonFields& fields, std::string_view key) {
  TRY(const std::string text, fields.string(key));
  return text.empty() ? StringId::none() : tables_.strings.intern(text);
}

Result<void> JsonLinesReader::parse_definition(JsonFields& fields) {
  for (const ObjectType type : kDefinable) {
    if (!fields.has(name_of(type))) continue;
    return with_table(tables_, type, [&](auto& table) -> Result<void> {
      const std::size_t limit = type == ObjectType::thread ? kMaxThreads : kMaxId;
      TRY_VOID(check_id(fields, name_of(type), table.size(), limit));
      typename std::decay_t<decltype(table)>::value_type row;
      TRY(row.name, parse_string(fields, "name"));
      TRY_VOID(parse_attributes(fields, tables_, row));
      table.add(row);
      return {};
    });
  }
  return make_error("neither an event, nor a definition, nor metadata");
}

Result<void> JsonLinesReader::parse_site(JsonFields& fields) {
  TRY_VOID(check_id(fields, "site", tables_.sites.size(), kMaxId));
  Site site;
  TRY(site.file, parse_string(fields, "file"));
  TRY(site.line, fields.number_or<std::uint32_t>("line", 0));
  TRY(site.column, fields.number_or<std::uint32_t>("column", 0));
  TRY(site.function, parse_string(fields, "function"));
  TRY(site.address, fields.number_or<std::uint64_t>("address", 0));
  TRY(const auto caller, fields.optional_reference("caller", tables_.sites.size()));
  site.caller = id_of<SiteId>(caller);
  tables_.sites.add(site);
  return {};
}

Result<void> JsonLinesReader::parse_metadata(JsonFields& fields) {
  TRY(const nlohmann::json* object, fields.object("metadata"));
  JsonFields inner(*object);
  TRY(metadata_.command_line, inner.strings("command-line"));
  TRY(metadata_.clock, inner.string("clock"));
  TRY(metadata_.exit_status, inner.number<std::int32_t>("exit-status"));
  TRY(metadata_.seed, inner.number<std::uint64_t>("seed"));
  TRY(metadata_.started_nanoseconds, inner.number<std::int64_t>("started-nanoseconds"));
  TRY(metadata_.duration_nanoseconds, inner.number<std::uint64_t>("duration-nanoseconds"));
  return inner.finish();
}

Result<void> JsonLinesReader::parse_note(JsonFields& fields) {
  TRY(const std::string name, fields.string("note"));
  TRY(metadata_.notes[name], fields.string("text"));
  return {};
}

Result<EventRecord> JsonLinesReader::parse_event(JsonFields& fields) {
  EventRecord event;
  TRY(const std::string name, fields.string("event"));
  TRY(event.kind, parse_kind(name));
  TRY(const std::uint32_t thread, fields.reference("thread", tables_.threads.size()));
  event.thread = ThreadId(thread);
  if (const ObjectType type = object_type(event.kind); type != ObjectType::none) {
    TRY(event.object, fields.reference(json_object_key(type), tables_.object_count(type)));
  }
  if (event.kind == EventKind::wait) {
    TRY(const auto lock, fields.optional_reference("lock", tables_.locks.size()));
    event.lock = id_of<LockId>(lock);
  }
  TRY(const auto site, fields.optional_reference("site", tables_.sites.size()));
  event.site = id_of<SiteId>(site);
  TRY_VOID(parse_detail(fields, event));
  if (is_access(event.kind)) TRY_VOID(parse_values(fields, event));
  return event;
}

Result<void> JsonLinesReader::parse_detail(JsonFields& fields, EventRecord& event) {
  switch (info(event.kind).detail) {
    case DetailType::none: break;
    case DetailType::memory_order: {
      TRY(const std::string name, fields.string("order"));
      const auto order = memory_order_named(name);
      if (!order) return make_error("\"order\" should be a memory order, not {}", printable(name));
      event.detail = static_cast<std::uint8_t>(*order);
      break;
    }
    case DetailType::tried: {
      TRY(const bool tried, fields.flag("tried"));
      event.detail = tried ? 1 : 0;
      break;
    }
    case DetailType::serial: {
      TRY(const bool serial, fields.flag("serial"));
      event.detail = serial ? 1 : 0;
      break;
    }
  }
  return {};
}

Result<void> JsonLinesReader::parse_values(JsonFields& fields, EventRecord& event) {
  TRY(const auto value, fields.bits("value"));
  event.has_value = value.has_value();
  event.value = value.value_or(0);
  if (event.kind != EventKind::atomic_rmw) return {};
  TRY(const auto old_value, fields.bits("old-value"));
  if (old_value.has_value() != event.has_value) {
    return make_error(R"(an atomic-rmw has both "value" and "old-value", or neither)");
  }
  event.old_value = old_value.value_or(0);
  return {};
}

}  // namespace heddle
