// The tables of a trace: what its events' numbers stand for.
//
// Each type of object has an id space and a table of its own. Tables only grow, so a
// reader can fill them while a writer that looks at the same tables follows behind.
// Two objects of one type may have the same name (two locals called `i`); the id is
// what tells them apart.
//
// Locations and regions come as long as a program runs; a recorder forgets those that are
// written (BinaryWriter::forget_written).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/forgetting_table.h"
#include "base/index.h"
#include "base/string_table.h"
#include "trace/event.h"

namespace heddle {

// A place in the source, with the call that led there: sites of one stack share their
// callers. Traces from other tools may know only a number (line alone), an address or
// a word (file alone).
struct Site {
  StringId file = StringId::none();
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  StringId function = StringId::none();
  std::uint64_t address = 0;
  SiteId caller = SiteId::none();
  friend bool operator==(const Site&, const Site&) = default;
};

struct ThreadInfo {
  StringId name = StringId::none();
  friend bool operator==(const ThreadInfo&, const ThreadInfo&) = default;
};

// Bytes [offset, offset + size) of a region; without a region, a place of its own that
// overlaps nothing. A region that is freed and allocated again is two regions.
struct LocationInfo {
  StringId name = StringId::none();
  RegionId region = RegionId::none();
  std::uint64_t offset = 0;
  std::uint32_t size = 1;
  friend bool operator==(const LocationInfo&, const LocationInfo&) = default;
};

// Whether the byte behind the location still has an offset.
constexpr bool ends_in_range(const LocationInfo& location) {
  return location.offset <= ~std::uint64_t{0} - location.size;
}

// Many regions may share a name and be told apart by a number, which is read where the name has
// a '#': number 7 of "heap block # of main" is "heap block #7 of main".
struct RegionInfo {
  StringId name = StringId::none();
  std::uint64_t size = 0;  // 0 when unknown
  SiteId allocated_at = SiteId::none();
  std::uint64_t number = 0;  // 0: none
  friend bool operator==(const RegionInfo&, const RegionInfo&) = default;
};

enum class LockKind : std::uint8_t { mutex, recursive, readers_writer };
inline constexpr std::size_t kLockKindCount = 3;

struct LockInfo {
  StringId name = StringId::none();
  LockKind kind = LockKind::mutex;
  friend bool operator==(const LockInfo&, const LockInfo&) = default;
};

struct SemaphoreInfo {
  StringId name = StringId::none();
  std::uint32_t initial = 0;
  friend bool operator==(const SemaphoreInfo&, const SemaphoreInfo&) = default;
};

struct BarrierInfo {
  StringId name = StringId::none();
  std::uint32_t parties = 1;
  friend bool operator==(const BarrierInfo&, const BarrierInfo&) = default;
};

// Conditions, once-flags and descriptors have nothing but a name.
struct NamedInfo {
  StringId name = StringId::none();
  friend bool operator==(const NamedInfo&, const NamedInfo&) = default;
};

// A thread number has to fit into 20 bits (see Trace).
inline constexpr std::size_t kMaxThreads = std::size_t{1} << 20;

struct Tables {
  StringTable strings;
  Table<SiteId, Site> sites;
  Table<ThreadId, ThreadInfo> threads;
  ForgettingTable<LocationId, LocationInfo> locations;
  ForgettingTable<RegionId, RegionInfo> regions;
  Table<LockId, LockInfo> locks;
  Table<ConditionId, NamedInfo> conditions;
  Table<SemaphoreId, SemaphoreInfo> semaphores;
  Table<BarrierId, BarrierInfo> barriers;
  Table<OnceId, NamedInfo> onces;
  Table<DescriptorId, NamedInfo> descriptors;

  std::size_t object_count(ObjectType type) const;
  // The name that the object was given; empty when it was given none.
  std::string given_name(ObjectType type, std::uint32_t object) const;
  std::string given_name(const RegionInfo& region) const;
  // A name to print: the given one, or "heap block #3 of main, allocated at bank.cpp:31 +16"
  // for a location whose region has one, or "lock 3".
  std::string describe(ObjectType type, std::uint32_t object) const;
  // So many bytes behind the start of a region that has a name.
  std::string describe_part(const RegionInfo& region, std::uint64_t offset) const;
  std::string describe(ThreadId thread) const {
    return describe(ObjectType::thread, thread.value());
  }
  // "bank.cpp:31", "12", "0x4011d2", or "?" when unknown.
  std::string describe(SiteId id) const;
  // Whether it is in code of the system's libraries: their headers, or without a line.
  bool in_library(SiteId id) const;
  // The site, or its innermost caller that is not in a library.
  SiteId outside_libraries(SiteId id) const;

  // Gives back what the tables hold beyond their size.
  void shrink();
  std::size_t memory_bytes() const;
  friend bool operator==(const Tables&, const Tables&) = default;
};

std::string_view name_of(LockKind kind);
std::optional<LockKind> lock_kind_named(std::string_view name);

}  // namespace heddle
