#include "trace/well_formed.h"

#include "trace/explain_offence.h"

namespace heddle {
namespace {

using Phase = ThreadState::Phase;

bool leaves_wait(const EventRecord& event) {
  return event.kind == EventKind::wake || event.kind == EventKind::timeout;
}

std::uint64_t value_seen(const EventRecord& event) {
  return event.kind == EventKind::atomic_rmw ? event.old_value : event.value;
}

bool object_defined(const Tables& tables, const EventRecord& event) {
  switch (object_type(event.kind)) {
    case ObjectType::none: return event.object == 0;
    case ObjectType::location: {
      const LocationId location(event.object);
      if (!tables.locations.contains(location)) return false;
      const RegionId region = tables.locations[location].region;
      return !region.valid() || tables.regions.contains(region);
    }
    case ObjectType::lock: return tables.locks.contains(LockId(event.object));
    default:
      return event.object < tables.object_count(object_type(event.kind)) &&
             (event.kind != EventKind::wait || tables.locks.contains(event.lock));
  }
}

}  // namespace

std::optional<Offence> WellFormed::check(const EventRecord& event) const {
  const std::optional<Rule> rule = broken_rule(event);
  if (!rule) return std::nullopt;
  return Offence{*rule, explain_offence(*this, *rule, event)};
}

std::optional<Rule> WellFormed::broken_rule(const EventRecord& event) const {
  if (const auto rule = broken_by_numbers(event)) return rule;
  if (exited_) return Rule::event_after_exit;
  if (threads_[event.thread].phase != Phase::running) {
    if (const auto rule = broken_by_thread(event)) return rule;
  }
  return broken_by_object(event);
}

std::optional<Rule> WellFormed::broken_by_numbers(const EventRecord& event) const {
  if (static_cast<std::size_t>(event.kind) >= kEventKindCount) return Rule::undefined_object;
  if (!tables_->threads.contains(event.thread)) return Rule::undefined_object;
  if (!object_defined(*tables_, event)) return Rule::undefined_object;
  if (event.site.valid() && !tables_->sites.contains(event.site)) return Rule::undefined_object;
  return broken_unless(valid_detail(event.kind, event.detail), Rule::invalid_detail);
}

std::optional<Rule> WellFormed::broken_by_thread(const EventRecord& event) const {
  const ThreadState& state = threads_[event.thread];
  switch (state.phase) {
    case Phase::unseen:
    case Phase::forked:
    case Phase::running: return std::nullopt;
    case Phase::waiting:
      return broken_unless(leaves_wait(event) && event.object == state.object,
                           Rule::event_while_waiting);
    case Phase::in_barrier:
      return broken_unless(event.kind == EventKind::barrier_leave && event.object == state.object,
                           Rule::event_inside_barrier);
    case Phase::ended: return Rule::event_after_end;
    case Phase::joined: return Rule::event_after_join;
  }
  return std::nullopt;
}

std::optional<Rule> WellFormed::broken_by_object(const EventRecord& event) const {
  switch (object_type(event.kind)) {
    case ObjectType::location: return broken_by_access(event);
    case ObjectType::lock: return locks_.broken_rule(event);
    case ObjectType::thread:
      return event.kind == EventKind::fork ? broken_by_fork(event) : broken_by_join(event);
    case ObjectType::condition: return broken_by_condition(event);
    case ObjectType::semaphore: return broken_by_semaphore(event);
    case ObjectType::barrier: return broken_by_barrier(event);
    case ObjectType::once: return broken_by_once(event);
    case ObjectType::region: return broken_by_region(event);
    case ObjectType::none: return broken_by_begin(event);
    case ObjectType::descriptor: return std::nullopt;
  }
  return std::nullopt;
}

std::optional<Rule> WellFormed::broken_by_access(const EventRecord& event) const {
  const LocationId location(event.object);
  const RegionId region = tables_->locations[location].region;
  if (region.valid() && regions_[region].freed) return Rule::access_after_free;
  if (!event.has_value || !reads(event.kind)) return std::nullopt;
  const auto known = last_values_.known(location);
  return broken_unless(!known || *known == value_seen(event), Rule::value_without_writer);
}

std::optional<Rule> WellFormed::broken_by_begin(const EventRecord& event) const {
  const ThreadState& state = threads_[event.thread];
  if (event.kind != EventKind::begin || state.phase != Phase::running) return std::nullopt;
  return state.begun ? Rule::second_begin : Rule::begin_not_first;
}

std::optional<Rule> WellFormed::broken_by_fork(const EventRecord& event) const {
  const ThreadId child(event.object);
  if (child == event.thread) return Rule::self_fork;
  const Phase phase = threads_[child].phase;
  if (phase == Phase::forked) return Rule::second_fork;
  return broken_unless(phase == Phase::unseen, Rule::late_fork);
}

std::optional<Rule> WellFormed::broken_by_join(const EventRecord& event) const {
  const ThreadId child(event.object);
  if (child == event.thread) return Rule::self_join;
  const Phase phase = threads_[child].phase;
  return broken_unless(phase != Phase::waiting && phase != Phase::in_barrier,
                       Rule::join_of_blocked_thread);
}

std::optional<Rule> WellFormed::broken_by_condition(const EventRecord& event) const {
  if (event.kind == EventKind::wait) return locks_.broken_by_wait(event.thread, event.lock);
  if (!leaves_wait(event)) return std::nullopt;
  if (threads_[event.thread].phase != Phase::waiting) return Rule::wake_without_wait;
  const WaitQueue& queue = conditions_[ConditionId(event.object)];
  return event.kind == EventKind::wake
             ? broken_unless(queue.can_wake(event.thread), Rule::wake_without_notify)
             : broken_unless(queue.can_time_out(event.thread), Rule::timeout_after_notify);
}

std::optional<Rule> WellFormed::broken_by_semaphore(const EventRecord& event) const {
  const SemaphoreId semaphore(event.object);
  const std::int64_t count = tables_->semaphores[semaphore].initial + posts_[semaphore];
  if (event.kind == EventKind::semaphore_wait) {
    return broken_unless(count > 0, Rule::semaphore_wait_at_zero);
  }
  if (event.kind == EventKind::failed_semaphore_wait) {
    return broken_unless(count == 0, Rule::failure_on_positive_semaphore);
  }
  return std::nullopt;
}

std::optional<Rule> WellFormed::broken_by_barrier(const EventRecord& event) const {
  if (event.kind == EventKind::barrier_arrive) return std::nullopt;
  if (threads_[event.thread].phase != Phase::in_barrier) return Rule::leave_without_arrive;
  if (!can_leave(event.thread)) return Rule::early_leave;
  const std::optional<bool> serial = serial_bit(event.thread);
  return broken_unless(!serial || *serial == (event.detail == 1), Rule::wrong_serial_bit);
}

std::optional<Rule> WellFormed::broken_by_once(const EventRecord& event) const {
  const OnceState& state = onces_[OnceId(event.object)];
  switch (event.kind) {
    case EventKind::once_begin:
      if (state.done) return Rule::once_already_done;
      return broken_unless(!state.runner.valid(), Rule::once_already_running);
    case EventKind::once_pass: return broken_unless(state.done, Rule::once_pass_before_done);
    default: return broken_unless(state.runner == event.thread, Rule::once_end_without_begin);
  }
}

std::optional<Rule> WellFormed::broken_by_region(const EventRecord& event) const {
  const RegionState& state = regions_[RegionId(event.object)];
  if (event.kind == EventKind::free) return broken_unless(!state.freed, Rule::second_free);
  if (state.allocated) return Rule::second_alloc;
  return broken_unless(!state.accessed && !state.freed, Rule::late_alloc);
}

bool WellFormed::can_act(ThreadId thread) const {
  const Phase phase = threads_[thread].phase;
  return !exited_ && (phase == Phase::running || phase == Phase::forked || phase == Phase::unseen);
}

bool WellFormed::can_wake(ThreadId thread) const {
  return conditions_[ConditionId(threads_[thread].object)].can_wake(thread);
}

bool WellFormed::can_leave(ThreadId thread) const {
  const ThreadState& state = threads_[thread];
  return barriers_[BarrierId(state.object)].generation != state.generation;
}

std::optional<bool> WellFormed::serial_bit(ThreadId thread) const {
  const ThreadState& state = threads_[thread];
  const BarrierState& barrier = barriers_[BarrierId(state.object)];
  if (!state.last_arriver || barrier.conceals_serial) return false;
  return barrier.reports_serial ? std::optional(true) : std::nullopt;
}

void WellFormed::apply(const EventRecord& event) {
  ThreadState& state = threads_.at(event.thread);
  if (state.phase <= Phase::forked) state.phase = Phase::running;
  switch (object_type(event.kind)) {
    case ObjectType::location: return apply_access(event);
    case ObjectType::lock: return locks_.apply(event);
    case ObjectType::thread: return apply_thread(event);
    case ObjectType::condition: return apply_condition(event);
    case ObjectType::semaphore: return apply_semaphore(event);
    case ObjectType::barrier: return apply_barrier(event);
    case ObjectType::once: return apply_once(event);
    case ObjectType::region: return apply_region(event);
    case ObjectType::none: return apply_plain(event);
    case ObjectType::descriptor: return;
  }
}

void WellFormed::apply_access(const EventRecord& event) {
  const LocationId location(event.object);
  const RegionId region = tables_->locations[location].region;
  if (region.valid()) regions_.at(region).accessed = true;
  if (writes(event.kind)) {
    last_values_.write(location, event.has_value ? std::optional(event.value) : std::nullopt);
  } else if (event.has_value) {
    last_values_.read(location, event.value);
  }
}

void WellFormed::apply_thread(const EventRecord& event) {
  threads_.at(ThreadId(event.object)).phase =
      event.kind == EventKind::fork ? Phase::forked : Phase::joined;
}

void WellFormed::apply_plain(const EventRecord& event) {
  ThreadState& state = threads_.at(event.thread);
  if (event.kind == EventKind::begin) state.begun = true;
  if (event.kind == EventKind::end) state.phase = Phase::ended;
  if (event.kind == EventKind::exit) exited_ = true;
}

void WellFormed::apply_condition(const EventRecord& event) {
  ThreadState& state = threads_.at(event.thread);
  WaitQueue& queue = conditions_.at(ConditionId(event.object));
  if (event.kind == EventKind::notify) return queue.notify();
  if (event.kind == EventKind::notify_all) return queue.notify_all();
  if (event.kind == EventKind::wait) {
    locks_.release(event.lock);
    queue.wait(event.thread);
    state.phase = Phase::waiting;
    state.object = event.object;
    state.lock = event.lock;
    return;
  }
  state.phase = Phase::running;
  if (event.kind == EventKind::wake) return queue.wake(event.thread);
  return queue.time_out(event.thread);
}

void WellFormed::apply_semaphore(const EventRecord& event) {
  std::int64_t& posts = posts_.at(SemaphoreId(event.object));
  if (event.kind == EventKind::semaphore_post) ++posts;
  if (event.kind == EventKind::semaphore_wait) --posts;
}

void WellFormed::apply_barrier(const EventRecord& event) {
  const BarrierId barrier(event.object);
  if (event.kind == EventKind::barrier_arrive) return arrive(event.thread, barrier);
  return leave(event.thread, barrier, event.detail == 1);
}

void WellFormed::arrive(ThreadId thread, BarrierId barrier) {
  BarrierState& state = barriers_.at(barrier);
  ThreadState& arriver = threads_.at(thread);
  arriver.phase = Phase::in_barrier;
  arriver.object = barrier.value();
  arriver.generation = state.generation;
  ++state.arrived;
  arriver.last_arriver = state.arrived >= tables_->barriers[barrier].parties;
  if (!arriver.last_arriver) return;
  ++state.generation;
  state.arrived = 0;
}

void WellFormed::leave(ThreadId thread, BarrierId barrier, bool serial) {
  BarrierState& state = barriers_.at(barrier);
  ThreadState& leaver = threads_.at(thread);
  leaver.phase = Phase::running;
  if (leaver.last_arriver) (serial ? state.reports_serial : state.conceals_serial) = true;
}

void WellFormed::apply_once(const EventRecord& event) {
  OnceState& state = onces_.at(OnceId(event.object));
  if (event.kind == EventKind::once_begin) {
    state.runner = event.thread;
  } else if (event.kind != EventKind::once_pass) {
    state.runner = ThreadId::none();
    state.done = event.kind == EventKind::once_end;
  }
}

void WellFormed::apply_region(const EventRecord& event) {
  RegionState& state = regions_.at(RegionId(event.object));
  (event.kind == EventKind::alloc ? state.allocated : state.freed) = true;
}

}  // namespace heddle
