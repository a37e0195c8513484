// Turns the records of the wire into the events and tables of a trace.
//
// Numbers are given out in the order in which things come, and nothing but what the program
// did goes into the tables: two runs along the same schedule give the same trace, byte for
// byte.
//
// A record may stand for many events (a row, runtime/wire.h), and records of values may follow it.
// So whoever hands in a record then fetches events until there are no more.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "record/address_space.h"
#include "record/known_memory.h"
#include "record/row_sites.h"
#include "record/sites.h"
#include "record/stack_frames.h"
#include "record/stack_objects.h"
#include "runtime/wire.h"
#include "trace/event.h"

namespace heddle {

// A thread that waits in a deadlock.
struct BlockedThread {
  ThreadId thread;
  EventKind kind;
  std::uint32_t object;
  ThreadId holder;  // none when nobody holds it
  SiteId site;
};

struct DivergedThread {
  ThreadId thread;
  wire::Divergence why;
};

class Translator {
 public:
  Translator()
      : space_(tables_, names_),
        sites_(tables_, space_, names_),
        frames_(tables_, sites_, names_, memory_),
        row_sites_(sites_) {}
  Translator(const Translator&) = delete;
  Translator& operator=(const Translator&) = delete;

  void take(const wire::Record& record);
  // No more records will come, even if values of the last row are missing.
  void end() { row_.missing_values = 0; }
  // The next events, as many as there are and fit; their number.
  std::size_t fetch(std::span<EventRecord> events) {
    if (row_.fetched == row_.length || row_.missing_values > 0) return 0;
    return fetch_some(events);
  }

  Tables& tables() { return tables_; }
  const Tables& tables() const { return tables_; }
  // The folder of the program's sources, to which file names are relative; "" if not known.
  const std::string& source_folder() { return names_.source_folder(); }
  bool deadlocked() const { return deadlocked_; }
  // The run ended before the event that it was to stop at.
  bool stopped() const { return stopped_; }
  const std::vector<BlockedThread>& blocked() const { return blocked_; }
  const std::optional<DivergedThread>& diverged() const { return diverged_; }
  // Places that several threads touched although what happened there before was left out.
  std::uint64_t late_shared() const { return late_shared_; }
  // The names that the program gave to threads.
  const std::map<ThreadId, std::string>& thread_names() const { return thread_names_; }
  // What Heddle did not see, a line each.
  std::vector<std::string> unseen();
  // The thread of the last event, and where it was.
  std::string describe_last() const;
  // The words of a deadlock: who waits for what.
  std::string describe(const BlockedThread& thread) const;

 private:
  void control(const wire::Record& record);
  void define_thread(const wire::Record& record);
  void define_object(const wire::Record& record);
  void define_region(const wire::Record& record);
  void define_frame(const wire::Record& record);
  std::uint32_t add_object(ObjectType type, std::string_view name, std::uint32_t extra);
  std::uint32_t object_numbered(ObjectType type, std::uint64_t number);
  void look_up_again(ObjectType type, NumberedObject& numbered);
  void add_text(const wire::Record& record);
  void finish_module();
  // What is left to fetch: the events of a row of plain accesses, or one other event.
  struct Row {
    wire::Record record;
    std::uint64_t length = 0;
    std::uint64_t fetched = 0;         // so many of them
    std::uint64_t missing_values = 0;  // so many have not come yet
    std::size_t value_count = 0;       // that are there
    std::array<std::uint64_t, wire::kLongestRow + wire::kRecordValues> values;
  };
  void begin_row(const wire::Record& record);
  void add_values(const wire::Record& record);
  std::size_t fetch_some(std::span<EventRecord> events);
  void fetch_access(EventRecord& event);
  void fetch_accesses(std::span<EventRecord> events);
  template <bool kWrites, bool kHaveValues>
  void fetch_accesses(std::span<EventRecord> events, const RowSites::Place* places,
                      std::uint64_t first);
  template <bool kWrites, bool kHaveValues>
  void touch(KnownMemory::Page* page, EventRecord& event, std::uint64_t address);
  LocationId location_on(KnownMemory::Page& page, std::uint64_t address, std::uint32_t size) {
    LocationId* const slot = page.slot(address, size);
    if (slot == nullptr) return location_elsewhere(address, size);
    if (slot->valid()) return *slot;
    const LocationId location = space_.add_location(address, size);
    if (!location.valid()) return location_on_stack(address, size);
    page.fill(*slot, location);
    return location;
  }
  void translate_event(const wire::Record& record, EventRecord& event);
  void set_access(EventRecord& event, const wire::Record& record);
  LocationId location_at(std::uint64_t address, std::uint32_t size) {
    return location_on(memory_.page_at(address), address, size);
  }
  LocationId location_elsewhere(std::uint64_t address, std::uint32_t size);
  LocationId location_on_stack(std::uint64_t address, std::uint32_t size);
  std::string in_words(const EventRecord& access) const;
  void compare_values(EventRecord& event, std::uint64_t address, std::uint32_t size);
  void note_unseen_write(EventRecord& read);
  std::uint64_t canonical(std::uint64_t value, std::uint32_t size) const {
    return size == 8 ? space_.canonical(value) : value;
  }
  std::uint32_t region_of(const wire::Record& record, const EventRecord& event);
  std::string object_name(ObjectType type, const wire::Record& record);
  std::string memory_name(ObjectType type, std::uint64_t address, std::uint64_t extra);

  Tables tables_;
  SourceNames names_;
  AddressSpace space_;
  Sites sites_;
  KnownMemory memory_;
  StackFrames frames_;
  Row row_;
  RowSites row_sites_;
  std::array<std::vector<NumberedObject>, kObjectTypeCount> numbers_;
  std::vector<StackObject> stack_objects_;
  std::optional<Module> module_;              // its path is still coming
  ThreadId named_thread_ = ThreadId::none();  // its name is still coming
  std::map<ThreadId, std::string> thread_names_;
  std::vector<BlockedThread> blocked_;
  bool deadlocked_ = false;
  bool stopped_ = false;
  std::optional<DivergedThread> diverged_;
  std::array<bool, static_cast<std::size_t>(wire::Unseen::count)> unseen_{};
  std::uint64_t unseen_writes_ = 0;
  std::uint64_t late_shared_ = 0;
  std::string first_unseen_read_;  // of what somebody unseen had written
  ThreadId last_thread_ = ThreadId(0);
  SiteId last_site_ = SiteId::none();
};

}  // namespace heddle
