// The event log: events and definitions on their way into the ring.
//
// Only the thread that holds the gate's token writes, so a record is a few stores and
// nothing else. The hook of a plain write runs before the store, so the value is not there
// yet: the last record stays open, and is settled (its value read back from memory) when
// the same thread comes to its next operation, before anybody else runs.
//
// Accesses to memory that one thread at a time owns may be left out (ownership.h). They count
// as events all the same: quanta and virtual time do not depend on what is left out. The
// usual access is one of these, and costs a countdown and a look at the owner.
#pragma once

#include <cstdint>

#include "runtime/hot_words.h"
#include "runtime/object.h"
#include "runtime/ownership.h"
#include "runtime/thread.h"
#include "runtime/told_frames.h"
#include "runtime/wire.h"
#include "trace/event.h"

namespace heddle::runtime {

class EventLog {
 public:
  void attach(wire::Header* header);
  wire::Header* header() { return header_; }

  // Whether anything becomes a record.
  bool emits() const {
    return selection_ != wire::Selection::scout && selection_ != wire::Selection::nothing;
  }
  // Whether an access counts for position(), as far as is known before it; a fence has no size.
  bool counts(std::uint64_t address, std::uint64_t size) const {
    return !counts_records_ || size == 0 || ownership.any_shared(address, size);
  }
  // Events so far, those that were left out included; virtual time goes on with them.
  std::uint64_t events() const {
    return end_ - static_cast<std::uint64_t>(hot_words.countdown + reserve_);
  }
  // Where the run is in a schedule.
  std::uint64_t position() const { return counts_records_ ? emitted_ : events(); }
  // How many events are left before the gate wants to be asked again. Along the events of a
  // trace that has something left out, only events that become records count; but once they are
  // used up, the gate is asked before whatever comes next.
  std::int64_t budget() const {
    return counts_records_ ? reserve_ : hot_words.countdown + reserve_;
  }
  void set_budget(std::int64_t budget);

  // A plain access of 1, 2, 4, 8 bytes has a value, others have none.
  void access(Thread& thread, EventKind kind, std::uint64_t address, std::uint32_t size,
              std::uint64_t pc);
  // The same for the usual access that becomes a record: to memory that is shared and on no stack,
  // in the middle of a quantum. False for any other; then nothing was done.
  bool access_in_quantum(Thread& thread, EventKind kind, std::uint64_t address, std::uint32_t size,
                         std::uint64_t pc);
  // The same for one that continues the row of the last record (event_log_rows.cpp).
  bool continue_row(Thread& thread, EventKind kind, std::uint64_t address, std::uint32_t size,
                    std::uint64_t pc) {
    return row_.may_grow && address == row_.next_address &&
           kind == static_cast<EventKind>(open_->type) && size == open_->size &&
           continue_row_at(thread, address, pc);
  }
  // The read of a struct's copy whose write was announced just before it: comes to stand in
  // front of it, if that became a record.
  void read_of_copy(Thread& thread, std::uint64_t address, std::uint32_t size, std::uint64_t pc);
  void atomic(Thread& thread, EventKind kind, std::uint64_t address, std::uint32_t size,
              std::uint64_t pc, int order, std::uint64_t value, std::uint64_t old_value = 0);
  void fence(Thread& thread, std::uint64_t pc, int order);
  void event(Thread& thread, EventKind kind, std::uint64_t object, std::uint64_t pc,
             std::uint8_t detail = 0);
  void event(Thread& thread, EventKind kind, const Object& object, std::uint64_t pc,
             std::uint8_t detail = 0) {
    tell_frame_of(object.address);
    event(thread, kind, object.id, pc, detail);
  }
  void wait(Thread& thread, const Object& condition, const Object& lock, std::uint64_t pc);
  // A heap block comes (kind alloc) or goes (free).
  void heap(Thread& thread, EventKind kind, std::uint64_t address, std::uint64_t size,
            std::uint64_t pc);

  void define_thread(const Thread& thread, std::uint32_t number, std::uint64_t low,
                     std::uint64_t high);
  void define_object(const Object& object, std::uint64_t extra);
  // Before anything is said about memory on a stack: which call holds it, unless the host knows.
  void tell_frame_of(std::uint64_t address) {
    if (on_stack(address) && emits()) told_frames.tell_holder_of(address);
  }
  // That call holds memory up to `high`; no call does.
  void define_frame(const Thread& thread, const Frame& frame, std::uint32_t node,
                    std::uint64_t high);
  void define_no_frame(const Thread& thread, std::uint64_t high);
  void define_stack(std::uint32_t node, std::uint32_t caller, std::uint64_t call_site);
  // The thread's copy of a module's thread-local variables.
  void define_thread_locals(const Thread& thread, std::uint64_t low, std::uint64_t high,
                            std::uint64_t module);
  void define_module(std::uint64_t low, std::uint64_t high, const char* path);
  void name_thread(const Thread& thread, const char* name);
  void define_region(wire::RegionType type, std::uint64_t low, std::uint64_t high);
  void unseen(wire::Unseen what);
  // Several threads touch [low, high), as has just turned out or is expected; `late` when it was
  // touched before. That makes a run useless that was to leave out nothing but private memory at
  // the first try (forecast.h): it goes on as a scout.
  void tell_shared(std::uint64_t low, std::uint64_t high, bool late);
  // Ends a scout that was to look at so many events only.
  void end_if_seen_enough() {
    if (events() >= scout_end_) [[unlikely]]
      end_first_look();
  }
  void control(wire::Control type, std::uint32_t thread, std::uint8_t detail, std::uint64_t object,
               std::uint64_t value, std::uint64_t pc = 0, std::uint32_t stack = 0);

  // Lets the host know that the program is still running.
  void beat() { header_->progress.fetch_add(1, std::memory_order_relaxed); }

  // Makes the last record final.
  void settle() {
    if (open_ != nullptr) settle_open();
  }
  // The last write did not happen (it was a bad access): there is no value to read back.
  void abandon_write() { row_.last_value = nullptr; }
  // Nothing more will follow.
  void complete();

 private:
  wire::Record& append(std::uint8_t type, std::uint32_t thread);
  wire::Record& append_event(Thread& thread, EventKind kind, std::uint64_t object,
                             std::uint64_t pc);
  void text(const char* text);
  void wait_for_space();
  void wake_host();
  bool emits_access(const Thread& thread, std::uint64_t address, std::uint64_t size);
  void count_event();
  void expect_sharing(Thread& thread, std::uint64_t address, std::uint64_t size, std::uint64_t pc);
  [[noreturn]] void end_first_look();
  void settle_open();
  wire::Record& append_event_at(Thread& thread, EventKind kind, std::uint64_t object,
                                std::uint64_t pc, std::uint32_t stack);
  void append_access(Thread& thread, EventKind kind, std::uint64_t address, std::uint32_t size,
                     std::uint64_t pc, std::uint32_t stack, bool begins_row);
  bool continue_row_at(Thread& thread, std::uint64_t address, std::uint64_t pc);
  void begin_row(std::uint64_t next_address, std::uint64_t pc);
  void note_follower(std::uint64_t pc);
  std::uint64_t* next_value();
  bool take_back_write(wire::Record& write);
  void open_write(const Thread& thread, std::uint64_t address, std::uint64_t* value);
  // Reads the value of the last write back.
  void settle_value() {
    if (open_thread_ != nullptr) close_write();
  }
  void close_write();
  void hold_countdown();
  void let_count_down();

  wire::Header* header_ = nullptr;
  wire::Record* ring_ = nullptr;
  std::uint64_t mask_ = 0;
  std::uint64_t written_ = 0;
  std::uint64_t limit_ = 0;  // may write up to here without looking at what was taken
  wire::Record* open_ = nullptr;
  const Thread* open_thread_ = nullptr;  // whose write has its value still to come
  struct Row {
    bool may_grow = false;           // it is that of the open record
    std::uint64_t next_address = 0;  // of an access that would continue it
    std::uint64_t next_pc = 0;
    std::uint64_t last_pc = 0;
    std::uint64_t last_address = 0;       // where the last write is,
    std::uint64_t* last_value = nullptr;  // and where its value belongs; null: it has none
    std::uint64_t* values = nullptr;      // room for more
    std::uint64_t* values_end = nullptr;
  };
  Row row_;
  wire::Selection selection_ = wire::Selection::everything;
  bool counts_records_ = false;
  bool counts_heap_ = true;
  bool has_quanta_ = false;    // of events that become records, with nowhere to stop within
  bool at_first_try_ = false;  // what is shared is not known yet, but expected
  std::uint64_t scout_end_ = ~std::uint64_t{0};
  // The budget is in two parts: what may be spent by is_left_out() alone (hot_words.countdown), and
  // the rest. The first is empty while there is an open write to settle, and when nothing is
  // left out.
  std::int64_t reserve_ = 0;
  std::uint64_t end_ = 0;      // so many events when the budget is used up
  std::uint64_t emitted_ = 0;  // events that became records
  std::uint32_t unseen_ = 0;   // a bit for each that was reported
};

extern EventLog event_log;

inline void EventLog::count_event() {
  if (hot_words.countdown > 0) {
    --hot_words.countdown;
  } else {
    --reserve_;
  }
}

// While a write is open, no access may pass that does not settle it.
[[gnu::always_inline]] inline void EventLog::hold_countdown() {
  if (counts_records_) return set_budget(budget());
  reserve_ += hot_words.countdown;
  hot_words.countdown = 0;
}

[[gnu::always_inline]] inline void EventLog::let_count_down() {
  if (counts_records_) return set_budget(budget());
  if (selection_ == wire::Selection::everything) return;
  hot_words.countdown += reserve_;
  reserve_ = 0;
}

[[gnu::always_inline]] inline void EventLog::open_write(const Thread& thread, std::uint64_t address,
                                                        std::uint64_t* value) {
  open_->flags = wire::kHasValue | wire::kOpenWrite;
  open_thread_ = &thread;
  row_.last_address = address;
  row_.last_value = value;
  hold_countdown();
}

}  // namespace heddle::runtime
