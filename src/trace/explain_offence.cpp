// A sentence about an offence has a head, what the event does (a verb per kind), and a
// tail, why it cannot (one per rule).
#include "trace/explain_offence.h"

#include <array>

#include <fmt/format.h>

namespace heddle {
namespace {

constexpr std::array<std::string_view, kEventKindCount> kVerbs = {
    "reads",                    // read
    "writes",                   // write
    "reads",                    // atomic_read
    "writes",                   // atomic_write
    "modifies",                 // atomic_rmw
    "fences",                   // fence
    "acquires",                 // acquire
    "releases",                 // release
    "reader-acquires",          // reader_acquire
    "reader-releases",          // reader_release
    "fails to acquire",         // failed_acquire
    "fails to reader-acquire",  // failed_reader_acquire
    "requests",                 // request
    "forks",                    // fork
    "joins",                    // join
    "begins",                   // begin
    "ends",                     // end
    "exits",                    // exit
    "waits on",                 // wait
    "wakes from",               // wake
    "times out on",             // timeout
    "notifies",                 // notify
    "notifies all of",          // notify_all
    "posts to",                 // semaphore_post
    "takes",                    // semaphore_wait
    "fails to take",            // failed_semaphore_wait
    "arrives at",               // barrier_arrive
    "leaves",                   // barrier_leave
    "begins to run",            // once_begin
    "ends",                     // once_end
    "aborts",                   // once_abort
    "passes by",                // once_pass
    "does a system call on",    // io
    "allocates",                // alloc
    "frees",                    // free
    "branches",                 // branch
};

std::string holders(const WellFormed& state, LockId lock) {
  const ThreadId holder = state.locks().holder(lock);
  if (holder.valid()) return state.tables().describe(holder) + " holds";
  const auto& readers = state.locks().readers(lock);
  if (readers.empty()) return "nobody holds";
  const std::string first = state.tables().describe(readers.front().thread);
  if (readers.size() == 1) return first + " reads";
  return fmt::format("{} and {} more read", first, readers.size() - 1);
}

std::string undefined_part(const WellFormed& state, const EventRecord& event) {
  const Tables& tables = state.tables();
  if (static_cast<std::size_t>(event.kind) >= kEventKindCount) {
    return fmt::format("an event has kind {}, which there is not", static_cast<int>(event.kind));
  }
  const std::string_view kind = name_of(event.kind);
  if (!tables.threads.contains(event.thread)) {
    return fmt::format("{} by thread {}, which is not defined", kind, event.thread.value());
  }
  if (event.site.valid() && !tables.sites.contains(event.site)) {
    return fmt::format("{} at site {}, which is not defined", kind, event.site.value());
  }
  const ObjectType type = object_type(event.kind);
  if (type == ObjectType::none) return fmt::format("{} of an object; it has none", kind);
  if (event.object >= tables.object_count(type)) {
    return fmt::format("{} of {} {}, which is not defined", kind, name_of(type), event.object);
  }
  if (event.kind == EventKind::wait) return "wait gives up a lock that is not defined";
  return fmt::format("{} of {}, whose region is not defined", kind,
                     tables.describe(type, event.object));
}

std::string wrong_serial(const WellFormed& state, const EventRecord& event) {
  if (!state.thread(event.thread).last_arriver) {
    return " with the serial return value, but was not the last to arrive";
  }
  return event.detail == 1
             ? " with the serial return value, which an earlier last arriver did not get"
             : " without the serial return value, though it was the last to arrive";
}

std::string wrong_value(const WellFormed& state, const EventRecord& event) {
  const bool modifies = event.kind == EventKind::atomic_rmw;
  return fmt::format(" and sees {}, but {} is there", modifies ? event.old_value : event.value,
                     state.known_value(LocationId(event.object)).value_or(0));
}

std::string blocked_child(const WellFormed& state, const EventRecord& event) {
  const ThreadState& child = state.thread(ThreadId(event.object));
  const bool waits = child.phase == ThreadState::Phase::waiting;
  const ObjectType type = waits ? ObjectType::condition : ObjectType::barrier;
  return fmt::format(", which {} {}", waits ? "waits on" : "stands in",
                     state.tables().describe(type, child.object));
}

std::string name_of_lock(const WellFormed& state, const EventRecord& event) {
  return state.tables().describe(ObjectType::lock, event.lock.value());
}

std::string tail(const WellFormed& state, Rule rule, const EventRecord& event) {
  const Tables& tables = state.tables();
  const ThreadState& self = state.thread(event.thread);
  switch (rule) {
    case Rule::undefined_object: return "";
    case Rule::invalid_detail:
      return fmt::format(" with detail {}, which means nothing here", event.detail);
    case Rule::event_after_exit: return " after the exit of the process";
    case Rule::event_after_end: return " after its end";
    case Rule::event_after_join: return " after it was joined";
    case Rule::event_while_waiting:
      return " while it waits on " + tables.describe(ObjectType::condition, self.object);
    case Rule::event_inside_barrier:
      return " while it stands in " + tables.describe(ObjectType::barrier, self.object);
    case Rule::begin_not_first: return ", but has done something before";
    case Rule::second_begin: return " a second time";
    case Rule::self_fork:
    case Rule::self_join: return ", itself";
    case Rule::second_fork: return ", which was forked before";
    case Rule::late_fork: return ", which has run or was joined before";
    case Rule::join_of_blocked_thread: return blocked_child(state, event);
    case Rule::release_without_acquire: return ", which nobody holds";
    case Rule::foreign_release:
    case Rule::acquire_while_held: return ", which " + holders(state, LockId(event.object));
    case Rule::release_in_wrong_mode:
      return event.kind == EventKind::release ? ", which it holds as a reader"
                                              : ", which it holds as the writer";
    case Rule::reentrant_acquire: return ", which it holds already";
    case Rule::reader_event_on_plain_lock:
      return fmt::format(", which is a {} lock", name_of(tables.locks[LockId(event.object)].kind));
    case Rule::failure_on_free_lock: return ", though it could have had it";
    case Rule::wait_without_lock:
      return fmt::format(" without holding {}", name_of_lock(state, event));
    case Rule::wait_on_nested_lock:
      return fmt::format(" and holds {} {} times", name_of_lock(state, event),
                         state.locks().depth(event.lock));
    case Rule::wake_without_wait: return ", but does not wait on it";
    case Rule::wake_without_notify: return ", but no notify can have woken it";
    case Rule::timeout_after_notify: return ", but a notify has picked it";
    case Rule::semaphore_wait_at_zero: return ", whose count is 0";
    case Rule::failure_on_positive_semaphore: return ", whose count is above 0";
    case Rule::leave_without_arrive: return " without having arrived";
    case Rule::early_leave: return " before all its parties arrived";
    case Rule::wrong_serial_bit: return wrong_serial(state, event);
    case Rule::once_already_running:
      return ", which " + tables.describe(state.runner(OnceId(event.object))) + " runs";
    case Rule::once_already_done: return ", which is done";
    case Rule::once_end_without_begin: return ", which it does not run";
    case Rule::once_pass_before_done: return ", which is not done";
    case Rule::late_alloc: return ", which was used before";
    case Rule::second_alloc: return " a second time";
    case Rule::access_after_free: return ", which is freed";
    case Rule::second_free: return " a second time";
    case Rule::value_without_writer: return wrong_value(state, event);
  }
  return "";
}

}  // namespace

std::string describe_event(const Tables& tables, const EventRecord& event) {
  const std::string_view verb = kVerbs[static_cast<std::size_t>(event.kind)];
  const ObjectType type = object_type(event.kind);
  if (type == ObjectType::none) return fmt::format("{} {}", tables.describe(event.thread), verb);
  return fmt::format("{} {} {}", tables.describe(event.thread), verb,
                     tables.describe(type, event.object));
}

std::string explain_offence(const WellFormed& state, Rule rule, const EventRecord& event) {
  if (rule == Rule::undefined_object) return undefined_part(state, event);
  return describe_event(state.tables(), event) + tail(state, rule, event);
}

}  // namespace heddle
