#include "tests/trace/random_records.h"

namespace heddle {
namespace {

std::uint32_t below(std::mt19937_64& random, std::size_t bound) {
  return static_cast<std::uint32_t>(random() % bound);
}

EventKind random_kind(std::mt19937_64& random) {
  for (;;) {
    const auto kind = static_cast<EventKind>(below(random, kEventKindCount));
    const bool shortens =
        kind == EventKind::exit || kind == EventKind::end || kind == EventKind::join;
    if (!shortens || below(random, 12) == 0) return kind;
  }
}

std::uint8_t random_detail(EventKind kind, std::mt19937_64& random) {
  if (below(random, 50) == 0) return static_cast<std::uint8_t>(below(random, 8));
  switch (info(kind).detail) {
    case DetailType::none:
      return 0;
    case DetailType::memory_order:
      return static_cast<std::uint8_t>(below(random, kMemoryOrderCount));
    case DetailType::tried:
    case DetailType::serial:
      return static_cast<std::uint8_t>(below(random, 2));
  }
  return 0;
}

}  // namespace

Tables tables_for_random_records() {
  Tables tables;
  for (const char* name : {"T1", "T2", "T3", "T4"}) {
    tables.threads.add({tables.strings.intern(name)});
  }
  tables.locks.add({.kind = LockKind::mutex});
  tables.locks.add({.kind = LockKind::recursive});
  tables.locks.add({.kind = LockKind::readers_writer});
  for (int i = 0; i < 5; ++i) tables.regions.add({});
  tables.locations.add({});
  for (const std::uint32_t region : {0u, 0u, 1u, 2u, 3u, 4u}) {
    tables.locations.add({.region = RegionId(region), .offset = 0, .size = 8});
    tables.locations.add({.region = RegionId(region), .offset = 4, .size = 4});
    tables.locations.add({.region = RegionId(region), .offset = 3, .size = 2});
  }
  for (int i = 0; i < 2; ++i) tables.conditions.add({});
  tables.semaphores.add({.initial = 1});
  tables.barriers.add({.parties = 2});
  tables.barriers.add({.parties = 1});
  for (int i = 0; i < 3; ++i) tables.onces.add({});
  tables.descriptors.add({});
  return tables;
}

EventRecord random_record(const Tables& tables, std::mt19937_64& random) {
  EventRecord event;
  event.kind = random_kind(random);
  event.detail = random_detail(event.kind, random);
  event.thread = ThreadId(below(random, tables.threads.size()));
  const ObjectType type = object_type(event.kind);
  if (type != ObjectType::none) event.object = below(random, tables.object_count(type));
  if (event.kind == EventKind::wait) event.lock = LockId(below(random, tables.locks.size()));
  if (type == ObjectType::location && below(random, 2) == 0) {
    event.has_value = true;
    event.value = below(random, 2);
    if (event.kind == EventKind::atomic_rmw) event.old_value = below(random, 2);
  }
  return event;
}

}  // namespace heddle
