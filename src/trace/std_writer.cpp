#include "trace/std_writer.h"

#include <charconv>

#include "trace/std_format.h"

namespace heddle {
namespace {

constexpr std::size_t kFlush = std::size_t{1} << 16;

template <typename Number>
void append_number(std::string& out, Number number) {
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  out.append(digits.data(), end);
}

bool could_be_misread(ObjectType type, std::string_view name) {
  switch (type) {
    case ObjectType::location: return split_std_access(name).value.has_value();
    case ObjectType::lock:
    case ObjectType::semaphore: return name.ends_with(kStdTried);
    case ObjectType::barrier: return name.ends_with(kStdSerial);
    default: return false;
  }
}

// The name as it can stand in an operand of any op but wait.
std::string operand_name(ObjectType type, std::string_view name) {
  std::string text;
  if (type == ObjectType::thread && name.starts_with('#')) {  // would be a comment
    append_std_escape(text, '#');
    name.remove_prefix(1);
  }
  append_std_escaped(text, name);
  if (could_be_misread(type, text)) text.replace(text.rfind(','), 1, "%2C");
  return text;
}

void append_without_commas(std::string& out, std::string_view name) {
  for (const char c : name) {
    if (c == ',') {
      append_std_escape(out, c);
    } else {
      out += c;
    }
  }
}

std::string site_text(const Tables& tables, const Site& site) {
  std::string text;
  if (const std::string_view file = tables.strings[site.file]; !file.empty()) {
    append_std_escaped(text, file);
    if (site.line != 0) text += fmt::format(":{}", site.line);
  } else if (site.line == 0 && site.address != 0) {
    text = fmt::format("{:#x}", site.address);
  } else {
    text = fmt::format("{}", site.line);
  }
  return text;
}

}  // namespace

StdWriter::StdWriter(std::unique_ptr<Output> output) : output_(std::move(output)) {}

Result<void> StdWriter::append(const Tables& tables, std::span<const EventRecord> events) {
  for (const EventRecord& event : events) {
    introduce(tables, event);
    write_event(tables, event);
    if (text_.size() >= kFlush) TRY_VOID(flush());
  }
  return {};
}

Result<void> StdWriter::finish(const Tables&, const Metadata&) {
  TRY_VOID(flush());
  return output_->close();
}

Result<void> StdWriter::flush() {
  TRY_VOID(output_->write(text_));
  text_.clear();
  return {};
}

void StdWriter::write_event(const Tables& tables, const EventRecord& event) {
  text_ += name(tables, ObjectType::thread, event.thread.value());
  text_ += '|';
  text_ += info(event.kind).std_name;
  write_operand(tables, event);
  text_ += '|';
  text_ += site(tables, event.site);
  text_ += '\n';
}

void StdWriter::write_operand(const Tables& tables, const EventRecord& event) {
  const ObjectType type = object_type(event.kind);
  if (event.kind == EventKind::begin || event.kind == EventKind::end) {
    text_ += "(0)";  // every tool of the field takes this
  } else if (event.kind == EventKind::fence) {
    text_ += '(';
    text_ += name_of(event.order());
    text_ += ')';
  } else if (event.kind == EventKind::wait) {
    write_wait(tables, event);
  } else if (type != ObjectType::none) {
    text_ += '(';
    text_ += name(tables, type, event.object);
    write_attributes(tables, event);
    text_ += ')';
  }
}

void StdWriter::write_attributes(const Tables& tables, const EventRecord& event) {
  const DetailType detail = info(event.kind).detail;
  const bool has_value = event.has_value && is_access(event.kind);
  if (is_atomic(event.kind)) {
    text_ += ',';
    text_ += name_of(event.order());
  } else if (has_value) {
    const std::uint32_t size = tables.locations[LocationId(event.object)].size;
    text_ += ',';
    if (size != 1) append_number(text_, size);
  } else if (event.detail != 0) {
    text_ += detail == DetailType::tried ? kStdTried : kStdSerial;
  }
  if (!has_value) return;
  if (event.kind == EventKind::atomic_rmw) {
    text_ += ',';
    append_number(text_, event.old_value);
  }
  text_ += ',';
  append_number(text_, event.value);
}

void StdWriter::write_wait(const Tables& tables, const EventRecord& event) {
  const std::string& condition = name(tables, ObjectType::condition, event.object);
  text_ += '(';
  append_without_commas(text_, condition);
  if (!event.lock.valid()) {
    text_ += ',';
  } else if (const std::string& lock = name(tables, ObjectType::lock, event.lock.value());
             lock != condition) {
    text_ += ',';
    append_without_commas(text_, lock);
  }
  text_ += ')';
}

// Writes the definitions, if any, of the objects that this event is the first to use.
void StdWriter::introduce(const Tables& tables, const EventRecord& event) {
  const ObjectType type = object_type(event.kind);
  if (type != ObjectType::none && !is_named(type, event.object)) {
    define(tables, type, event.object, event);
  }
  if (event.lock.valid() && !is_named(ObjectType::lock, event.lock.value())) {
    define(tables, ObjectType::lock, event.lock.value(), event);
  }
}

void StdWriter::define(const Tables& tables, ObjectType type, std::uint32_t object,
                       const EventRecord& event) {
  const std::string& text = name(tables, type, object);
  if (type == ObjectType::location) {
    define_location(tables, LocationId(object), event);
  } else if (type == ObjectType::region) {
    define_region(tables, RegionId(object));
  } else if (type == ObjectType::lock) {
    const LockKind kind = tables.locks[LockId(object)].kind;
    if (kind == implied_lock_kind(event.kind)) return;
    text_ += fmt::format("#! lock {} {}\n", text, name_of(kind));
  } else if (type == ObjectType::semaphore) {
    const std::uint32_t initial = tables.semaphores[SemaphoreId(object)].initial;
    if (initial != 0) text_ += fmt::format("#! semaphore {} {}\n", text, initial);
  } else if (type == ObjectType::barrier) {
    const std::uint32_t parties = tables.barriers[BarrierId(object)].parties;
    if (parties != 1) text_ += fmt::format("#! barrier {} {}\n", text, parties);
  }
}

void StdWriter::define_location(const Tables& tables, LocationId location,
                                const EventRecord& event) {
  const LocationInfo& row = tables.locations[location];
  const bool size_is_written = event.has_value && !is_atomic(event.kind);
  const bool size_is_known = row.size == 1 || size_is_written;
  if (!row.region.valid() && row.offset == 0 && size_is_known) return;
  std::string line = "#! location " + name(tables, ObjectType::location, location.value());
  if (row.region.valid()) {
    if (!is_named(ObjectType::region, row.region.value())) define_region(tables, row.region);
    line += " region=" + name(tables, ObjectType::region, row.region.value());
  }
  if (row.offset != 0) line += fmt::format(" offset={}", row.offset);
  if (row.size != 1) line += fmt::format(" size={}", row.size);
  text_ += line + '\n';
}

void StdWriter::define_region(const Tables& tables, RegionId region) {
  const RegionInfo& row = tables.regions[region];
  std::string line = "#! region " + name(tables, ObjectType::region, region.value());
  if (row.size == 0 && !row.allocated_at.valid()) return;
  if (row.size != 0) line += fmt::format(" size={}", row.size);
  if (row.allocated_at.valid()) line += " site=" + site(tables, row.allocated_at);
  text_ += line + '\n';
}

bool StdWriter::is_named(ObjectType type, std::uint32_t object) const {
  const Names& names = names_[static_cast<std::size_t>(type)];
  return object < names.of_object.size() && !names.of_object[object].empty();
}

const std::string& StdWriter::name(const Tables& tables, ObjectType type, std::uint32_t object) {
  Names& names = names_[static_cast<std::size_t>(type)];
  if (object >= names.of_object.size()) names.of_object.resize(object + 1);
  std::string& text = names.of_object[object];
  if (!text.empty()) return text;
  text = operand_name(type, tables.given_name(type, object));
  if (text.empty()) text = fmt::format("{}{}", name_of(type), object);
  while (!names.given.insert(text).second) text += fmt::format("#{}", object);
  return text;
}

const std::string& StdWriter::site(const Tables& tables, SiteId id) {
  static const std::string kUnknown = "0";
  if (!id.valid()) return kUnknown;
  if (id.value() >= sites_.size()) sites_.resize(id.value() + 1);
  std::string& text = sites_[id.value()];
  if (text.empty()) text = site_text(tables, tables.sites[id]);
  return text;
}

}  // namespace heddle
