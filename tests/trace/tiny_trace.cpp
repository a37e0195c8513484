#include "tests/trace/tiny_trace.h"

#include <algorithm>
#include <charconv>
#include <sstream>

#include <fmt/format.h>

#include "base/check.h"

namespace heddle {
namespace {

using Words = std::vector<std::string>;

Words words_of(const std::string& line) {
  std::istringstream stream(line);
  Words words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::uint64_t number(std::string_view text) {
  std::uint64_t value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value).ptr;
  CHECK(end == text.data() + text.size(), "not a number: {}", text);
  return value;
}

EventKind kind_of(std::string_view std_name) {
  for (const EventKindInfo& row : kEventKinds) {
    if (row.std_name == std_name) return row.kind;
  }
  CHECK(false, "no such operation: {}", std_name);
  return EventKind::branch;
}

// The object of that name; one with these properties is added when there is none.
template <typename Table, typename Info = typename Table::value_type>
std::uint32_t named(Tables& tables, Table& table, std::string_view name, Info info = {}) {
  info.name = tables.strings.intern(name);
  for (const auto id : indices(table)) {
    if (table[id].name == info.name) return id.value();
  }
  return table.add(info).value();
}

std::uint32_t object_named(Tables& tables, ObjectType type, std::string_view name) {
  switch (type) {
    case ObjectType::none: return 0;
    case ObjectType::location: return named(tables, tables.locations, name);
    case ObjectType::region: return named(tables, tables.regions, name);
    case ObjectType::lock: return named(tables, tables.locks, name);
    case ObjectType::thread: return named(tables, tables.threads, name);
    case ObjectType::condition: return named(tables, tables.conditions, name);
    case ObjectType::semaphore: return named(tables, tables.semaphores, name);
    case ObjectType::barrier: return named(tables, tables.barriers, name);
    case ObjectType::once: return named(tables, tables.onces, name);
    case ObjectType::descriptor: return named(tables, tables.descriptors, name);
  }
  return 0;
}

void define(Tables& tables, const Words& words) {
  const std::string& type = words.at(1);
  const std::string& name = words.at(2);
  if (type == "lock") {
    named(tables, tables.locks, name, LockInfo{.kind = *lock_kind_named(words.at(3))});
  } else if (type == "semaphore") {
    const auto initial = static_cast<std::uint32_t>(number(words.at(3)));
    named(tables, tables.semaphores, name, SemaphoreInfo{.initial = initial});
  } else if (type == "barrier") {
    const auto parties = static_cast<std::uint32_t>(number(words.at(3)));
    named(tables, tables.barriers, name, BarrierInfo{.parties = parties});
  } else {
    CHECK(type == "location", "no such type: {}", type);
    const RegionId region(named(tables, tables.regions, words.at(3)));
    const auto size = static_cast<std::uint32_t>(number(words.at(5)));
    named(tables, tables.locations, name,
          LocationInfo{.region = region, .offset = number(words.at(4)), .size = size});
  }
}

void add_property(EventRecord& event, const std::string& word) {
  if (word.starts_with("=")) {
    event.has_value = true;
    event.value = number(std::string_view(word).substr(1));
  } else if (word.starts_with("was=")) {
    event.old_value = number(std::string_view(word).substr(4));
  } else if (word == "tried" || word == "serial") {
    event.detail = 1;
  } else {
    const auto order = memory_order_named(word);
    CHECK(order, "what is {}?", word);
    event.detail = static_cast<std::uint8_t>(*order);
  }
}

EventRecord parse_event(Tables& tables, const Words& words) {
  EventRecord event;
  event.thread = ThreadId(object_named(tables, ObjectType::thread, words.at(0)));
  event.kind = kind_of(words.at(1));
  std::size_t next = 2;
  if (object_type(event.kind) != ObjectType::none) {
    event.object = object_named(tables, object_type(event.kind), words.at(next++));
  }
  if (event.kind == EventKind::wait) {
    event.lock = LockId(object_named(tables, ObjectType::lock, words.at(next++)));
  }
  if (info(event.kind).detail == DetailType::memory_order) {
    event.detail = static_cast<std::uint8_t>(MemoryOrder::seq_cst);
  }
  for (; next < words.size(); ++next) add_property(event, words[next]);
  return event;
}

std::string detail_text(const EventRecord& event) {
  const DetailType type = info(event.kind).detail;
  if (type == DetailType::memory_order) {
    return event.order() == MemoryOrder::seq_cst ? "" : fmt::format(" {}", name_of(event.order()));
  }
  if (event.detail == 0) return "";
  return type == DetailType::serial ? " serial" : " tried";
}

std::string event_text(const Tables& tables, const EventRecord& event) {
  std::string text = fmt::format("{} {}", tables.describe(event.thread), info(event.kind).std_name);
  const ObjectType type = object_type(event.kind);
  if (type != ObjectType::none) text += fmt::format(" {}", tables.describe(type, event.object));
  if (event.kind == EventKind::wait) {
    text += fmt::format(" {}", tables.describe(ObjectType::lock, event.lock.value()));
  }
  text += detail_text(event);
  if (event.has_value) text += fmt::format(" ={}", event.value);
  if (event.has_value && event.kind == EventKind::atomic_rmw) {
    text += fmt::format(" was={}", event.old_value);
  }
  return text;
}

}  // namespace

Trace tiny_trace(std::string_view text) {
  Trace trace;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    const Words words = words_of(line);
    if (words.empty()) continue;
    if (words.front() == "#") {
      define(trace.tables, words);
    } else {
      trace.append(parse_event(trace.tables, words));
    }
  }
  return trace;
}

std::string tiny_text(const Trace& trace) {
  std::string text;
  for (const EventId e : trace.events()) text += event_text(trace.tables, trace.record(e)) + "\n";
  return text;
}

RecordSource::RecordSource(Trace trace, std::size_t batch_size) : batch_size_(batch_size) {
  for (const EventId e : trace.events()) events_.push_back(trace.record(e));
  tables_ = std::move(trace.tables);
  metadata_ = std::move(trace.metadata);
}

RecordSource::RecordSource(Tables tables, std::vector<EventRecord> events, std::size_t batch_size)
    : events_(std::move(events)), batch_size_(batch_size) {
  tables_ = std::move(tables);
}

Result<void> RecordSource::next(std::vector<EventRecord>& batch) {
  first_ = next_;
  next_ = std::min(events_.size(), first_ + batch_size_);
  batch.assign(events_.begin() + static_cast<std::ptrdiff_t>(first_),
               events_.begin() + static_cast<std::ptrdiff_t>(next_));
  return {};
}

std::string RecordSource::where(std::size_t i) const {
  return fmt::format("line {}", first_ + i + 1);
}

}  // namespace heddle
