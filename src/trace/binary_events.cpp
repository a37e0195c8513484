#include "trace/binary_events.h"

#include <algorithm>
#include <utility>

#include "base/varint.h"
#include "trace/binary_payload.h"

namespace heddle::binary {
namespace {

// The most bytes that one event can take in each column.
constexpr std::array<std::size_t, kColumnCount> kWidest = {
    2 * kMaxVarint<std::uint32_t>, kMaxVarint<std::uint32_t>, 1, 1, kMaxVarint<std::uint32_t>,
    2 * kMaxVarint<std::uint64_t>, kMaxVarint<std::uint32_t>};

// By kind, as arrays of their own: the table of kinds is too wide for the inner loops.
constexpr auto kHasObject = [] {
  std::array<bool, kKindMask + 1> table{};
  for (const EventKindInfo& row : kEventKinds) {
    table[static_cast<std::size_t>(row.kind)] = row.object != ObjectType::none;
  }
  return table;
}();

std::uint8_t head_of(const EventRecord& event) {
  return static_cast<std::uint8_t>(static_cast<unsigned>(event.kind) |
                                   (event.has_value ? kHasValue : 0u) |
                                   (event.detail != 0 ? kHasDetail : 0u));
}

// Replaces the prediction by what came, and gives the code for the difference.
template <typename T>
T surprise(T& prediction, T actual) {
  return zigzag<T>(actual - std::exchange(prediction, actual));
}

}  // namespace

// Room for the widest events that there can be, so that adding them needs no checks.
void EventEncoder::make_room(std::size_t events) {
  for (std::size_t i = 0; i < kColumnCount; ++i) {
    ends_[i] = columns_[i].extend((events + 1) * kWidest[i]);
  }
}

void EventEncoder::give_back_room() {
  for (std::size_t i = 0; i < kColumnCount; ++i) {
    columns_[i].resize(static_cast<std::size_t>(ends_[i] - columns_[i].data()));
  }
}

void EventEncoder::add(std::span<const EventRecord> events) {
  CHECK(size_ + events.size() <= kBlockEvents);
  make_room(events.size());
  for (std::size_t first = 0; first < events.size();) {
    std::size_t last = first + 1;
    while (last < events.size() && events[last].thread == events[first].thread) ++last;
    add_run(events.subspan(first, last - first));
    first = last;
  }
  give_back_room();
}

void EventEncoder::add_run(std::span<const EventRecord> events) {
  const std::uint32_t thread = events.front().thread.value();
  if (thread != run_thread_) end_run();
  run_thread_ = thread;
  run_length_ += static_cast<std::uint32_t>(events.size());
  size_ += events.size();

  Predictions& p = predictions_;
  auto [threads, sites, heads, details, objects, values, locks] = ends_;
  std::uint32_t& last_site = p.last_site[Predictions::slot(thread)];
  for (const EventRecord& event : events) {
    const std::uint32_t site = site_code(event.site);
    std::uint32_t& next_site = p.next_site[Predictions::slot(last_site)];
    sites = put_varint(sites, surprise(next_site, site));
    last_site = site;
    const std::uint32_t place = Predictions::place(site, thread);
    const std::uint8_t head = head_of(event);
    *heads++ = head ^ std::exchange(p.head[place], head);
    if (event.detail != 0) *details++ = event.detail;
    if (kHasObject[static_cast<std::size_t>(event.kind)]) {
      objects = put_varint(objects, surprise(p.object[place], event.object));
    }
    if (event.has_value) {
      std::uint64_t value = p.expected_value(event.object, place);
      if (event.kind == EventKind::atomic_rmw) {
        values = put_varint(values, surprise(value, event.old_value));
      }
      values = put_varint(values, surprise(value, event.value));
      p.set_value(event.object, place, event.value);
    }
    if (event.kind == EventKind::wait) locks = put_varint(locks, event.lock.value() + 1);
  }
  ends_ = {threads, sites, heads, details, objects, values, locks};
}

void EventEncoder::end_run() {
  if (run_length_ == 0) return;
  ends_[kThreads] = put_varint(ends_[kThreads], run_thread_);
  ends_[kThreads] = put_varint(ends_[kThreads], run_length_ - 1);
  run_length_ = 0;
}

void EventEncoder::take(std::vector<std::uint8_t>& payload) {
  make_room(0);
  end_run();
  give_back_room();
  PayloadWriter out(payload);
  for (const auto& column : columns_) out.number(column.size());
  for (auto& column : columns_) {
    payload.insert(payload.end(), column.begin(), column.end());
    column.resize(0);
  }
  size_ = 0;
  predictions_ = Predictions();
}

EventBounds::EventBounds(const Tables& tables)
    : threads_(static_cast<std::uint32_t>(tables.threads.size())),
      sites_(static_cast<std::uint32_t>(tables.sites.size())),
      locks_(static_cast<std::uint32_t>(tables.locks.size())) {
  for (const EventKindInfo& row : kEventKinds) {
    const auto kind = static_cast<std::size_t>(row.kind);
    objects_[kind] = row.object == ObjectType::none
                         ? 1
                         : static_cast<std::uint32_t>(tables.object_count(row.object));
    while (valid_detail(row.kind, details_[kind])) ++details_[kind];
  }
}

std::string EventBounds::explain(const EventRecord& event) const {
  const auto kind = static_cast<std::size_t>(event.kind);
  if (kind >= kEventKindCount) return fmt::format("is of the unknown kind {}", kind);
  const std::string_view name = name_of(event.kind);
  if (!accept_thread(event.thread.value())) {
    return fmt::format("({}) is of the undefined thread {}", name, event.thread.value());
  }
  if (event.object >= objects_[kind]) {
    return fmt::format("({}) names the undefined {} {}", name, name_of(object_type(event.kind)),
                       event.object);
  }
  if (event.detail >= details_[kind]) {
    return fmt::format("({}) has the unknown detail {}", name, event.detail);
  }
  if (site_code(event.site) > sites_) {
    return fmt::format("({}) names the undefined site {}", name, event.site.value());
  }
  return fmt::format("({}) names the undefined lock {}", name, event.lock.value());
}

namespace {

// The columns of a payload, each a range of bytes that is used up from its front.
class Columns {
 public:
  Result<void> split(std::span<const std::uint8_t> payload, std::size_t count) {
    const std::uint8_t* at = payload.data();
    const std::uint8_t* end = at + payload.size();
    std::array<std::uint64_t, kColumnCount> sizes{};
    for (std::uint64_t& size : sizes) {
      if (!get_varint(at, end, size)) return make_error("its column sizes break off");
    }
    for (std::size_t i = 0; i < kColumnCount; ++i) {
      if (sizes[i] > static_cast<std::uint64_t>(end - at)) {
        return make_error("its columns are longer than the block");
      }
      at_[i] = at;
      at += sizes[i];
      end_[i] = at;
    }
    if (at != end) return make_error("it has bytes behind its columns");
    if (sizes[kHeads] != count) {
      return make_error("it has {} heads for {} events", sizes[kHeads], count);
    }
    return {};
  }

  template <typename T>
  bool number(Column column, T& value) {
    return get_varint(at_[column], end_[column], value);
  }
  bool byte(Column column, std::uint8_t& value) {
    if (at_[column] == end_[column]) [[unlikely]]
      return false;
    value = *at_[column]++;
    return true;
  }
  bool used_up() const { return at_ == end_; }

 private:
  std::array<const std::uint8_t*, kColumnCount> at_{};
  std::array<const std::uint8_t*, kColumnCount> end_{};
};

class EventDecoder {
 public:
  EventDecoder(Columns columns, std::uint16_t version, const EventBounds& bounds)
      : columns_(columns),
        values_of_places_(version >= kFirstWithValuesOfPlaces),
        bounds_(bounds) {}

  Result<void> decode(std::vector<EventRecord>& events, std::size_t count) {
    events.resize(count);
    EventRecord* const begin = events.data();
    for (EventRecord *out = begin, *const end = begin + count; out != end;) {
      std::uint32_t thread = 0;
      std::uint32_t more = 0;
      if (!columns_.number(kThreads, thread) || !columns_.number(kThreads, more) ||
          more >= static_cast<std::size_t>(end - out)) {
        return make_error("its threads column does not fit its {} events", count);
      }
      EventRecord* const stop = out + more + 1;
      EventRecord* const done = decode_run(thread, out, stop);
      if (done != stop) return explain(*done, static_cast<std::size_t>(done - begin));
      out = stop;
    }
    if (!columns_.used_up()) return make_error("its columns do not fit its {} events", count);
    return {};
  }

 private:
  // Gives back where it stopped: at `end`, or at an event that is not right.
  EventRecord* decode_run(std::uint32_t thread, EventRecord* out, EventRecord* const end) {
    Columns columns = columns_;  // in registers for the loop
    std::uint32_t& last_site = predictions_.last_site[Predictions::slot(thread)];
    for (; out != end; ++out) {
      EventRecord event;
      event.thread = ThreadId(thread);
      const bool whole = decode_event(columns, last_site, event);
      *out = event;
      if (!whole || !bounds_.accept(event)) [[unlikely]] {
        broken_off_ = !whole;
        return out;
      }
    }
    columns_ = columns;
    return end;
  }

  // False when a column ends too early.
  bool decode_event(Columns& columns, std::uint32_t& last_site, EventRecord& event) {
    Predictions& p = predictions_;
    std::uint32_t& next_site = p.next_site[Predictions::slot(last_site)];
    if (!apply(columns, kSites, next_site)) return false;
    last_site = next_site;
    event.site = SiteId(last_site - 1);
    const std::uint32_t place = Predictions::place(last_site, event.thread.value());
    std::uint8_t head = 0;
    if (!columns.byte(kHeads, head)) return false;
    head = p.head[place] ^= head;
    event.kind = static_cast<EventKind>(head & kKindMask);
    if ((head & kHasDetail) != 0 && !columns.byte(kDetails, event.detail)) return false;
    if (kHasObject[head & kKindMask]) {
      if (!apply(columns, kObjects, p.object[place])) return false;
      event.object = p.object[place];
    }
    if ((head & kHasValue) != 0 && !decode_value(columns, place, event)) return false;
    return event.kind != EventKind::wait || decode_lock(columns, event);
  }

  bool decode_value(Columns& columns, std::uint32_t place, EventRecord& event) {
    std::uint64_t value = values_of_places_ ? predictions_.expected_value(event.object, place)
                                            : predictions_.value[Predictions::slot(event.object)];
    event.has_value = true;
    if (event.kind == EventKind::atomic_rmw) {
      if (!apply(columns, kValues, value)) return false;
      event.old_value = value;
    }
    if (!apply(columns, kValues, value)) return false;
    event.value = value;
    predictions_.set_value(event.object, place, value);
    return true;
  }

  static bool decode_lock(Columns& columns, EventRecord& event) {
    std::uint32_t code = 0;
    if (!columns.number(kLocks, code)) return false;
    event.lock = LockId(code - 1);
    return true;
  }

  // Moves a prediction by the next distance in the column.
  template <typename T>
  static bool apply(Columns& columns, Column column, T& prediction) {
    T code = 0;
    if (!columns.number(column, code)) return false;
    prediction += unzigzag(code);
    return true;
  }

  Error explain(const EventRecord& event, std::size_t index) const {
    if (broken_off_) return make_error("its columns break off in event {} of the block", index);
    return make_error("event {} of the block {}", index, bounds_.explain(event));
  }

  Columns columns_;
  const bool values_of_places_;
  const EventBounds& bounds_;
  Predictions predictions_;
  bool broken_off_ = false;
};

}  // namespace

Result<void> decode_events(std::span<const std::uint8_t> payload, std::size_t count,
                           std::uint16_t version, const EventBounds& bounds,
                           std::vector<EventRecord>& events) {
  Columns columns;
  TRY_VOID(columns.split(payload, count));
  return EventDecoder(columns, version, bounds).decode(events, count);
}

}  // namespace heddle::binary
