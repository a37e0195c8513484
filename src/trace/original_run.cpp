#include "trace/original_run.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "base/check.h"

namespace heddle {
namespace {

std::uint64_t end_of(const LocationInfo& location) {
  const std::uint64_t end = location.offset + location.size;
  return end < location.offset ? std::numeric_limits<std::uint64_t>::max() : end;
}

constexpr std::uint64_t kBitsPerByte = 8;
constexpr std::uint64_t kBytesOfValue = 8;

}  // namespace

OriginalRun::OriginalRun(const Trace& trace)
    : trace_(&trace),
      events_of_(trace.tables.threads.size()),
      index_in_thread_(trace.size()),
      fork_of_(trace.tables.threads.size()),
      alloc_of_(trace.tables.regions.size()),
      free_of_(trace.tables.regions.size()),
      last_io_(trace.tables.descriptors.size()),
      previous_io_(trace.size()),
      reports_serial_(trace.tables.barriers.size(), false),
      pieces_of_(trace.tables.locations.size()),
      seen_(trace.size()) {
  cut_into_pieces();
  last_write_.resize(piece_count_, kInitialWrite);
  for (EventId e : trace.events()) {
    note_order(e);
    note_object(e);
    if (is_access(trace.kind(e))) note_memory(e);
  }
}

void OriginalRun::cut_into_pieces() {
  std::map<RegionId, std::vector<LocationId>> locations_of;
  for (LocationId l : indices(trace_->tables.locations)) {
    const RegionId region = trace_->tables.locations[l].region;
    if (region.valid()) {
      locations_of[region].push_back(l);
    } else {
      pieces_of_[l].push_back(piece_bytes_.add({0, 0}));
    }
  }
  for (const auto& [region, locations] : locations_of) cut_region(locations);
  piece_count_ = piece_bytes_.size();
}

void OriginalRun::cut_region(const std::vector<LocationId>& locations) {
  std::vector<std::uint64_t> cuts;
  for (LocationId l : locations) {
    cuts.push_back(trace_->tables.locations[l].offset);
    cuts.push_back(end_of(trace_->tables.locations[l]));
  }
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  const std::uint32_t first = piece_bytes_.end_index().value();
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) piece_bytes_.add({cuts[i], cuts[i + 1]});
  for (LocationId l : locations) {
    const LocationInfo& location = trace_->tables.locations[l];
    auto cut = std::lower_bound(cuts.begin(), cuts.end(), location.offset);
    for (; *cut < end_of(location); ++cut) {
      pieces_of_[l].push_back(PieceId(first + static_cast<std::uint32_t>(cut - cuts.begin())));
    }
  }
}

void OriginalRun::note_order(EventId e) {
  const ThreadId thread = trace_->thread(e);
  CHECK(events_of_.contains(thread), "event {} is of an unknown thread", e.value());
  index_in_thread_[e] = static_cast<std::uint32_t>(events_of_[thread].size());
  events_of_[thread].push_back(e);
}

void OriginalRun::note_object(EventId e) {
  const EventKind kind = trace_->kind(e);
  const ObjectType type = object_type(kind);
  CHECK(type == ObjectType::none || trace_->object(e) < trace_->tables.object_count(type),
        "event {} is about an unknown {}", e.value(), name_of(type));
  if (kind == EventKind::fork) fork_of_[trace_->other_thread(e)] = e;
  if (kind == EventKind::alloc) alloc_of_[trace_->region(e)] = e;
  if (kind == EventKind::free) free_of_[trace_->region(e)] = e;
  if (kind == EventKind::barrier_leave && trace_->detail(e) != 0) {
    reports_serial_[trace_->barrier(e)] = true;
  }
  if (kind == EventKind::io) {
    previous_io_[e] = std::exchange(last_io_[trace_->descriptor(e)], e);
  }
}

void OriginalRun::note_memory(EventId e) {
  const std::vector<PieceId>& pieces = pieces_of(trace_->location(e));
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (reads(trace_->kind(e))) {
      seen_[e].push_back(last_write_[pieces[i]]);
      if (seen_[e][i] == kInitialWrite || !trace_->value(seen_[e][i])) {
        note_value_left(seen_[e][i], pieces[i], value_seen(e, i));
      }
    }
    if (writes(trace_->kind(e))) {
      last_write_[pieces[i]] = e;
      note_value_left(e, pieces[i], part(trace_->location(e), i, trace_->value(e)));
    }
  }
}

// Two reads that disagree about one write saw something that the trace does not show;
// then the value is not known.
void OriginalRun::note_value_left(EventId write, PieceId piece,
                                  std::optional<std::uint64_t> value) {
  if (!value) return;
  const auto [known, is_new] = values_left_.emplace(std::pair(write, piece), value);
  if (!is_new && known->second != value) known->second.reset();
}

// The bytes of a location's value that lie in its i-th piece; values are little-endian.
std::optional<std::uint64_t> OriginalRun::part(LocationId l, std::size_t i,
                                               std::optional<std::uint64_t> value) const {
  const LocationInfo& location = trace_->tables.locations[l];
  if (!value || !location.region.valid()) return value;
  if (location.size > kBytesOfValue) return std::nullopt;
  const auto& [from, to] = piece_bytes_[pieces_of_[l][i]];
  const std::uint64_t shifted = *value >> kBitsPerByte * (from - location.offset);
  if (to - from >= kBytesOfValue) return shifted;
  return shifted & ((std::uint64_t{1} << kBitsPerByte * (to - from)) - 1);
}

LocationId OriginalRun::location_of(EventId e) const {
  return trace_->is_final_read(e) ? trace_->location_of_final_read(e) : trace_->location(e);
}

EventId OriginalRun::seen(EventId read, std::size_t i) const {
  if (!trace_->is_final_read(read)) return seen_[read][i];
  return last_write_[pieces_of(location_of(read))[i]];
}

std::optional<std::uint64_t> OriginalRun::value_seen(EventId read, std::size_t i) const {
  if (trace_->is_final_read(read)) return std::nullopt;
  return part(trace_->location(read), i, trace_->value_read(read));
}

std::optional<std::uint64_t> OriginalRun::value_left(EventId write, PieceId piece) const {
  const auto known = values_left_.find({write, piece});
  return known != values_left_.end() ? known->second : std::nullopt;
}

std::string OriginalRun::describe(EventId e) const {
  if (e == kInitialWrite) return "the initial write";
  const Tables& tables = trace_->tables;
  if (trace_->is_final_read(e)) {
    return fmt::format("the final read of {}",
                       tables.describe(ObjectType::location, location_of(e).value()));
  }
  const EventKindInfo& kind = info(trace_->kind(e));
  const std::string thread = tables.describe(trace_->thread(e));
  if (kind.object == ObjectType::none) {
    return fmt::format("event {} ({} {})", e.value(), thread, kind.std_name);
  }
  return fmt::format("event {} ({} {} {})", e.value(), thread, kind.std_name,
                     tables.describe(kind.object, trace_->object(e)));
}

}  // namespace heddle
