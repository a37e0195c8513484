// WellFormed: the state machine of an observed trace.
//
// It follows the events of a run in their order and says of each whether it can come
// next: locks have one holder, a blocked thread does not act, a read sees what was
// written last, and so on (rules.h lists the rules, docs/well-formed.md explains them).
// Where a trace leaves a choice open, an event is refused only if it fits none of the
// possible choices (wait_queue.h, last_values.h).
//
// The tables may grow between two events. Cost: a few table look-ups per event, no
// allocation and no hashing on the way of reads, writes and locks.
#pragma once

#include <cstdint>
#include <optional>

#include "base/growing_table.h"
#include "trace/event.h"
#include "trace/last_values.h"
#include "trace/lock_state.h"
#include "trace/rules.h"
#include "trace/tables.h"
#include "trace/wait_queue.h"

namespace heddle {

struct ThreadState {
  enum class Phase : std::uint8_t {
    unseen,
    forked,  // but has done nothing yet
    running,
    waiting,     // on condition `object`, for `lock`
    in_barrier,  // `object`, in its `generation`
    ended,
    joined,
  };
  Phase phase = Phase::unseen;
  bool begun = false;
  bool last_arriver = false;
  std::uint32_t object = 0;
  std::uint32_t generation = 0;
  LockId lock;
};

struct BarrierState {
  std::uint32_t generation = 0;
  std::uint32_t arrived = 0;     // of this generation
  bool reports_serial = false;   // a last arriver left with the serial bit
  bool conceals_serial = false;  // a last arriver left without it
};

struct OnceState {
  ThreadId runner;
  bool done = false;
};

struct RegionState {
  bool accessed = false;
  bool allocated = false;
  bool freed = false;
};

class WellFormed {
 public:
  explicit WellFormed(const Tables& tables)
      : tables_(&tables), locks_(tables), last_values_(tables) {}

  // Whether the event may come next, and if not, why not.
  std::optional<Offence> check(const EventRecord& event) const;
  // The same without the words.
  std::optional<Rule> broken_rule(const EventRecord& event) const;
  // Takes an event that breaks no rule.
  void apply(const EventRecord& event);

  const Tables& tables() const { return *tables_; }
  const LockStates& locks() const { return locks_; }
  const ThreadState& thread(ThreadId thread) const { return threads_[thread]; }
  // Whether the thread can do something other than going on from where it is blocked.
  bool can_act(ThreadId thread) const;
  // Whether a waiting thread can have been notified.
  bool can_wake(ThreadId thread) const;
  // Whether a thread in a barrier can leave it, and with which serial bit; nothing when
  // both would do.
  bool can_leave(ThreadId thread) const;
  std::optional<bool> serial_bit(ThreadId thread) const;
  ThreadId runner(OnceId once) const { return onces_[once].runner; }
  std::optional<std::uint64_t> known_value(LocationId location) const {
    return last_values_.known(location);
  }

 private:
  std::optional<Rule> broken_by_numbers(const EventRecord& event) const;
  std::optional<Rule> broken_by_thread(const EventRecord& event) const;
  std::optional<Rule> broken_by_object(const EventRecord& event) const;
  std::optional<Rule> broken_by_access(const EventRecord& event) const;
  std::optional<Rule> broken_by_begin(const EventRecord& event) const;
  std::optional<Rule> broken_by_fork(const EventRecord& event) const;
  std::optional<Rule> broken_by_join(const EventRecord& event) const;
  std::optional<Rule> broken_by_condition(const EventRecord& event) const;
  std::optional<Rule> broken_by_semaphore(const EventRecord& event) const;
  std::optional<Rule> broken_by_barrier(const EventRecord& event) const;
  std::optional<Rule> broken_by_once(const EventRecord& event) const;
  std::optional<Rule> broken_by_region(const EventRecord& event) const;

  void apply_access(const EventRecord& event);
  void apply_thread(const EventRecord& event);
  void apply_plain(const EventRecord& event);
  void apply_condition(const EventRecord& event);
  void apply_semaphore(const EventRecord& event);
  void apply_barrier(const EventRecord& event);
  void apply_once(const EventRecord& event);
  void apply_region(const EventRecord& event);
  void arrive(ThreadId thread, BarrierId barrier);
  void leave(ThreadId thread, BarrierId barrier, bool serial);

  const Tables* tables_;
  bool exited_ = false;
  GrowingTable<ThreadId, ThreadState> threads_;
  LockStates locks_;
  LastValues last_values_;
  GrowingTable<ConditionId, WaitQueue> conditions_;
  GrowingTable<SemaphoreId, std::int64_t> posts_;  // minus successful waits
  GrowingTable<BarrierId, BarrierState> barriers_;
  GrowingTable<OnceId, OnceState> onces_;
  GrowingTable<RegionId, RegionState> regions_;
};

}  // namespace heddle
