// Rows: accesses that follow each other in memory and in time become one record (wire.h).
//
// A loop over an array that threads share would otherwise fill the ring with records that differ
// in nothing but address and value. While a row may go on, its record is open, and an access that
// continues it costs a few comparisons and the store of its value. Anything else that becomes a
// record ends it, and so does the gate. The record is in the ring all the time, so what a program
// that is killed did is not lost.
//
// Compilers unroll loops, so the accesses of a row come from several places, the same ones in every
// pass. Where another place follows than the last times, the host is told, and a new row begins.
#include "runtime/event_log.h"
#include "runtime/load.h"

namespace heddle::runtime {
namespace {

LARGE wire::Followers followers;
// The last follower that came unexpectedly: it has to come twice, since the end of a loop does so
// every time.
std::uint64_t doubted_pc;
std::uint64_t doubted_follower;

}  // namespace

void EventLog::begin_row(std::uint64_t next_address, std::uint64_t pc) {
  row_.may_grow = true;
  row_.next_address = next_address;
  row_.last_pc = pc;
  row_.next_pc = followers.after(pc);
  row_.values = row_.values_end = nullptr;
}

void EventLog::note_follower(std::uint64_t pc) {
  const std::uint64_t before = row_.last_pc;
  const bool again = doubted_pc == before && doubted_follower == pc;
  doubted_pc = before;
  doubted_follower = pc;
  if (row_.next_pc != 0 && !again) return;
  followers.set(before, pc);
  control(wire::Control::follows, 0, 0, before, pc);
}

// Where the next value of the row belongs.
std::uint64_t* EventLog::next_value() {
  if (row_.values == row_.values_end) {
    if (written_ == limit_) [[unlikely]]
      wait_for_space();
    wire::Record& record = ring_[written_ & mask_];
    record.type = static_cast<std::uint8_t>(wire::Control::values);
    header_->written.store(++written_, std::memory_order_release);
    row_.values = wire::values_of(record);
    row_.values_end = row_.values + wire::kRecordValues;
  }
  return row_.values++;
}

bool EventLog::continue_row_at(Thread& thread, std::uint64_t address, std::uint64_t pc) {
  const Frame* const frame = thread.stack.top();
  if (frame == nullptr || frame->node != open_->stack) return false;
  if (pc != row_.next_pc) {
    note_follower(pc);
    return false;
  }
  const std::uint32_t size = open_->size;
  if (hot_words.countdown + reserve_ <= 0 || open_->extra == wire::kLongestRow) return false;
  if (selection_ == wire::Selection::shared_only && !Ownership::all_shared(address, size)) {
    return false;
  }
  if (has_value(size)) {
    settle_value();
    std::uint64_t* const value = next_value();
    if (open_->type == static_cast<std::uint8_t>(EventKind::write)) {
      open_write(thread, address, value);
    } else {
      *value = load(address, size);
    }
  }
  ++open_->extra;
  row_.next_address = address + size;
  row_.last_pc = pc;
  row_.next_pc = followers.after(pc);
  count_event();
  ++emitted_;
  ++thread.steps;
  return true;
}

// The last write, if it is that of an access whose value is still open or that has none.
bool EventLog::take_back_write(wire::Record& write) {
  if (open_ == nullptr || open_->type != static_cast<std::uint8_t>(EventKind::write)) return false;
  const bool is_open = open_thread_ != nullptr;
  write = *open_;
  write.flags = is_open ? wire::kHasValue | wire::kOpenWrite : 0;
  if (open_->extra == 1) {
    open_ = nullptr;
    --written_;
  } else {
    write.object += (write.extra - 1) * write.size;
    write.pc = row_.last_pc;
    write.extra = 1;
    const std::uint64_t left = --open_->extra;
    if (!has_value(write.size)) {
      open_->flags = 0;
    } else {
      open_->flags = wire::kHasValue;
      written_ -= wire::value_records(left + 1) - wire::value_records(left);
    }
  }
  row_.may_grow = false;
  header_->written.store(written_, std::memory_order_release);
  open_thread_ = nullptr;
  if (is_open) let_count_down();
  return true;
}

}  // namespace heddle::runtime
