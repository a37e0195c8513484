#include "trace/repairer.h"

#include "base/check.h"
#include "trace/explain_offence.h"

namespace heddle {
namespace {

using Phase = ThreadState::Phase;

constexpr std::string_view kLeftOut = "left out";

bool is_release(EventKind kind) {
  return kind == EventKind::release || kind == EventKind::reader_release;
}

bool is_acquire(EventKind kind) {
  return kind == EventKind::acquire || kind == EventKind::reader_acquire;
}

// The same for an exclusive lock as the reader event for readers, and the other way round.
EventKind other_mode(EventKind kind) {
  switch (kind) {
    case EventKind::reader_acquire: return EventKind::acquire;
    case EventKind::reader_release: return EventKind::release;
    case EventKind::failed_reader_acquire: return EventKind::failed_acquire;
    case EventKind::release: return EventKind::reader_release;
    default: return kind;
  }
}

// Whether a thread that comes back from a wait for `lock` should have it again before
// this event: not when the event is about to take it, or is the thread's last.
bool wants_lock_back(const EventRecord& event, LockId lock) {
  if (event.kind == EventKind::end || event.kind == EventKind::exit) return false;
  const bool takes_it = event.kind == EventKind::acquire || event.kind == EventKind::request;
  return !takes_it || event.object != lock.value();
}

bool begins_something(EventKind kind) {
  return kind == EventKind::wait || kind == EventKind::once_begin ||
         kind == EventKind::barrier_arrive;
}

bool lacks_beginning(Rule rule) {
  return rule == Rule::wake_without_wait || rule == Rule::once_end_without_begin ||
         rule == Rule::leave_without_arrive;
}

}  // namespace

void Repairer::take(const EventRecord& original, std::vector<EventRecord>& output) {
  constexpr int kMostRemedies = 16;
  changes_.clear();
  output_ = &output;
  EventRecord event = mirror_.translate(original);
  for (int round = 0;; ++round) {
    CHECK(round < kMostRemedies);
    if (!debts_.empty() && pays_debt(event)) return;
    const std::optional<Rule> rule = state_.broken_rule(event);
    if (!rule) break;
    Change change{*rule, "", "", is_consequence(event, *rule)};
    if (explains_) change.problem = explain_offence(state_, *rule, event);
    const Remedy remedy = mend(event, *rule);
    change.remedy = remedy.text;
    changes_.push_back(std::move(change));
    if (!remedy.keeps_event) return note_left_out(event, *rule);
  }
  emit(event);
}

void Repairer::emit(const EventRecord& event) {
  if (!debts_.empty()) forget_old_debt(event);
  state_.apply(event);
  output_->push_back(event);
}

void Repairer::insert(EventKind kind, ThreadId thread, std::uint32_t object, bool serial) {
  const EventRecord event{.kind = kind,
                          .detail = static_cast<std::uint8_t>(serial ? 1 : 0),
                          .thread = thread,
                          .object = object};
  CHECK(!state_.broken_rule(event));
  emit(event);
}

bool Repairer::pays_debt(const EventRecord& event) {
  if (static_cast<std::size_t>(event.kind) >= kEventKindCount) return false;
  if (!is_release(event.kind)) return false;
  const bool as_reader = event.kind == EventKind::reader_release;
  const auto debt = debts_.find(LockHold{event.thread, LockId(event.object), as_reader});
  if (debt == debts_.end() || !state_.can_act(event.thread)) return false;
  Change change{debt->second.rule, "", "left out, as its acquire was left out or ended before",
                true};
  if (explains_) change.problem = describe_event(state_.tables(), event);
  changes_.push_back(std::move(change));
  if (--debt->second.releases == 0) debts_.erase(debt);
  return true;
}

void Repairer::owe_release(const LockHold& hold, std::uint32_t releases, Rule rule) {
  Debt& debt = debts_[hold];
  debt.releases += releases;
  debt.rule = rule;
}

// A thread that takes a lock afresh has forgotten the releases that it owed for it; one
// that takes it back after a wait has not.
void Repairer::forget_old_debt(const EventRecord& event) {
  if (event.kind == EventKind::wait) {
    const auto debt = debts_.find(LockHold{event.thread, event.lock, false});
    if (debt != debts_.end()) debt->second.waits = true;
  }
  if (!is_acquire(event.kind)) return;
  const LockId lock(event.object);
  const bool as_reader = event.kind == EventKind::reader_acquire;
  const auto debt = debts_.find(LockHold{event.thread, lock, as_reader});
  if (debt == debts_.end()) return;
  if (as_reader ? state_.locks().reads(event.thread, lock)
                : state_.locks().holder(lock) == event.thread) {
    return;
  }
  if (debt->second.waits) {
    debt->second.waits = false;
  } else {
    debts_.erase(debt);
  }
}

void Repairer::note_left_out(const EventRecord& event, Rule rule) {
  if (rule == Rule::undefined_object) return;
  if (rule == Rule::event_after_exit) exit_reported_ = true;
  if (is_acquire(event.kind)) {
    const bool as_reader = event.kind == EventKind::reader_acquire;
    owe_release(LockHold{event.thread, LockId(event.object), as_reader}, 1, rule);
  }
  if (begins_something(event.kind)) {
    left_out_.emplace(event.thread, object_type(event.kind), event.object);
  }
}

bool Repairer::is_consequence(const EventRecord& event, Rule rule) {
  if (rule == Rule::event_after_exit) return exit_reported_;
  if (!lacks_beginning(rule)) return false;
  return left_out_.erase({event.thread, object_type(event.kind), event.object}) != 0;
}

Repairer::Remedy Repairer::mend(EventRecord& event, Rule rule) {
  switch (rule) {
    case Rule::undefined_object: return mend_undefined(event);
    case Rule::invalid_detail: return mend_detail(event);
    case Rule::event_after_end:
    case Rule::event_after_join: return mend_thread_over(event);
    case Rule::event_while_waiting: return mend_waiting(event);
    case Rule::event_inside_barrier: return mend_in_barrier(event.thread);
    case Rule::late_fork: return mend_late_fork(event);
    case Rule::join_of_blocked_thread: return mend_blocked_join(event);
    case Rule::foreign_release: return mend_foreign_release(event);
    case Rule::release_in_wrong_mode:
      event.kind = other_mode(event.kind);
      return {true, "made a release of what the thread holds"};
    case Rule::acquire_while_held: return mend_held(event);
    case Rule::reader_event_on_plain_lock:
      event.kind = other_mode(event.kind);
      return {true, "made an event of an exclusive lock"};
    case Rule::wait_on_nested_lock: return mend_nested_wait(event);
    case Rule::wake_without_notify:
      event.kind = EventKind::timeout;
      return {true, "made a timeout"};
    case Rule::timeout_after_notify: event.kind = EventKind::wake; return {true, "made a wake"};
    case Rule::wrong_serial_bit:
      event.detail = event.detail == 0 ? 1 : 0;
      return {true, "its serial bit is changed"};
    case Rule::value_without_writer:
      event.has_value = false;
      event.value = event.old_value = 0;
      return {true, "its value is left out"};
    case Rule::reentrant_acquire: return {false, "left out, and so will be its release"};
    case Rule::wait_without_lock: return {false, "left out, and so will be its wake or timeout"};
    case Rule::event_after_exit:
    case Rule::begin_not_first:
    case Rule::second_begin:
    case Rule::self_fork:
    case Rule::second_fork:
    case Rule::self_join:
    case Rule::release_without_acquire:
    case Rule::failure_on_free_lock:
    case Rule::wake_without_wait:
    case Rule::semaphore_wait_at_zero:
    case Rule::failure_on_positive_semaphore:
    case Rule::leave_without_arrive:
    case Rule::early_leave:
    case Rule::once_already_running:
    case Rule::once_already_done:
    case Rule::once_end_without_begin:
    case Rule::once_pass_before_done:
    case Rule::late_alloc:
    case Rule::second_alloc:
    case Rule::access_after_free:
    case Rule::second_free: return {false, kLeftOut};
  }
  return {false, kLeftOut};
}

Repairer::Remedy Repairer::mend_undefined(EventRecord& event) const {
  if (static_cast<std::size_t>(event.kind) >= kEventKindCount) return {false, kLeftOut};
  if (!state_.tables().sites.contains(event.site)) event.site = SiteId::none();
  if (object_type(event.kind) == ObjectType::none) event.object = 0;
  if (state_.broken_rule(event) == Rule::undefined_object) return {false, kLeftOut};
  return {true, "what is undefined of it is left out"};
}

Repairer::Remedy Repairer::mend_detail(EventRecord& event) const {
  if (info(event.kind).detail == DetailType::memory_order) {
    event.detail = static_cast<std::uint8_t>(MemoryOrder::seq_cst);
    return {true, "its memory order is made seq_cst"};
  }
  event.detail = 0;
  return {true, "its detail is left out"};
}

Repairer::Remedy Repairer::mend_thread_over(EventRecord& event) {
  const ThreadId old = event.thread;
  event.thread = mirror_.add_successor(old);
  if (!event.thread.valid()) {
    event.thread = old;
    return {false, "left out, as there are too many threads for a new one"};
  }
  if (object_type(event.kind) == ObjectType::thread && event.object == old.value()) {
    event.object = event.thread.value();
  }
  return {true, "a new thread does it and all that follows"};
}

Repairer::Remedy Repairer::mend_late_fork(EventRecord& event) {
  const ThreadId child(event.object);
  const Phase phase = state_.thread(child).phase;
  if (phase != Phase::ended && phase != Phase::joined) return {false, kLeftOut};
  const ThreadId successor = mirror_.add_successor(child);
  if (!successor.valid()) return {false, "left out, as there are too many threads for a new one"};
  event.object = successor.value();
  return {true, "made the fork of a new thread"};
}

Repairer::Remedy Repairer::mend_blocked_join(const EventRecord& event) {
  const ThreadId child(event.object);
  if (state_.thread(child).phase == Phase::in_barrier) return mend_in_barrier(child);
  resume_waiter(child);
  return {true, "the end of the wait is put before it"};
}

Repairer::Remedy Repairer::mend_waiting(const EventRecord& event) {
  const LockId lock = state_.thread(event.thread).lock;
  resume_waiter(event.thread);
  if (wants_lock_back(event, lock)) retake_lock(event.thread, lock);
  return {true, "the end of the wait is put before it"};
}

void Repairer::resume_waiter(ThreadId thread) {
  const bool woken = state_.can_wake(thread);
  insert(woken ? EventKind::wake : EventKind::timeout, thread, state_.thread(thread).object);
}

void Repairer::retake_lock(ThreadId thread, LockId lock) {
  if (free_lock(lock)) insert(EventKind::acquire, thread, lock.value());
}

Repairer::Remedy Repairer::mend_in_barrier(ThreadId thread) {
  if (!state_.can_leave(thread)) return {false, kLeftOut};
  insert(EventKind::barrier_leave, thread, state_.thread(thread).object,
         state_.serial_bit(thread).value_or(false));
  return {true, "the thread's leave is put before it"};
}

Repairer::Remedy Repairer::mend_foreign_release(const EventRecord& event) {
  const LockId lock(event.object);
  const bool as_reader = event.kind == EventKind::reader_release;
  const ThreadId holder =
      as_reader ? state_.locks().readers(lock).front().thread : state_.locks().holder(lock);
  if (!state_.can_act(holder)) return {false, "left out, as its holder is over or blocked"};
  EventRecord release = event;
  release.thread = holder;
  emit(release);
  owe_release(LockHold{holder, lock, as_reader}, 1, Rule::foreign_release);
  return {false, "its holder releases it instead"};
}

Repairer::Remedy Repairer::mend_held(const EventRecord& event) {
  if (free_lock(LockId(event.object))) return {true, "a release by the holder is put before it"};
  return {false, "left out with its release, as the holder is over or blocked"};
}

bool Repairer::free_lock(LockId lock) {
  const std::vector<ReaderHold> readers = state_.locks().readers(lock);
  const ThreadId holder = state_.locks().holder(lock);
  for (const ReaderHold& reader : readers) {
    if (!state_.can_act(reader.thread)) return false;
  }
  if (holder.valid() && !state_.can_act(holder)) return false;
  for (const ReaderHold& reader : readers) {
    owe_release(LockHold{reader.thread, lock, true}, reader.count, Rule::acquire_while_held);
    for (std::uint32_t i = 0; i < reader.count; ++i) {
      insert(EventKind::reader_release, reader.thread, lock.value());
    }
  }
  if (!holder.valid()) return true;
  const std::uint32_t depth = state_.locks().depth(lock);
  owe_release(LockHold{holder, lock, false}, depth, Rule::acquire_while_held);
  for (std::uint32_t i = 0; i < depth; ++i) insert(EventKind::release, holder, lock.value());
  return true;
}

Repairer::Remedy Repairer::mend_nested_wait(const EventRecord& event) {
  const std::uint32_t surplus = state_.locks().depth(event.lock) - 1;
  for (std::uint32_t i = 0; i < surplus; ++i) {
    insert(EventKind::release, event.thread, event.lock.value());
  }
  owe_release(LockHold{event.thread, event.lock, false}, surplus, Rule::wait_on_nested_lock);
  return {true, "the nested acquires are released before it"};
}

}  // namespace heddle
