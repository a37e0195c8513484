// The event log: events and definitions on their way into the ring.
//
// Only the thread that holds the gate's token writes, so a record is a few stores and
// nothing else. The hook of a plain write runs before the store, so the value is not there
// yet: the last record stays open, and is settled (its value read back from memory) when
// the same thread comes to its next operation, before anybody else runs.
#pragma once

#include <cstdint>

#include "runtime/object.h"
#include "runtime/thread.h"
#include "runtime/wire.h"
#include "trace/event.h"

namespace heddle::runtime {

class EventLog {
 public:
  void attach(wire::Header* header);
  wire::Header* header() { return header_; }

  // Events so far; virtual time goes on with them.
  std::uint64_t events() const { return events_; }
  // How many events are left before the gate wants to be asked again.
  std::int64_t budget = 0;

  // A plain access of 1, 2, 4, 8 bytes has a value, others have none.
  void access(Thread& thread, EventKind kind, std::uint64_t address, std::uint32_t size,
              std::uint64_t pc);
  void atomic(Thread& thread, EventKind kind, std::uint64_t address, std::uint32_t size,
              std::uint64_t pc, int order, std::uint64_t value, std::uint64_t old_value = 0);
  void fence(Thread& thread, std::uint64_t pc, int order);
  void event(Thread& thread, EventKind kind, std::uint64_t object, std::uint64_t pc,
             std::uint8_t detail = 0);
  void event(Thread& thread, EventKind kind, const Object& object, std::uint64_t pc,
             std::uint8_t detail = 0) {
    event(thread, kind, object.id, pc, detail);
  }
  void wait(Thread& thread, const Object& condition, const Object& lock, std::uint64_t pc);
  // A heap block comes (kind alloc) or goes (free).
  void heap(Thread& thread, EventKind kind, std::uint64_t address, std::uint64_t size,
            std::uint64_t pc);

  void define_thread(const Thread& thread, std::uint32_t number, std::uint64_t low,
                     std::uint64_t high);
  void define_object(const Object& object, std::uint64_t extra);
  void define_stack(std::uint32_t node, std::uint32_t caller, std::uint64_t call_site);
  void define_module(std::uint64_t low, std::uint64_t high, const char* path);
  void name_thread(const Thread& thread, const char* name);
  void define_region(wire::RegionType type, std::uint64_t low, std::uint64_t high);
  void unseen(wire::Unseen what);
  void control(wire::Control type, std::uint32_t thread, std::uint8_t detail, std::uint64_t object,
               std::uint64_t value, std::uint64_t pc = 0, std::uint32_t stack = 0);

  // Makes the last record final.
  void settle();
  // The last write did not happen (it was a bad access): there is no value to read back.
  void abandon_write() {
    if (open_ != nullptr) open_->flags &= static_cast<std::uint8_t>(~wire::kOpenWrite);
  }
  // Nothing more will follow.
  void complete();

 private:
  wire::Record& append(std::uint8_t type, std::uint32_t thread);
  wire::Record& append_event(Thread& thread, EventKind kind, std::uint64_t object,
                             std::uint64_t pc);
  void text(const char* text);
  void wait_for_space();
  void wake_host();

  wire::Header* header_ = nullptr;
  wire::Record* ring_ = nullptr;
  std::uint64_t mask_ = 0;
  std::uint64_t written_ = 0;
  std::uint64_t limit_ = 0;  // may write up to here without looking at what was taken
  wire::Record* open_ = nullptr;
  const Thread* open_thread_ = nullptr;  // who writes
  std::uint64_t events_ = 0;
  std::uint32_t unseen_ = 0;  // a bit for each that was reported
};

extern EventLog event_log;

}  // namespace heddle::runtime
