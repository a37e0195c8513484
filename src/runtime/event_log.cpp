#include "runtime/event_log.h"

#include "runtime/allocator.h"
#include "runtime/exploration.h"
#include "runtime/forecast.h"
#include "runtime/futex.h"
#include "runtime/load.h"
#include "runtime/race_detector.h"
#include "runtime/stack_slot.h"

namespace heddle::runtime {

constinit EventLog event_log;
constinit HotWords hot_words = {};

namespace {

// The host has read the ring's memory last, and it takes a while to get it back.
constexpr std::uint64_t kAhead = 16;

// Whether the address is on the thread's stack, below all frames that are still alive: what
// was written there may have been overwritten by anything.
bool on_dead_stack(const Thread& thread, std::uint64_t address) {
  constexpr std::uint64_t kReach = std::uint64_t{8} << 20;
  const Frame* top = thread.stack.top();
  if (top != nullptr) return address < top->machine_stack && top->machine_stack - address < kReach;
  return address - kSlotBase - thread.stack_slot * kSlotSize < kSlotSize;
}

}  // namespace

void EventLog::attach(wire::Header* header) {
  header_ = header;
  ring_ = wire::ring_of(header);
  mask_ = header->capacity - 1;
  limit_ = header->capacity;
  selection_ = header->settings.selection;
  counts_heap_ = header->settings.heap_counts != 0;
  counts_records_ = selection_ == wire::Selection::shared_only &&
                    header->settings.policy == wire::PolicyKind::replay;
  has_quanta_ = emits() && header->settings.policy != wire::PolicyKind::replay &&
                header->settings.policy != wire::PolicyKind::explore &&
                header->settings.stop_at == wire::kNoStop;
  at_first_try_ = selection_ == wire::Selection::shared_only && header->settings.confined != 0;
  if (header->settings.scout_events != 0) scout_end_ = header->settings.scout_events;
  header->attached.store(1, std::memory_order_release);
}

void EventLog::settle_open() {
  settle_value();
  open_ = nullptr;
  row_.may_grow = false;
  header_->settled.store(written_, std::memory_order_release);
}

void EventLog::close_write() {
  if (row_.last_value != nullptr && !on_dead_stack(*open_thread_, row_.last_address)) {
    *row_.last_value = load(row_.last_address, open_->size);
    open_->flags = wire::kHasValue;
  }
  open_thread_ = nullptr;
  let_count_down();
}

void EventLog::set_budget(std::int64_t budget) {
  constexpr std::int64_t kPlenty = std::int64_t{1} << 40;
  const std::uint64_t so_far = events();
  if (budget > 0 && scout_end_ < so_far + static_cast<std::uint64_t>(budget)) {
    budget = scout_end_ > so_far ? static_cast<std::int64_t>(scout_end_ - so_far) : 1;
  }
  const bool counts_down = selection_ != wire::Selection::everything &&
                           selection_ != wire::Selection::nothing && open_thread_ == nullptr;
  const std::int64_t unrecorded = budget > 0 ? kPlenty : 0;
  hot_words.countdown = !counts_down ? 0 : counts_records_ ? unrecorded : budget;
  reserve_ = counts_down && !counts_records_ ? 0 : budget;
  end_ = so_far + static_cast<std::uint64_t>(hot_words.countdown + reserve_);
}

// Whether the access becomes a record; if not, it is counted, and that is all.
bool EventLog::emits_access(const Thread& thread, std::uint64_t address, std::uint64_t size) {
  if (selection_ == wire::Selection::everything) return true;
  if (selection_ == wire::Selection::nothing) {
    count_event();
    return false;
  }
  settle_value();
  if (ownership.touch(thread, address, size) && emits()) return true;
  count_event();
  return false;
}

[[gnu::always_inline]] inline wire::Record& EventLog::append(std::uint8_t type,
                                                             std::uint32_t thread) {
  settle();
  if (written_ == limit_) [[unlikely]]
    wait_for_space();
  wire::Record& record = ring_[written_ & mask_];
  __builtin_prefetch(&ring_[(written_ + kAhead) & mask_], 1);
  record.type = type;
  record.detail = 0;
  record.flags = 0;
  record.thread = thread;
  open_ = &record;
  ++written_;
  return record;
}

[[gnu::always_inline]] inline wire::Record& EventLog::append_event_at(
    Thread& thread, EventKind kind, std::uint64_t object, std::uint64_t pc, std::uint32_t stack) {
  wire::Record& record = append(static_cast<std::uint8_t>(kind), thread.id);
  record.object = object;
  record.pc = pc;
  record.stack = stack;
  header_->written.store(written_, std::memory_order_release);
  if (!counts_records_) {
    count_event();
  } else if (--reserve_ == 0) {
    set_budget(0);
  }
  ++emitted_;
  ++thread.steps;
  header_->left_out.store(events() - emitted_, std::memory_order_relaxed);
  return record;
}

wire::Record& EventLog::append_event(Thread& thread, EventKind kind, std::uint64_t object,
                                     std::uint64_t pc) {
  const std::uint32_t stack = thread.stack.node();  // may define one
  return append_event_at(thread, kind, object, pc, stack);
}

[[gnu::always_inline]] inline void EventLog::append_access(Thread& thread, EventKind kind,
                                                           std::uint64_t address,
                                                           std::uint32_t size, std::uint64_t pc,
                                                           std::uint32_t stack, bool begins_row) {
  wire::Record& record = append_event_at(thread, kind, address, pc, stack);
  record.size = size;
  record.extra = 1;
  if (begins_row) begin_row(address + size, pc);
  if (!has_value(size)) return;
  if (kind == EventKind::write) return open_write(thread, address, &record.value);
  record.value = load(address, size);
  record.flags = wire::kHasValue;
}

void EventLog::access(Thread& thread, EventKind kind, std::uint64_t address, std::uint32_t size,
                      std::uint64_t pc) {
  if (!emits_access(thread, address, size)) return;
  tell_frame_of(address);
  const std::uint32_t stack = thread.stack.node();  // may define one
  append_access(thread, kind, address, size, pc, stack, false);
}

bool EventLog::access_in_quantum(Thread& thread, EventKind kind, std::uint64_t address,
                                 std::uint32_t size, std::uint64_t pc) {
  if (!has_quanta_ || hot_words.countdown + reserve_ <= 0 || written_ == limit_) return false;
  const Frame* const frame = thread.stack.top();
  if (frame == nullptr || frame->node == Frame::kUnknown || on_stack(address)) return false;
  if (selection_ == wire::Selection::shared_only && !Ownership::all_shared(address, size)) {
    return false;
  }
  append_access(thread, kind, address, size, pc, frame->node, true);
  return true;
}

void EventLog::read_of_copy(Thread& thread, std::uint64_t address, std::uint32_t size,
                            std::uint64_t pc) {
  wire::Record write;
  const bool taken_back = take_back_write(write);
  access(thread, EventKind::read, address, size, pc);
  if (!taken_back) return;
  wire::Record& again = append(write.type, write.thread);
  again = write;
  header_->written.store(written_, std::memory_order_release);
  if ((write.flags & wire::kOpenWrite) != 0) open_write(thread, again.object, &again.value);
}

void EventLog::atomic(Thread& thread, EventKind kind, std::uint64_t address, std::uint32_t size,
                      std::uint64_t pc, int order, std::uint64_t value, std::uint64_t old_value) {
  if (order != static_cast<int>(MemoryOrder::seq_cst)) unseen(wire::Unseen::weak_order);
  if (exploring) order_by_atomic(thread, kind, address, order);
  if (!emits_access(thread, address, size)) return;
  tell_frame_of(address);
  wire::Record& record = append_event(thread, kind, address, pc);
  record.size = size;
  record.detail = static_cast<std::uint8_t>(order);
  record.value = value;
  record.extra = old_value;
  if (has_value(size)) record.flags = wire::kHasValue;
}

void EventLog::fence(Thread& thread, std::uint64_t pc, int order) {
  if (exploring) order_by_fence(thread, order);
  if (!emits()) return count_event();
  append_event(thread, EventKind::fence, 0, pc).detail = static_cast<std::uint8_t>(order);
}

void EventLog::event(Thread& thread, EventKind kind, std::uint64_t object, std::uint64_t pc,
                     std::uint8_t detail) {
  if (!emits()) return count_event();
  append_event(thread, kind, object, pc).detail = detail;
}

void EventLog::wait(Thread& thread, const Object& condition, const Object& lock, std::uint64_t pc) {
  if (!emits()) return count_event();
  tell_frame_of(condition.address);
  tell_frame_of(lock.address);
  append_event(thread, EventKind::wait, condition.id, pc).extra = lock.id;
}

void EventLog::heap(Thread& thread, EventKind kind, std::uint64_t address, std::uint64_t size,
                    std::uint64_t pc) {
  if (kind == EventKind::alloc) ++thread.heap_blocks;
  if (exploring && kind == EventKind::alloc) watch_allocation(address, size);
  if (exploring && kind == EventKind::free && !is_alone()) watch_free(thread, address, size, pc);
  if (selection_ == wire::Selection::nothing) return count_event();
  if (ownership.active()) {
    kind == EventKind::alloc ? ownership.allocated(thread, address, size)
                             : ownership.freed(thread, address, size);
    if (kind == EventKind::alloc) expect_sharing(thread, address, size, pc);
    if (!emits() || !ownership.any_shared(address, size)) return count_event();
  }
  wire::Record& record = append_event(thread, kind, address, pc);
  record.value = size;
  record.extra = thread.heap_blocks;
  if (!counts_heap_) {
    ++reserve_;
    --thread.steps;
  }
}

// A first look tells where blocks come from; a first try expects of some that they are shared.
void EventLog::expect_sharing(Thread& thread, std::uint64_t address, std::uint64_t size,
                              std::uint64_t pc) {
  if (selection_ == wire::Selection::scout && header_->settings.scout_events != 0) {
    const wire::AllocationSite site = allocation_site(thread, pc);
    control(wire::Control::block, thread.id, 0, address, site.calls[0], site.calls[2]);
    open_->extra = site.calls[1];
    open_->size = static_cast<std::uint32_t>(size);
  } else if (at_first_try_ && size <= wire::kSmallBlock &&
             forecast.expects(allocation_site(thread, pc))) {
    ownership.expect_shared(address, size, last_block_is_new());
  }
}

void EventLog::control(wire::Control type, std::uint32_t thread, std::uint8_t detail,
                       std::uint64_t object, std::uint64_t value, std::uint64_t pc,
                       std::uint32_t stack) {
  if (selection_ == wire::Selection::nothing) return;
  wire::Record& record = append(static_cast<std::uint8_t>(type), thread);
  record.pc = pc;
  record.stack = stack;
  record.detail = detail;
  record.object = object;
  record.value = value;
  header_->written.store(written_, std::memory_order_release);
}

void EventLog::define_thread(const Thread& thread, std::uint32_t number, std::uint64_t low,
                             std::uint64_t high) {
  if (!emits()) return;
  control(wire::Control::thread, thread.id, 0, low, high);
  open_->extra = number;
  open_->size = thread.parent;
}

void EventLog::define_object(const Object& object, std::uint64_t extra) {
  if (object.type != ObjectType::descriptor) ownership.share(object.address);
  if (!emits()) return;
  tell_frame_of(object.address);
  control(wire::Control::object, 0, static_cast<std::uint8_t>(object.type), object.id,
          object.address);
  open_->extra = extra;
}

void EventLog::define_frame(const Thread& thread, const Frame& frame, std::uint32_t node,
                            std::uint64_t high) {
  control(wire::Control::frame, thread.id, 0, frame.low(),
          frame.machine_stack + frame.frame_pointer, frame.entry(), node);
  open_->extra = high;
}

void EventLog::define_no_frame(const Thread& thread, std::uint64_t high) {
  control(wire::Control::frame, thread.id, 0, 0, 0);
  open_->extra = high;
}

void EventLog::define_stack(std::uint32_t node, std::uint32_t caller, std::uint64_t call_site) {
  if (!emits()) return;
  control(wire::Control::stack, 0, 0, node, 0, call_site, caller);
}

void EventLog::define_thread_locals(const Thread& thread, std::uint64_t low, std::uint64_t high,
                                    std::uint64_t module) {
  control(wire::Control::thread_locals, thread.id, 0, low, high);
  open_->extra = module;
}

void EventLog::define_module(std::uint64_t low, std::uint64_t high, const char* path) {
  ownership.add_relocated(low, high);
  control(wire::Control::module, 0, 0, low, high);
  text(path);
}

void EventLog::name_thread(const Thread& thread, const char* name) {
  control(wire::Control::thread_name, thread.id, 0, 0, 0);
  text(name);
}

// Belongs to the record before.
void EventLog::text(const char* text) {
  if (selection_ == wire::Selection::nothing) return;
  do {
    wire::Record& record = append(static_cast<std::uint8_t>(wire::Control::text), 0);
    std::uint8_t size = 0;
    while (size < wire::kTextBytes && text[size] != 0) ++size;
    copy_bytes(wire::text_of(record), text, size);
    record.text_size = size;
    text += size;
    header_->written.store(written_, std::memory_order_release);
  } while (*text != 0);
}

void EventLog::define_region(wire::RegionType type, std::uint64_t low, std::uint64_t high) {
  const bool moves =
      type == wire::RegionType::thread_locals || type == wire::RegionType::initial_stack;
  if (moves) ownership.add_relocated(low, high);
  control(wire::Control::region, 0, static_cast<std::uint8_t>(type), low, high);
}

void EventLog::unseen(wire::Unseen what) {
  const std::uint32_t bit = 1u << static_cast<std::uint32_t>(what);
  if ((unseen_ & bit) != 0) return;
  unseen_ |= bit;
  if (exploring) note_unseen(what);
  control(wire::Control::unseen, 0, static_cast<std::uint8_t>(what), 0, 0);
}

void EventLog::tell_shared(std::uint64_t low, std::uint64_t high, bool late) {
  control(emits() && late ? wire::Control::late_shared : wire::Control::shared, 0, 0, low, high);
  if (!late || !at_first_try_) return;
  at_first_try_ = false;
  selection_ = wire::Selection::scout;
  has_quanta_ = false;
}

void EventLog::end_first_look() {
  header_->cut.store(1);
  complete();
  for (;;) system_call(SYS_exit_group, 0);
}

void EventLog::wake_host() {
  header_->signal.fetch_add(1);
  if (header_->host_waits.load() != 0) futex_wake(&header_->signal, 1, Sharing::processes);
}

// Every quarter of the ring, sees to it that the host is awake; waits only when it is full.
void EventLog::wait_for_space() {
  const std::uint64_t quarter = (mask_ + 1) / 4;
  wake_host();
  for (;;) {
    const std::uint32_t space = header_->space.load();
    const std::uint64_t end = header_->taken.load(std::memory_order_acquire) + mask_ + 1;
    if (end > written_) {
      limit_ = end < written_ + quarter ? end : written_ + quarter;
      return;
    }
    header_->runtime_waits.store(1);
    futex_wait(&header_->space, space, Sharing::processes);
    header_->runtime_waits.store(0);
  }
}

void EventLog::complete() {
  settle();
  header_->left_out.store(events() - emitted_, std::memory_order_relaxed);
  header_->complete.store(1, std::memory_order_release);
  wake_host();
}

}  // namespace heddle::runtime
