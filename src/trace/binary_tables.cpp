#include "trace/binary_tables.h"

#include <optional>

#include "trace/binary_format.h"
#include "trace/binary_payload.h"

namespace heddle::binary {
namespace {

constexpr std::array<std::string_view, kTableCount> kTableNames = {
    "string",    "site",      "thread",  "region", "location",  "lock",
    "condition", "semaphore", "barrier", "once",   "descriptor"};

// --- One entry of each table: write(), read(), and whether it may stand at `index`.
// `previous` is the entry before it in the same section, or a default one: addresses
// and offsets are stored as distances.

void write(PayloadWriter& out, const Site& site, const Site& previous) {
  out.index(site.file);
  out.number(site.line);
  out.number(site.column);
  out.index(site.function);
  out.number(zigzag(site.address - previous.address));
  out.index(site.caller);
}
bool read(PayloadReader& in, Site& site, const Site& previous) {
  std::uint64_t distance = 0;
  if (!in.index(site.file) || !in.number(site.line) || !in.number(site.column) ||
      !in.index(site.function) || !in.number(distance) || !in.index(site.caller)) {
    return false;
  }
  site.address = previous.address + unzigzag(distance);
  return true;
}

// As versions before kFirstWithLocationRows have them.
bool read(PayloadReader& in, LocationInfo& location, const LocationInfo& previous) {
  std::uint64_t distance = 0;
  if (!in.index(location.name) || !in.index(location.region) || !in.number(distance) ||
      !in.number(location.size)) {
    return false;
  }
  location.offset = previous.offset + unzigzag(distance);
  return true;
}

void write(PayloadWriter& out, const RegionInfo& region, const RegionInfo& previous) {
  out.index(region.name);
  out.number(region.size);
  out.index(region.allocated_at);
  out.number(zigzag(region.number - previous.number));
}
bool read(PayloadReader& in, RegionInfo& region, const RegionInfo& previous) {
  std::uint64_t distance = 0;
  if (!in.index(region.name) || !in.number(region.size) || !in.index(region.allocated_at)) {
    return false;
  }
  if (in.version() >= kFirstWithNumberedRegions && !in.number(distance)) return false;
  region.number = previous.number + unzigzag(distance);
  return true;
}

void write(PayloadWriter& out, const LockInfo& lock, const LockInfo&) {
  out.index(lock.name);
  out.number(static_cast<std::uint64_t>(lock.kind));
}
bool read(PayloadReader& in, LockInfo& lock, const LockInfo&) {
  std::uint8_t kind = 0;
  if (!in.index(lock.name) || !in.number(kind)) return false;
  lock.kind = static_cast<LockKind>(kind);
  return true;
}

void write(PayloadWriter& out, const SemaphoreInfo& semaphore, const SemaphoreInfo&) {
  out.index(semaphore.name);
  out.number(semaphore.initial);
}
bool read(PayloadReader& in, SemaphoreInfo& semaphore, const SemaphoreInfo&) {
  return in.index(semaphore.name) && in.number(semaphore.initial);
}

void write(PayloadWriter& out, const BarrierInfo& barrier, const BarrierInfo&) {
  out.index(barrier.name);
  out.number(barrier.parties);
}
bool read(PayloadReader& in, BarrierInfo& barrier, const BarrierInfo&) {
  return in.index(barrier.name) && in.number(barrier.parties);
}

// Threads, conditions, once-flags and descriptors.
template <typename Named>
void write(PayloadWriter& out, const Named& entry, const Named&) {
  out.index(entry.name);
}
template <typename Named>
bool read(PayloadReader& in, Named& entry, const Named&) {
  return in.index(entry.name);
}

template <typename I, typename SomeTable>
bool none_or_in(I index, const SomeTable& table) {
  return !index.valid() || table.contains(index);
}

bool may_stand(const Tables& tables, std::size_t index, const Site& site) {
  return none_or_in(site.file, tables.strings) && none_or_in(site.function, tables.strings) &&
         (!site.caller.valid() || site.caller.value() < index);
}
bool may_stand(const Tables& tables, std::size_t, const LocationInfo& location) {
  return none_or_in(location.name, tables.strings) && none_or_in(location.region, tables.regions) &&
         ends_in_range(location);
}
bool may_stand(const Tables& tables, std::size_t, const RegionInfo& region) {
  return none_or_in(region.name, tables.strings) && none_or_in(region.allocated_at, tables.sites);
}
bool may_stand(const Tables& tables, std::size_t, const LockInfo& lock) {
  return none_or_in(lock.name, tables.strings) &&
         static_cast<std::size_t>(lock.kind) < kLockKindCount;
}
bool may_stand(const Tables& tables, std::size_t index, const ThreadInfo& thread) {
  return none_or_in(thread.name, tables.strings) && index < kMaxThreads;
}
template <typename Named>
bool may_stand(const Tables& tables, std::size_t, const Named& entry) {
  return none_or_in(entry.name, tables.strings);
}

// --- Whole sections.

// Calls f(number, table) for every table but the strings, in the order of their numbers.
template <typename SomeTables, typename F>
void for_each_table(SomeTables& tables, F f) {
  f(TableNumber::sites, tables.sites);
  f(TableNumber::threads, tables.threads);
  f(TableNumber::regions, tables.regions);
  f(TableNumber::locations, tables.locations);
  f(TableNumber::locks, tables.locks);
  f(TableNumber::conditions, tables.conditions);
  f(TableNumber::semaphores, tables.semaphores);
  f(TableNumber::barriers, tables.barriers);
  f(TableNumber::onces, tables.onces);
  f(TableNumber::descriptors, tables.descriptors);
}

// Where the entries of a section are gathered, since their number comes first.
class Section {
 public:
  Section(TableNumber table, std::size_t first, std::vector<std::uint8_t>& payload)
      : table_(table), first_(first), payload_(payload) {}

  bool full() const { return payload_.size() + entries_.size() >= kDefinitionBytes; }
  std::size_t next() const { return first_ + count_; }
  // One entry, which may stand for several of the table.
  template <typename F>
  void add(F write_entry, std::size_t count = 1) {
    PayloadWriter out(entries_);
    write_entry(out);
    count_ += count;
  }
  void close() {
    if (count_ == 0) return;
    PayloadWriter out(payload_);
    out.number(static_cast<std::uint64_t>(table_));
    out.number(first_);
    out.number(count_);
    payload_.insert(payload_.end(), entries_.begin(), entries_.end());
  }

 private:
  TableNumber table_;
  std::size_t first_;
  std::size_t count_ = 0;
  std::vector<std::uint8_t>& payload_;
  std::vector<std::uint8_t> entries_;
};

std::string_view table_name(TableNumber table) {
  return kTableNames[static_cast<std::size_t>(table) - 1];
}

Error refers_to_nothing(TableNumber table, std::size_t index) {
  return make_error("{} {} refers to something that is not defined before it", table_name(table),
                    index);
}

Result<std::size_t> encode_strings(const StringTable& strings, std::size_t first,
                                   std::vector<std::uint8_t>& payload) {
  Section section(TableNumber::strings, first, payload);
  for (; section.next() < strings.size() && !section.full();) {
    const std::string_view text = strings[StringId(static_cast<std::uint32_t>(section.next()))];
    if (text.size() > kMaxPayload / 2) {
      return make_error("string {} has {} bytes; a trace file holds up to {}", section.next(),
                        text.size(), kMaxPayload / 2);
    }
    section.add([&](PayloadWriter& out) { out.text(text); });
  }
  section.close();
  return section.next();
}

template <typename SomeTable>
Result<std::size_t> encode_table(TableNumber number, const Tables& tables, const SomeTable& table,
                                 std::size_t first, std::vector<std::uint8_t>& payload) {
  Section section(number, first, payload);
  typename SomeTable::value_type previous;
  for (; section.next() < table.size() && !section.full();) {
    const typename SomeTable::index_type index(static_cast<std::uint32_t>(section.next()));
    const auto& entry = table[index];
    if (!may_stand(tables, section.next(), entry)) {
      return refers_to_nothing(number, section.next());
    }
    section.add([&](PayloadWriter& out) { write(out, entry, previous); });
    previous = entry;
  }
  section.close();
  return section.next();
}

// The locations of a row, which stand in one entry: of the same name, region and size, each right
// behind the one before it. A program that walks through an array meets them like that.
bool continues(const LocationInfo& location, const LocationInfo& before) {
  return location.name == before.name && location.region == before.region &&
         location.size == before.size && location.offset == before.offset + before.size;
}

// Of how many of these the first row is.
std::size_t row_length(std::span<const LocationInfo> locations) {
  std::size_t length = 1;
  while (length < locations.size() && continues(locations[length], locations[length - 1]) &&
         ends_in_range(locations[length])) {
    ++length;
  }
  return length;
}

using LocationTable = ForgettingTable<LocationId, LocationInfo>;

Result<std::size_t> encode_table(TableNumber number, const Tables& tables,
                                 const LocationTable& table, std::size_t first,
                                 std::vector<std::uint8_t>& payload) {
  const std::size_t end = std::min(table.size(), first + kBlockLocations);
  Section section(number, first, payload);
  std::uint64_t expected = 0;  // the offset behind the last one
  while (section.next() < end && !section.full()) {
    const LocationInfo& location = table[LocationId(static_cast<std::uint32_t>(section.next()))];
    if (!may_stand(tables, section.next(), location)) {
      return refers_to_nothing(number, section.next());
    }
    const std::size_t length = row_length({&location, end - section.next()});
    section.add(
        [&](PayloadWriter& out) {
          out.index(location.name);
          out.index(location.region);
          out.number(zigzag(location.offset - expected));
          out.number(location.size);
          out.number(length - 1);
        },
        length);
    expected = location.offset + length * location.size;
  }
  section.close();
  return section.next();
}

}  // namespace

Result<void> DefinitionEncoder::encode_some(const Tables& tables,
                                            std::vector<std::uint8_t>& payload) {
  TRY(done_[0], encode_strings(tables.strings, done_[0], payload));
  if (done_[0] < tables.strings.size()) return {};
  Result<void> result;
  for_each_table(tables, [&](TableNumber number, const auto& table) {
    std::size_t& done = done_[static_cast<std::size_t>(number) - 1];
    if (!result.ok() || done == table.size() || payload.size() >= kDefinitionBytes) return;
    auto encoded = encode_table(number, tables, table, done, payload);
    if (encoded.ok()) {
      done = *encoded;
    } else {
      result = encoded.error();
    }
  });
  return result;
}

namespace {

struct SectionHeader {
  std::uint8_t table = 0;
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

Error broken(const SectionHeader& section, std::size_t index) {
  return make_error("its entry for {} {} breaks off",
                    table_name(static_cast<TableNumber>(section.table)), index);
}

Result<void> decode_strings(PayloadReader& in, const SectionHeader& section, Tables& tables) {
  for (std::uint64_t i = 0; i < section.count; ++i) {
    const std::size_t index = tables.strings.size();
    std::string_view text;
    if (!in.text(text)) return broken(section, index);
    tables.strings.intern(text);
    if (tables.strings.size() == index) return make_error("it defines string {} again", index);
  }
  return {};
}

Error refers_to_nothing(const SectionHeader& section, std::size_t index) {
  return make_error("its entry for {} {} refers to something that is not defined",
                    table_name(static_cast<TableNumber>(section.table)), index);
}

template <typename SomeTable>
Result<void> decode_table(PayloadReader& in, const SectionHeader& section, const Tables& tables,
                          SomeTable& table) {
  typename SomeTable::value_type previous;
  for (std::uint64_t i = 0; i < section.count; ++i) {
    typename SomeTable::value_type entry;
    if (!read(in, entry, previous)) return broken(section, table.size());
    if (!may_stand(tables, table.size(), entry)) {
      return refers_to_nothing(section, table.size());
    }
    table.add(entry);
    previous = entry;
  }
  return {};
}

// Rows of locations; the table has room for `limit` entries.
Result<void> decode_locations(PayloadReader& in, const SectionHeader& section, std::size_t limit,
                              Tables& tables) {
  auto& table = tables.locations;
  if (section.count > limit - table.size()) {
    return make_error("its block defines more than {} locations", kBlockLocations);
  }
  const std::size_t end = table.size() + section.count;
  std::uint64_t expected = 0;
  while (table.size() < end) {
    LocationInfo location;
    std::uint64_t distance = 0;
    std::uint64_t more = 0;
    if (!in.index(location.name) || !in.index(location.region) || !in.number(distance) ||
        !in.number(location.size) || !in.number(more) || more >= end - table.size()) {
      return broken(section, table.size());
    }
    location.offset = expected + unzigzag(distance);
    for (std::uint64_t i = 0; i <= more; ++i) {
      if (!may_stand(tables, table.size(), location)) {
        return refers_to_nothing(section, table.size());
      }
      table.add(location);
      location.offset += location.size;
    }
    expected = location.offset;
  }
  return {};
}

Result<void> check_first(const SectionHeader& section, std::size_t defined) {
  if (section.first == defined) return {};
  return make_error("it goes on with {} {}, but {} are defined",
                    table_name(static_cast<TableNumber>(section.table)), section.first, defined);
}

Result<void> decode_section(PayloadReader& in, const SectionHeader& section,
                            std::size_t location_limit, Tables& tables) {
  if (section.table == static_cast<std::uint8_t>(TableNumber::strings)) {
    TRY_VOID(check_first(section, tables.strings.size()));
    return decode_strings(in, section, tables);
  }
  if (section.table == static_cast<std::uint8_t>(TableNumber::locations) &&
      in.version() >= kFirstWithLocationRows) {
    TRY_VOID(check_first(section, tables.locations.size()));
    return decode_locations(in, section, location_limit, tables);
  }
  std::optional<Result<void>> result;
  for_each_table(tables, [&](TableNumber number, auto& table) {
    if (section.table != static_cast<std::uint8_t>(number)) return;
    result = check_first(section, table.size());
    if (result->ok()) result = decode_table(in, section, tables, table);
  });
  if (!result) return make_error("it has a section for the unknown table {}", section.table);
  return *result;
}

}  // namespace

Result<void> decode_definitions(std::span<const std::uint8_t> payload, std::uint16_t version,
                                Tables& tables) {
  PayloadReader in(payload, version);
  const std::size_t location_limit = tables.locations.size() + kBlockLocations;
  while (!in.at_end()) {
    SectionHeader section;
    if (!in.number(section.table) || !in.number(section.first) || !in.number(section.count)) {
      return make_error("a section's header breaks off");
    }
    TRY_VOID(decode_section(in, section, location_limit, tables));
  }
  return {};
}

}  // namespace heddle::binary
