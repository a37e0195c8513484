// Rows of plain accesses (runtime/wire.h) become events, one by one as if each had been a record of
// its own: locations get their numbers in the order of the accesses, wherever rows begin and end.
#include "base/check.h"
#include "record/translator.h"

namespace heddle {

void Translator::begin_row(const wire::Record& record) {
  const auto kind = static_cast<EventKind>(record.type);
  const bool is_plain = kind == EventKind::read || kind == EventKind::write;
  row_.record = record;
  row_.length = is_plain ? record.extra : 1;
  CHECK(row_.length - 1 < wire::kLongestRow);
  row_.fetched = 0;
  row_.values[0] = record.value;
  row_.value_count = 1;
  const bool has_values = is_plain && (record.flags & wire::kHasValue) != 0;
  row_.missing_values = has_values ? row_.length - 1 : 0;
}

void Translator::add_values(const wire::Record& record) {
  if (row_.missing_values == 0) return;  // of a row that the program was killed in
  std::copy_n(wire::values_of(record), wire::kRecordValues, &row_.values[row_.value_count]);
  const std::uint64_t count = std::min<std::uint64_t>(row_.missing_values, wire::kRecordValues);
  row_.value_count += count;
  row_.missing_values -= count;
}

std::size_t Translator::fetch_some(std::span<EventRecord> events) {
  if (module_) finish_module();
  const auto kind = static_cast<EventKind>(row_.record.type);
  if (kind == EventKind::read || kind == EventKind::write) {
    events = events.first(std::min<std::size_t>(events.size(), row_.length - row_.fetched));
    row_.length == 1 ? fetch_access(events[0]) : fetch_accesses(events);
  } else {
    events = events.first(1);
    translate_event(row_.record, events[0]);
  }
  row_.fetched += events.size();
  last_thread_ = events.back().thread;
  last_site_ = events.back().site;
  // The end of a block whose beginning was left out.
  if (kind == EventKind::free && !RegionId(events[0].object).valid()) return 0;
  return events.size();
}

// Says what memory holds after an access. On the page, if the access is aligned and not too long.
template <bool kWrites, bool kHaveValues>
inline void Translator::touch(KnownMemory::Page* page, EventRecord& event, std::uint64_t address) {
  const std::uint32_t size = row_.record.size;
  if (kWrites && kHaveValues) {
    page != nullptr ? page->set_value(address, size, event.value)
                    : memory_.set_value(address, size, event.value);
  } else if (kWrites) {
    page != nullptr ? page->forget_few_values(address, size) : memory_.forget_values(address, size);
  } else if (kHaveValues) {
    const bool agrees = page != nullptr ? page->read_value(address, size, event.value)
                                        : memory_.read_value(address, size, event.value);
    if (!agrees) note_unseen_write(event);
  }
}

// Of a row of one.
void Translator::fetch_access(EventRecord& event) {
  const wire::Record& record = row_.record;
  event = EventRecord();
  event.kind = static_cast<EventKind>(record.type);
  event.thread = ThreadId(record.thread);
  event.site = sites_.site(record.stack, record.pc);
  frames_.set_position(event.thread, record.stack, record.pc);
  event.object = location_at(record.object, record.size).value();
  event.has_value = (record.flags & (wire::kHasValue | wire::kOpenWrite)) == wire::kHasValue;
  if (event.has_value) event.value = canonical(record.value, record.size);
  if (event.kind == EventKind::read) {
    if (event.has_value) touch<false, true>(nullptr, event, record.object);
  } else {
    event.has_value ? touch<true, true>(nullptr, event, record.object)
                    : touch<true, false>(nullptr, event, record.object);
  }
}

// Of the row, the next so many. The last one may lack its value, or more after a sudden end.
void Translator::fetch_accesses(std::span<EventRecord> events) {
  const wire::Record& record = row_.record;
  const auto* const places = row_sites_.places(record.stack, record.pc, row_.length).data();
  const ThreadId thread(record.thread);
  frames_.set_position(thread, record.stack, places[row_.fetched].pc);
  const bool has_values = (record.flags & wire::kHasValue) != 0;
  const bool is_open = (record.flags & wire::kOpenWrite) != 0;
  const std::size_t values = !has_values ? 0 : row_.value_count - (is_open ? 1 : 0);
  const std::size_t valued =
      values > row_.fetched ? std::min<std::size_t>(events.size(), values - row_.fetched) : 0;
  if (record.type == static_cast<std::uint8_t>(EventKind::write)) {
    fetch_accesses<true, true>(events.first(valued), places, row_.fetched);
    fetch_accesses<true, false>(events.subspan(valued), places, row_.fetched + valued);
  } else {
    fetch_accesses<false, true>(events.first(valued), places, row_.fetched);
    fetch_accesses<false, false>(events.subspan(valued), places, row_.fetched + valued);
  }
  frames_.set_position(thread, record.stack, places[row_.fetched + events.size() - 1].pc);
}

// The same from number `first` of the row on. Most events of a trace come from here; so the usual
// ones are dealt with page by page.
template <bool kWrites, bool kHaveValues>
void Translator::fetch_accesses(std::span<EventRecord> events, const RowSites::Place* places,
                                std::uint64_t first) {
  EventRecord event;
  event.kind = kWrites ? EventKind::write : EventKind::read;
  event.thread = ThreadId(row_.record.thread);
  event.has_value = kHaveValues;
  const std::uint32_t size = row_.record.size;
  std::uint64_t address = row_.record.object + first * size;
  places += first;
  const std::uint64_t* values = &row_.values[first];
  const bool is_aligned = (size & (size - 1)) == 0 && size <= 64 && address % size == 0;
  while (!events.empty()) {
    KnownMemory::Page& page = memory_.page_at(address);
    const std::uint64_t room = is_aligned ? KnownMemory::Page::room(address, size) : 1;
    const auto here = events.first(std::min<std::size_t>(events.size(), room));
    for (EventRecord& fetched : here) {
      event.site = (places++)->site;
      event.object = location_on(page, address, size).value();
      if (kHaveValues) event.value = canonical(*values++, size);
      fetched = event;
      touch<kWrites, kHaveValues>(is_aligned ? &page : nullptr, fetched, address);
      address += size;
    }
    events = events.subspan(here.size());
  }
}

}  // namespace heddle
