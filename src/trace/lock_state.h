// Who holds which lock, and what that allows.
//
// A lock has one exclusive holder with a depth, or readers with a count each; what the
// three kinds of lock differ in is only when a holder may come again. All questions are
// answered from a dense table; the readers of a lock are few and kept in a list.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/growing_table.h"
#include "trace/event.h"
#include "trace/rules.h"
#include "trace/tables.h"

namespace heddle {

struct ReaderHold {
  ThreadId thread;
  std::uint32_t count;
};

class LockStates {
 public:
  explicit LockStates(const Tables& tables) : tables_(&tables) {}

  // The rule that an event on a lock would break if it came next.
  std::optional<Rule> broken_rule(const EventRecord& event) const;
  // The same for a wait, which gives up `lock`.
  std::optional<Rule> broken_by_wait(ThreadId thread, LockId lock) const;
  void apply(const EventRecord& event);
  // An exclusive release that breaks no rule; a wait contains one.
  void release(LockId lock);

  // The exclusive holder, or none.
  ThreadId holder(LockId lock) const { return locks_[lock].holder; }
  std::uint32_t depth(LockId lock) const { return locks_[lock].depth; }
  const std::vector<ReaderHold>& readers(LockId lock) const { return readers_[lock]; }
  bool reads(ThreadId thread, LockId lock) const;

 private:
  struct LockState {
    ThreadId holder;
    std::uint32_t depth = 0;
    bool has_readers = false;
  };

  std::optional<Rule> broken_by_acquire(ThreadId thread, LockId lock) const;
  std::optional<Rule> broken_by_release(ThreadId thread, LockId lock) const;
  std::optional<Rule> broken_by_reader_event(EventKind kind, ThreadId thread, LockId lock) const;
  std::optional<Rule> broken_by_reader_release(ThreadId thread, LockId lock) const;
  std::optional<Rule> broken_by_failure(ThreadId thread, LockId lock) const;

  void acquire(ThreadId thread, LockId lock);
  void acquire_reader(ThreadId thread, LockId lock);
  void release_reader(ThreadId thread, LockId lock);

  const Tables* tables_;
  GrowingTable<LockId, LockState> locks_;
  GrowingTable<LockId, std::vector<ReaderHold>> readers_;
};

}  // namespace heddle
