#include "tests/trace/random_records.h"

namespace heddle {
namespace {

// What makes a trace short.
bool shortens(EventKind kind) {
  return kind == EventKind::exit || kind == EventKind::end || kind == EventKind::join;
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
  for (const std::uint32_t region : {0u, 0u, 1u, 2u}) {
    tables.locations.add({.region = RegionId(region), .offset = 0, .size = 8});
    tables.locations.add({.region = RegionId(region), .offset = 4, .size = 4});
    tables.locations.add({.region = RegionId(region), .offset = 0, .size = 7});
    tables.locations.add({.region = RegionId(region), .offset = 6, .size = 1});
  }
  for (int i = 0; i < 2; ++i) tables.conditions.add({});
  tables.semaphores.add({.initial = 1});
  tables.barriers.add({.parties = 2});
  tables.barriers.add({.parties = 1});
  for (int i = 0; i < 3; ++i) tables.onces.add({});
  tables.descriptors.add({});
  return tables;
}

RandomRecords::RandomRecords(const Tables& tables, std::uint64_t seed)
    : tables_(&tables), random_(seed) {
  const auto types = random_() | 1u << static_cast<unsigned>(ObjectType::lock);
  for (const EventKindInfo& row : kEventKinds) {
    if ((types >> static_cast<unsigned>(row.object) & 1) != 0) kinds_.push_back(row.kind);
  }
}

EventKind RandomRecords::kind() {
  for (;;) {
    const EventKind kind = kinds_[below(kinds_.size())];
    if (!shortens(kind) || below(20) == 0) return kind;
  }
}

std::uint8_t RandomRecords::detail(EventKind kind) {
  if (below(50) == 0) return static_cast<std::uint8_t>(below(8));
  switch (info(kind).detail) {
    case DetailType::none: return 0;
    case DetailType::memory_order: return static_cast<std::uint8_t>(below(kMemoryOrderCount));
    case DetailType::tried:
    case DetailType::serial: return static_cast<std::uint8_t>(below(2));
  }
  return 0;
}

EventRecord RandomRecords::next() {
  EventRecord event;
  event.kind = kind();
  event.detail = detail(event.kind);
  event.thread = ThreadId(below(tables_->threads.size()));
  const ObjectType type = object_type(event.kind);
  if (type != ObjectType::none) event.object = below(tables_->object_count(type));
  if (event.kind == EventKind::wait) event.lock = LockId(below(tables_->locks.size()));
  if (type == ObjectType::location && below(2) == 0) {
    event.has_value = true;
    event.value = below(2);
    if (event.kind == EventKind::atomic_rmw) event.old_value = below(2);
  }
  return event;
}

std::vector<EventRecord> RandomRecords::next(std::size_t count) {
  std::vector<EventRecord> events(count);
  for (EventRecord& event : events) event = next();
  return events;
}

}  // namespace heddle
