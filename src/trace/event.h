// Events: what kinds there are, and one event as a record.
//
// Everything that the code needs to know about a kind (its names, the type of its
// object, what it does to memory) stands in one table, kEventKinds. To add a kind:
// add an enumerator, its row, and its meaning in docs/semantics.md; the compiler and
// the tests name the switches that have to learn it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/index.h"

namespace heddle {

using EventId = Index<struct EventTag>;
using ThreadId = Index<struct ThreadTag>;
using SiteId = Index<struct SiteTag>;
using LocationId = Index<struct LocationTag>;
using RegionId = Index<struct RegionTag>;
using LockId = Index<struct LockTag>;
using ConditionId = Index<struct ConditionTag>;
using SemaphoreId = Index<struct SemaphoreTag>;
using BarrierId = Index<struct BarrierTag>;
using OnceId = Index<struct OnceTag>;
using DescriptorId = Index<struct DescriptorTag>;

// The implicit write that every location has before the first event.
inline constexpr EventId kInitialWrite{0xfffffffe};

enum class EventKind : std::uint8_t {
  read,
  write,
  atomic_read,  // a failed compare-and-swap is one too
  atomic_write,
  atomic_rmw,
  fence,
  acquire,
  release,
  reader_acquire,
  reader_release,
  failed_acquire,  // a try that failed, or a timed acquire that gave up
  failed_reader_acquire,
  request,  // about to acquire; no effect of its own
  fork,
  join,
  begin,
  end,
  exit,  // of the whole process
  wait,  // gives up its lock and blocks on a condition, in one step
  wake,  // was notified; takes its lock again by an acquire of its own
  timeout,
  notify,
  notify_all,
  semaphore_post,
  semaphore_wait,
  failed_semaphore_wait,
  barrier_arrive,
  barrier_leave,
  once_begin,
  once_end,
  once_abort,  // the initialiser threw: the next caller tries again
  once_pass,   // found it done
  io,          // a system call on a descriptor
  alloc,
  free,
  branch,  // a decision on what was read; no effect of its own
};
inline constexpr std::size_t kEventKindCount = static_cast<std::size_t>(EventKind::branch) + 1;

enum class ObjectType : std::uint8_t {
  none,
  location,
  region,
  lock,
  thread,
  condition,
  semaphore,
  barrier,
  once,
  descriptor,
};
inline constexpr std::size_t kObjectTypeCount =
    static_cast<std::size_t>(ObjectType::descriptor) + 1;

// What the bits of an event's detail mean depends on its kind.
enum class DetailType : std::uint8_t {
  none,
  memory_order,  // atomics and fences
  tried,         // bit 0: would have given up instead of waiting (try_lock, timed lock)
  serial,        // bit 0: got the barrier's "serial thread" return value
};

enum class MemoryOrder : std::uint8_t { relaxed, consume, acquire, release, acq_rel, seq_cst };
inline constexpr std::size_t kMemoryOrderCount = 6;

struct EventKindInfo {
  EventKind kind;
  std::string_view name;      // in JSON, messages and columns
  std::string_view std_name;  // in the STD text format
  ObjectType object;
  DetailType detail;
  bool reads;   // sees the value of a location
  bool writes;  // changes it
};

inline constexpr std::array<EventKindInfo, kEventKindCount> kEventKinds = {{
    {EventKind::read, "read", "r", ObjectType::location, DetailType::none, true, false},
    {EventKind::write, "write", "w", ObjectType::location, DetailType::none, false, true},
    {EventKind::atomic_read, "atomic-read", "ar", ObjectType::location, DetailType::memory_order,
     true, false},
    {EventKind::atomic_write, "atomic-write", "aw", ObjectType::location, DetailType::memory_order,
     false, true},
    {EventKind::atomic_rmw, "atomic-rmw", "rmw", ObjectType::location, DetailType::memory_order,
     true, true},
    {EventKind::fence, "fence", "fence", ObjectType::none, DetailType::memory_order, false, false},
    {EventKind::acquire, "acquire", "acq", ObjectType::lock, DetailType::tried, false, false},
    {EventKind::release, "release", "rel", ObjectType::lock, DetailType::none, false, false},
    {EventKind::reader_acquire, "reader-acquire", "racq", ObjectType::lock, DetailType::tried,
     false, false},
    {EventKind::reader_release, "reader-release", "rrel", ObjectType::lock, DetailType::none, false,
     false},
    {EventKind::failed_acquire, "failed-acquire", "tryfail", ObjectType::lock, DetailType::none,
     false, false},
    {EventKind::failed_reader_acquire, "failed-reader-acquire", "rtryfail", ObjectType::lock,
     DetailType::none, false, false},
    {EventKind::request, "request", "req", ObjectType::lock, DetailType::none, false, false},
    {EventKind::fork, "fork", "fork", ObjectType::thread, DetailType::none, false, false},
    {EventKind::join, "join", "join", ObjectType::thread, DetailType::none, false, false},
    {EventKind::begin, "begin", "begin", ObjectType::none, DetailType::none, false, false},
    {EventKind::end, "end", "end", ObjectType::none, DetailType::none, false, false},
    {EventKind::exit, "exit", "exit", ObjectType::none, DetailType::none, false, false},
    {EventKind::wait, "wait", "wait", ObjectType::condition, DetailType::none, false, false},
    {EventKind::wake, "wake", "wake", ObjectType::condition, DetailType::none, false, false},
    {EventKind::timeout, "timeout", "timeout", ObjectType::condition, DetailType::none, false,
     false},
    {EventKind::notify, "notify", "notify", ObjectType::condition, DetailType::none, false, false},
    {EventKind::notify_all, "notify-all", "notifyall", ObjectType::condition, DetailType::none,
     false, false},
    {EventKind::semaphore_post, "semaphore-post", "post", ObjectType::semaphore, DetailType::none,
     false, false},
    {EventKind::semaphore_wait, "semaphore-wait", "semwait", ObjectType::semaphore,
     DetailType::tried, false, false},
    {EventKind::failed_semaphore_wait, "failed-semaphore-wait", "semfail", ObjectType::semaphore,
     DetailType::none, false, false},
    {EventKind::barrier_arrive, "barrier-arrive", "arrive", ObjectType::barrier, DetailType::none,
     false, false},
    {EventKind::barrier_leave, "barrier-leave", "leave", ObjectType::barrier, DetailType::serial,
     false, false},
    {EventKind::once_begin, "once-begin", "oncebegin", ObjectType::once, DetailType::none, false,
     false},
    {EventKind::once_end, "once-end", "onceend", ObjectType::once, DetailType::none, false, false},
    {EventKind::once_abort, "once-abort", "onceabort", ObjectType::once, DetailType::none, false,
     false},
    {EventKind::once_pass, "once-pass", "oncepass", ObjectType::once, DetailType::none, false,
     false},
    {EventKind::io, "io", "io", ObjectType::descriptor, DetailType::none, false, false},
    {EventKind::alloc, "alloc", "alloc", ObjectType::region, DetailType::none, false, false},
    {EventKind::free, "free", "free", ObjectType::region, DetailType::none, false, false},
    {EventKind::branch, "branch", "branch", ObjectType::none, DetailType::none, false, false},
}};

constexpr const EventKindInfo& info(EventKind kind) {
  return kEventKinds[static_cast<std::size_t>(kind)];
}
constexpr std::string_view name_of(EventKind kind) { return info(kind).name; }
constexpr ObjectType object_type(EventKind kind) { return info(kind).object; }

constexpr bool is_access(EventKind kind) { return object_type(kind) == ObjectType::location; }
constexpr bool is_atomic(EventKind kind) {
  return is_access(kind) && info(kind).detail == DetailType::memory_order;
}
constexpr bool reads(EventKind kind) { return info(kind).reads; }
constexpr bool writes(EventKind kind) { return info(kind).writes; }

std::optional<EventKind> event_kind_named(std::string_view name);
std::string_view name_of(ObjectType type);
std::string_view name_of(MemoryOrder order);
std::optional<MemoryOrder> memory_order_named(std::string_view name);

constexpr bool is_acquire_order(MemoryOrder order) {
  return order == MemoryOrder::consume || order == MemoryOrder::acquire ||
         order == MemoryOrder::acq_rel || order == MemoryOrder::seq_cst;
}
constexpr bool is_release_order(MemoryOrder order) {
  return order == MemoryOrder::release || order == MemoryOrder::acq_rel ||
         order == MemoryOrder::seq_cst;
}

// One event on its way between a reader, a filter and a writer; a Trace keeps the
// same fields as separate arrays. Which id space `object` belongs to follows from
// the kind; it is 0 where the kind has no object.
struct EventRecord {
  EventKind kind = EventKind::branch;
  std::uint8_t detail = 0;
  bool has_value = false;  // value (and, for a read-modify-write, old_value) was recorded
  ThreadId thread = ThreadId(0);
  std::uint32_t object = 0;
  SiteId site = SiteId::none();  // none when unknown
  LockId lock = LockId::none();  // wait only: the lock that it gives up
  std::uint64_t value = 0;       // read, or written
  std::uint64_t old_value = 0;   // atomic_rmw only: what it read

  MemoryOrder order() const { return static_cast<MemoryOrder>(detail); }
  friend bool operator==(const EventRecord&, const EventRecord&) = default;
};

// Whether `detail` is a value that an event of this kind may carry.
constexpr bool valid_detail(EventKind kind, std::uint8_t detail) {
  switch (info(kind).detail) {
    case DetailType::none: return detail == 0;
    case DetailType::memory_order: return detail < kMemoryOrderCount;
    case DetailType::tried:
    case DetailType::serial: return detail <= 1;
  }
  return false;
}

}  // namespace heddle
