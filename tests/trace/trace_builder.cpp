#include "tests/trace/trace_builder.h"

#include <map>
#include <sstream>

#include "base/check.h"

namespace heddle {
namespace {

using Words = std::vector<std::string>;

Words words_of(const std::string& line) {
  std::istringstream in(line);
  Words words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

std::uint32_t number(const std::string& word) {
  return static_cast<std::uint32_t>(std::stoul(word));
}

class Builder {
 public:
  void add(const Words& words) {
    if (!declare(words)) add_event(words);
  }
  Trace trace;

 private:
  template <typename TableType>
  std::uint32_t find_or_add(TableType& table, const std::string& name) {
    for (std::uint32_t i = 0; i < table.size(); ++i) {
      if (trace.tables.strings[(table.begin() + i)->name] == name) return i;
    }
    typename TableType::value_type item;
    item.name = trace.tables.strings.intern(name);
    return table.add(item).value();
  }

  std::uint32_t object(ObjectType type, const std::string& name) {
    Tables& tables = trace.tables;
    switch (type) {
      case ObjectType::location: return find_or_add(tables.locations, name);
      case ObjectType::region: return find_or_add(tables.regions, name);
      case ObjectType::lock: return find_or_add(tables.locks, name);
      case ObjectType::thread: return find_or_add(tables.threads, name);
      case ObjectType::condition: return find_or_add(tables.conditions, name);
      case ObjectType::semaphore: return find_or_add(tables.semaphores, name);
      case ObjectType::barrier: return find_or_add(tables.barriers, name);
      case ObjectType::once: return find_or_add(tables.onces, name);
      case ObjectType::descriptor: return find_or_add(tables.descriptors, name);
      case ObjectType::none: return 0;
    }
    return 0;
  }

  bool declare(const Words& words) {
    Tables& tables = trace.tables;
    if (words[0] == "lock") {
      tables.locks[LockId(object(ObjectType::lock, words[1]))].kind = *lock_kind_named(words[2]);
    } else if (words[0] == "semaphore") {
      const SemaphoreId id(object(ObjectType::semaphore, words[1]));
      tables.semaphores[id].initial = number(words[2]);
    } else if (words[0] == "barrier") {
      const BarrierId id(object(ObjectType::barrier, words[1]));
      tables.barriers[id].parties = number(words[2]);
    } else if (words[0] == "location") {
      LocationInfo& location = tables.locations[LocationId(object(ObjectType::location, words[1]))];
      location.region = RegionId(object(ObjectType::region, words[2]));
      location.offset = number(words[3]);
      location.size = number(words[4]);
    } else {
      return false;
    }
    return true;
  }

  void add_event(const Words& words) {
    EventRecord event;
    event.thread = ThreadId(object(ObjectType::thread, words[0]));
    event.kind = kind_of(words[1]);
    std::size_t next = 2;
    if (object_type(event.kind) != ObjectType::none) {
      event.object = object(object_type(event.kind), words.at(next++));
    }
    for (; next < words.size(); ++next) add_detail(event, words[next]);
    trace.append(event);
  }

  static EventKind kind_of(const std::string& std_name) {
    for (const EventKindInfo& row : kEventKinds) {
      if (row.std_name == std_name) return row.kind;
    }
    CHECK(false, "no kind of event is called {}", std_name);
  }

  void add_detail(EventRecord& event, const std::string& word) {
    if (word == "tried" || word == "serial") {
      event.detail = 1;
    } else if (const auto order = memory_order_named(word)) {
      event.detail = static_cast<std::uint8_t>(*order);
    } else if (word.starts_with("old=")) {
      event.old_value = number(word.substr(4));
    } else if (word.starts_with("=")) {
      event.has_value = true;
      event.value = number(word.substr(1));
    } else {
      event.lock = LockId(object(ObjectType::lock, word));
    }
  }
};

}  // namespace

Trace trace_of(const std::vector<std::string>& lines) {
  Builder builder;
  for (const std::string& line : lines) builder.add(words_of(line));
  return std::move(builder.trace);
}

std::vector<EventId> events(std::initializer_list<std::uint32_t> numbers) {
  std::vector<EventId> result;
  for (std::uint32_t n : numbers) result.push_back(EventId(n));
  return result;
}

}  // namespace heddle
