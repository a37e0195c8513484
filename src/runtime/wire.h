// The wire: what the runtime, inside the program, and `heddle record`, around it, agree on.
//
// One memory file, mapped by both: a header, a ring of records that the runtime writes and
// the host takes out, and the schedule to follow, if there is one. The runtime is the only
// writer of `written` and `settled`, the host of `taken`; all three only grow. A record
// below `settled` is final. The one after it may exist already (`written`) without the
// value that its write will leave; the host takes it as it is once the program is dead. So
// nothing that reached the ring is lost, however the program ends, and when the host is
// slow the runtime waits: memory is bounded.
//
// Records name things as the runtime knows them: addresses, and numbers that it gave out
// and defined by a control record before their first use. Turning addresses into regions
// and offsets is for the host (src/record), which has a core of its own.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace heddle::wire {

inline constexpr std::uint64_t kMagic = 0x36305452'4c444548;  // "HEDLRT06"
inline constexpr char kChannelVariable[] = "HEDDLE_CHANNEL";  // number of the open memory file

// A record's type is an EventKind, or one of these.
enum class Control : std::uint8_t {
  thread = 200,  // thread `thread`, child number `extra` of `size`; its stack: object, value
  object,        // object number `object` of ObjectType `detail` at address `value`; `extra`:
                 // lock kind, initial count, parties, or name (SpecialDescriptor)
  stack,         // stack node `object` is a call at `pc` from node `stack`
  module,        // a module at [object, value), text of its path follows
  text,          // up to kTextBytes bytes of the text that belongs to the record before
  region,        // memory [object, value) is region kind `detail` (RegionType)
  blocked,       // at a deadlock: `thread` waits: event kind `detail`, on object number
                 // `object` (or thread), held by thread `value` (kNobody)
  deadlock,      // all `blocked` records were sent; the run ends
  diverged,      // replay: thread `value` was to go on, and `detail` says why it cannot
  unseen,        // something that Heddle does not see: `detail` is an Unseen
  shared,        // [object, value) is touched by several threads, or taken for that from its birth
  late_shared,   // the same, but what was touched there before has been left out
  block,         // a scout's first look: `size` bytes at `object` were allocated; the calls of the
                 // AllocationSite are `value`, `extra`, `pc`
  thread_name,   // the program names thread `thread`; text follows
  stopped,       // the event to stop before comes next, or what was to be tried was tried; the
                 // `blocked` records before it say who waits; the run ends
  frame,         // what follows is about a stack: the call of stack node `stack` by `thread`, whose
                 // function had the stack pointer `object` and the frame pointer `value` at `pc`,
                 // holds memory up to `extra`. Without a `pc`, no call that is seen holds what
                 // lies below `extra`.
  thread_locals,  // [object, value): `thread` has its variables of the module at `extra` there
  values,         // up to kRecordValues more values of the row before
  follows,        // in a row, the access at `value` follows the one at `object`
};

// As LockKind of trace/tables.h, which the runtime cannot include.
enum class LockKind : std::uint8_t { mutex, recursive, readers_writer };
enum class RegionType : std::uint8_t { thread_locals, arguments, initial_stack, mapped };
enum class Divergence : std::uint8_t { finished, unborn, not_ready };
enum class Unseen : std::uint8_t {
  weak_order,       // an atomic operation weaker than seq_cst
  forced_timeout,   // virtual time jumped to a deadline
  quarantine_full,  // memory freed by another thread had to be reused
  forked_process,   // a child process runs unseen
  outside_call,     // a blocking call that left the gate
  new_program,      // exec: this process became another program
  signal_handler,   // the program handles signals that can come at any moment
  shared_memory,    // memory that other processes may write to
  count,
};
enum class SpecialDescriptor : std::uint32_t {
  none,
  clock,
  random,
  environment,
  time_zone,
  stdio,
  text_state,
  outside,
  process,
  count
};

inline constexpr std::uint64_t kNobody = ~std::uint64_t{0};
inline constexpr std::size_t kTextBytes = 32;

enum Flag : std::uint8_t {
  kHasValue = 1,
  kOpenWrite = 2,  // the last value is not there; it is what memory holds at the next operation
};

struct Record {
  std::uint8_t type;
  std::uint8_t detail;
  std::uint8_t flags;
  std::uint8_t text_size;
  std::uint32_t thread;
  std::uint64_t object;
  std::uint64_t value;
  std::uint64_t extra;  // old value of a read-modify-write; lock of a wait; length of a row
  std::uint64_t pc;
  std::uint32_t stack;
  std::uint32_t size;
};
static_assert(sizeof(Record) == 48);

// A text record keeps its bytes from `object` on.
inline char* text_of(Record& record) { return reinterpret_cast<char*>(&record.object); }
inline const char* text_of(const Record& record) {
  return reinterpret_cast<const char*>(&record.object);
}

// A row: plain accesses of one kind and size from one stack, each right behind the one before it in
// memory and in time, as a loop over an array makes them. They are one record, with the address,
// the place (`pc`) and the value of the first; the other values follow in records of their own, and
// the other places by Followers. A single access is a row of one.
inline constexpr std::uint64_t kLongestRow = 256;
inline constexpr std::size_t kRecordValues = 5;
inline std::uint64_t* values_of(Record& record) { return &record.object; }
inline const std::uint64_t* values_of(const Record& record) { return &record.object; }
// How many records of values a row has.
inline constexpr std::uint64_t value_records(std::uint64_t length) {
  return (length - 1 + kRecordValues - 1) / kRecordValues;
}

// Which place comes behind which in a row, as it was the last times. The runtime says what it
// changes (Control::follows), so both ends have the same table.
class Followers {
 public:
  std::uint64_t after(std::uint64_t pc) const {
    const Entry& entry = entries_[slot(pc)];
    return entry.pc == pc ? entry.next : 0;
  }
  void set(std::uint64_t pc, std::uint64_t next) { entries_[slot(pc)] = {pc, next}; }

 private:
  struct Entry {
    std::uint64_t pc;
    std::uint64_t next;
  };
  static constexpr std::size_t kSlots = 2048;
  static std::size_t slot(std::uint64_t pc) { return (pc ^ pc >> 11) % kSlots; }
  Entry entries_[kSlots];
};

// So many events of one thread, one after the other.
struct Run {
  std::uint32_t thread;
  std::uint32_t events : 24;
  std::uint32_t first_kind : 8;
};
static_assert(sizeof(Run) == 8);
inline constexpr std::uint32_t kMaxRun = (1u << 24) - 1;

// Which accesses become records.
enum class Selection : std::uint32_t {
  everything,
  scout,        // none; instead, memory that several threads touch is told (Control::shared)
  shared_only,  // those to memory that several threads touch, as a scout found it
  nothing,      // no records at all, of nothing (exploration)
};

// Header::refused of a run that found no place for its table, or could not be confined.
inline constexpr std::uint32_t kNoScout = ~std::uint32_t{0};

// Memory that several threads touch, by canonical addresses.
struct Range {
  std::uint64_t low;
  std::uint64_t high;
};

// Memory whose place is not fixed (modules first of all) is numbered in the order in which it
// is defined, and its canonical address is kCanonicalBase + number * kCanonicalStep. Heap,
// stacks and arguments lie at fixed addresses, which are canonical.
inline constexpr std::uint64_t kCanonicalBase = 0x5000'0000'0000;
inline constexpr std::uint64_t kCanonicalStep = 0x1'0000'0000;

// Parts of larger blocks are often shared and others not; of smaller ones, all is expected to be.
inline constexpr std::uint64_t kSmallBlock = 4096;

// From where a block is allocated: the allocation and the calls around it, innermost first, by
// canonical addresses.
struct AllocationSite {
  std::uint64_t calls[3];
  friend auto operator<=>(const AllocationSite&, const AllocationSite&) = default;
};

// `explore`: the engine in the program's process decides (exploration.h).
enum class PolicyKind : std::uint32_t { random, pct, round_robin, replay, explore };

inline constexpr std::uint64_t kNoStop = ~std::uint64_t{0};

inline constexpr std::size_t kMostInherited = 16;

struct Settings {
  PolicyKind policy = PolicyKind::random;
  std::uint32_t depth = 3;  // PCT: number of priority changes plus one
  std::uint64_t seed = 0;
  std::uint64_t quantum = 0;         // accesses before a switch is considered; 0: the policy's own
  std::uint64_t steps = 10'000;      // PCT: expected length of the run
  std::uint64_t stop_at = kNoStop;   // replay: stop before this event
  std::uint64_t debugger = 0;        // 1: by a breakpoint; otherwise the run ends there
  std::uint64_t stop_run = kNoStop;  // replay: stop before this run of the schedule, or at its end
  // Replay: from this run on, the schedule says who is to be brought to where it waits: a thread
  // that cannot go on is passed over. Stops after the last one.
  std::uint64_t tries_from = kNoStop;
  std::uint32_t heap_counts = 1;  // 0: the schedule has no allocations and frees
  Selection selection = Selection::everything;
  std::uint32_t follows_steps = 0;  // explore: no search, but the schedule, step by step
  std::int64_t nondet_low = 0;      // explore: any value is one of these
  std::int64_t nondet_high = 1;
  std::uint32_t prints_are_steps = 0;  // explore: so that their order is searched
  // The run must not be noticed (runtime/scout.h). What it prints is held back.
  std::uint32_t confined = 0;
  std::uint32_t input_is_file = 0;  // confined: input can be read without taking it away
  // Confined: descriptors that the program would have got besides the standard ones.
  std::uint32_t inherited_count = 0;
  std::uint32_t inherited[kMostInherited] = {};
  std::uint64_t scout_events = 0;  // a scout ends after so many; 0: with the program
};

// How the engine searches.
struct SearchSettings {
  char strategy[16] = "";        // an algorithm, or preemptions, random, pct
  std::uint64_t executions = 0;  // random, pct
  std::uint64_t seed = 0;
  std::uint32_t depth = 0;            // pct
  std::uint32_t max_preemptions = 0;  // preemptions
  std::uint64_t max_steps = 0;
  std::uint64_t max_executions = 0;  // 0: without limit
  double seconds = 0;                // 0: without limit
  std::uint32_t keep_going = 0;
  std::uint32_t resets_by_fork = 0;
  std::uint32_t collects_outputs = 0;
  // Behind the channel's schedule, which is fixed: a thread whose races are wanted, plus one;
  // whether it takes no step; and the thread that comes first where there is a choice, plus one.
  std::uint32_t paused = 0;
  std::uint32_t leaves_out_paused = 0;
  std::uint32_t first = 0;
  std::uint32_t tells_steps = 0;  // those of the last execution are part of the result
};

struct Header {
  std::uint64_t magic;
  std::uint64_t capacity;  // records, a power of two
  std::uint64_t schedule_runs;
  std::uint64_t shared_ranges;
  std::uint64_t shared_sites;  // whose blocks are expected to be shared
  std::uint64_t result_bytes;  // room for what a search has to say or a program prints, behind all
  Settings settings;
  SearchSettings search;
  // Of a search: executions so far, an estimate of all, and how much was said.
  std::atomic<std::uint64_t> executions;
  std::atomic<double> estimate;
  std::atomic<std::uint64_t> result_size;
  char message[256];  // why the runtime gave up
  alignas(64) std::atomic<std::uint64_t> written;
  std::atomic<std::uint64_t> settled;
  std::atomic<std::uint32_t> attached;  // the runtime found the channel
  std::atomic<std::uint32_t> complete;  // the program came to its end, nothing more follows
  std::atomic<std::uint64_t> left_out;  // accesses so far that became no records
  std::atomic<std::uint32_t> progress;  // counts up now and then while the program runs
  std::atomic<std::uint32_t> refused;   // confined: one more than the system call that ended it
  std::atomic<std::uint32_t> cut;       // a scout ended before the program did
  alignas(64) std::atomic<std::uint64_t> taken;
  std::atomic<std::uint32_t> space;  // counts up as the host takes; futex of the runtime
  std::atomic<std::uint32_t> runtime_waits;
  alignas(64) std::atomic<std::uint32_t> signal;  // counts up; futex of the host
  std::atomic<std::uint32_t> host_waits;
};

inline constexpr std::size_t kRingOffset = 4096;
static_assert(sizeof(Header) <= kRingOffset);
inline constexpr std::size_t ring_bytes(std::uint64_t capacity) {
  return capacity * sizeof(Record);
}
inline constexpr std::size_t channel_bytes(std::uint64_t capacity, std::uint64_t runs,
                                           std::uint64_t ranges, std::uint64_t sites,
                                           std::uint64_t result_bytes) {
  return kRingOffset + ring_bytes(capacity) + runs * sizeof(Run) + ranges * sizeof(Range) +
         sites * sizeof(AllocationSite) + result_bytes;
}
inline Record* ring_of(Header* header) {
  return reinterpret_cast<Record*>(reinterpret_cast<char*>(header) + kRingOffset);
}
inline Run* schedule_of(Header* header) {
  return reinterpret_cast<Run*>(reinterpret_cast<char*>(ring_of(header)) +
                                ring_bytes(header->capacity));
}

inline Range* shared_ranges_of(Header* header) {
  return reinterpret_cast<Range*>(schedule_of(header) + header->schedule_runs);
}

inline AllocationSite* shared_sites_of(Header* header) {
  return reinterpret_cast<AllocationSite*>(shared_ranges_of(header) + header->shared_ranges);
}

inline char* result_of(Header* header) {
  return reinterpret_cast<char*>(shared_sites_of(header) + header->shared_sites);
}

// Header::result_size when something was not as it would be without confinement, and what was
// printed is of no use.
inline constexpr std::uint64_t kUseless = std::uint64_t{1} << 62;

// What a confined program printed, piece by piece: so many bytes follow, for this descriptor.
struct Printed {
  std::uint32_t descriptor;
  std::uint32_t size;
};

}  // namespace heddle::wire
