#include "trace/json_lines_writer.h"

#include "trace/json_lines_format.h"
#include "trace/json_text.h"
#include "trace/with_table.h"

namespace heddle {
namespace {

constexpr std::size_t kFlush = std::size_t{1} << 16;

void write_attributes(JsonLine& line, const LocationInfo& location) {
  if (location.region.valid()) line.number("region", location.region.value());
  if (location.offset != 0) line.number("offset", location.offset);
  if (location.size != 1) line.number("size", location.size);
}

void write_attributes(JsonLine& line, const RegionInfo& region) {
  if (region.number != 0) line.number("number", region.number);
  if (region.size != 0) line.number("size", region.size);
  if (region.allocated_at.valid()) line.number("allocated-at", region.allocated_at.value());
}

void write_attributes(JsonLine& line, const LockInfo& lock) {
  if (lock.kind != LockKind::mutex) line.word("kind", name_of(lock.kind));
}

void write_attributes(JsonLine& line, const SemaphoreInfo& semaphore) {
  if (semaphore.initial != 0) line.number("initial", semaphore.initial);
}

void write_attributes(JsonLine& line, const BarrierInfo& barrier) {
  if (barrier.parties != 1) line.number("parties", barrier.parties);
}

// Threads, conditions, once-flags and descriptors have nothing but a name.
template <typename Info>
void write_attributes(JsonLine&, const Info&) {}

template <typename Number>
void write_if_known(JsonLine& line, std::string_view key, const std::optional<Number>& number,
                    std::string& out) {
  if (!number) return;
  line.key(key);
  out += fmt::format("{}", *number);
}

}  // namespace

JsonLinesWriter::JsonLinesWriter(std::unique_ptr<Output> output) : output_(std::move(output)) {
  JsonLine(text_).number(kJsonLinesHeader, kJsonLinesVersion);
}

Result<void> JsonLinesWriter::append(const Tables& tables, std::span<const EventRecord> events) {
  for (const EventRecord& event : events) {
    TRY_VOID(define_used(tables, event));
    write_event(event);
    if (text_.size() >= kFlush) TRY_VOID(flush());
  }
  return {};
}

Result<void> JsonLinesWriter::finish(const Tables& tables, const Metadata& metadata) {
  TRY_VOID(define_all(tables));
  if (metadata != Metadata()) write_metadata(metadata);
  TRY_VOID(flush());
  return output_->close();
}

Result<void> JsonLinesWriter::flush() {
  TRY_VOID(output_->write(text_));
  text_.clear();
  return {};
}

Result<void> JsonLinesWriter::define_used(const Tables& tables, const EventRecord& event) {
  TRY_VOID(define_object(tables, ObjectType::thread, event.thread.value()));
  const ObjectType type = object_type(event.kind);
  if (type != ObjectType::none) TRY_VOID(define_object(tables, type, event.object));
  if (event.lock.valid()) {
    TRY_VOID(define_object(tables, ObjectType::lock, event.lock.value()));
  }
  if (event.site.valid()) TRY_VOID(define_sites(tables, event.site));
  return {};
}

// Ids count up from 0, so whatever stands before the row in its table is defined with it.
Result<void> JsonLinesWriter::define_object(const Tables& tables, ObjectType type,
                                            std::uint32_t last) {
  std::uint32_t& next = defined_[static_cast<std::size_t>(type)];
  for (; next <= last; ++next) TRY_VOID(write_object(tables, type, next));
  return {};
}

Result<void> JsonLinesWriter::define_sites(const Tables& tables, SiteId last) {
  for (; sites_defined_ <= last.value(); ++sites_defined_) {
    TRY_VOID(write_site(tables, SiteId(sites_defined_)));
  }
  return {};
}

// What no event has used.
Result<void> JsonLinesWriter::define_all(const Tables& tables) {
  if (!tables.sites.empty()) {
    TRY_VOID(define_sites(tables, SiteId(static_cast<std::uint32_t>(tables.sites.size() - 1))));
  }
  for (std::size_t i = 0; i < kObjectTypeCount; ++i) {
    const auto type = static_cast<ObjectType>(i);
    const auto count = static_cast<std::uint32_t>(tables.object_count(type));
    if (count > 0) TRY_VOID(define_object(tables, type, count - 1));
  }
  return {};
}

Result<void> JsonLinesWriter::write_object(const Tables& tables, ObjectType type,
                                           std::uint32_t object) {
  if (type == ObjectType::location) {
    const RegionId region = tables.locations[LocationId(object)].region;
    if (region.valid()) TRY_VOID(define_object(tables, ObjectType::region, region.value()));
  } else if (type == ObjectType::region) {
    const SiteId site = tables.regions[RegionId(object)].allocated_at;
    if (site.valid()) TRY_VOID(define_sites(tables, site));
  }
  JsonLine line(text_);
  line.number(name_of(type), object);
  with_table(tables, type, [&](const auto& table) {
    const auto& row = *(table.begin() + object);
    if (const auto name = tables.strings[row.name]; !name.empty()) line.string("name", name);
    write_attributes(line, row);
  });
  return {};
}

Result<void> JsonLinesWriter::write_site(const Tables& tables, SiteId id) {
  const Site& site = tables.sites[id];
  if (site.caller.valid() && site.caller >= id) {
    return make_error("site {} names a caller, site {}, that comes after it", id.value(),
                      site.caller.value());
  }
  const std::string_view file = tables.strings[site.file];
  const std::string_view function = tables.strings[site.function];
  JsonLine line(text_);
  line.number("site", id.value());
  if (!file.empty()) line.string("file", file);
  if (site.line != 0) line.number("line", site.line);
  if (site.column != 0) line.number("column", site.column);
  if (!function.empty()) line.string("function", function);
  if (site.address != 0) line.number("address", site.address);
  if (site.caller.valid()) line.number("caller", site.caller.value());
  return {};
}

void JsonLinesWriter::write_event(const EventRecord& event) {
  const EventKindInfo& kind = info(event.kind);
  JsonLine line(text_);
  line.word("event", kind.name);
  line.number("thread", event.thread.value());
  if (kind.object != ObjectType::none) line.number(json_object_key(kind.object), event.object);
  if (event.lock.valid()) line.number("lock", event.lock.value());
  if (event.site.valid()) line.number("site", event.site.value());
  if (kind.detail == DetailType::memory_order) line.word("order", name_of(event.order()));
  if (kind.detail == DetailType::tried && event.detail != 0) line.yes("tried");
  if (kind.detail == DetailType::serial && event.detail != 0) line.yes("serial");
  if (!event.has_value) return;
  if (event.kind == EventKind::atomic_rmw) line.number("old-value", event.old_value);
  line.number("value", event.value);
}

void JsonLinesWriter::write_metadata(const Metadata& metadata) {
  {
    text_ += R"({"metadata":)";
    JsonLine line(text_, "}}\n");
    if (!metadata.command_line.empty()) line.strings("command-line", metadata.command_line);
    if (!metadata.clock.empty()) line.string("clock", metadata.clock);
    write_if_known(line, "exit-status", metadata.exit_status, text_);
    write_if_known(line, "seed", metadata.seed, text_);
    write_if_known(line, "started-nanoseconds", metadata.started_nanoseconds, text_);
    write_if_known(line, "duration-nanoseconds", metadata.duration_nanoseconds, text_);
  }
  for (const auto& [name, text] : metadata.notes) {
    JsonLine line(text_);
    line.string("note", name);
    line.string("text", text);
  }
}

}  // namespace heddle
