// Repairer: makes any sequence of events well-formed, event by event.
//
// It follows the repaired trace with a WellFormed. An event that may come next passes
// unchanged; for any other there is a remedy for the rule that it breaks: the event is
// left out, or changed, or events are put before it that make it possible. The remedy is
// applied and the event looked at again, until it may come next or is left out. So the
// output is well-formed whatever the input is, a well-formed input is not changed, and
// nothing is decided by looking ahead: a stream can be repaired as it passes.
//
// What is left out or put in has consequences: when a re-entrant acquire was left out,
// so must be its release, which is no offence of its own. Debts remember these.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include "trace/event.h"
#include "trace/rules.h"
#include "trace/table_mirror.h"
#include "trace/well_formed.h"

namespace heddle {

struct Change {
  Rule rule;
  std::string problem;      // "T2 releases L, which T1 holds"; empty unless asked for
  std::string_view remedy;  // "its holder releases it instead"
  bool consequence;         // of an earlier change, not an offence of its own
};

class Repairer {
 public:
  explicit Repairer(const Tables& original) : mirror_(original), state_(mirror_.tables()) {}
  Repairer(const Repairer&) = delete;
  Repairer& operator=(const Repairer&) = delete;

  // The tables of the repaired trace: those of the original, perhaps with more threads.
  Tables& tables() { return mirror_.tables(); }
  // To be called when the original tables have grown.
  void follow_tables() { mirror_.follow(); }

  // Appends to `output` what the repaired trace has in the place of the original event.
  void take(const EventRecord& original, std::vector<EventRecord>& output);
  // What the last take() changed.
  const std::vector<Change>& changes() const { return changes_; }
  // Whether changes say their problem in words, which takes time.
  void explain(bool yes) { explains_ = yes; }

 private:
  struct Remedy {
    bool keeps_event;
    std::string_view text;
  };
  struct LockHold {
    ThreadId thread;
    LockId lock;
    bool as_reader;
    friend bool operator==(const LockHold&, const LockHold&) = default;
    template <typename H>
    friend H AbslHashValue(H state, const LockHold& hold) {
      return H::combine(std::move(state), hold.thread, hold.lock, hold.as_reader);
    }
  };
  // Releases that are to be left out, because what they release is already free or stays
  // held by an earlier acquire.
  struct Debt {
    std::uint32_t releases = 0;
    Rule rule = Rule::reentrant_acquire;
    bool waits = false;  // the hold is interrupted by a wait, not over
  };

  bool pays_debt(const EventRecord& event);
  void owe_release(const LockHold& hold, std::uint32_t releases, Rule rule);
  void forget_old_debt(const EventRecord& event);
  void note_left_out(const EventRecord& event, Rule rule);
  bool is_consequence(const EventRecord& event, Rule rule);

  Remedy mend(EventRecord& event, Rule rule);
  Remedy mend_undefined(EventRecord& event) const;
  Remedy mend_detail(EventRecord& event) const;
  Remedy mend_thread_over(EventRecord& event);
  Remedy mend_late_fork(EventRecord& event);
  Remedy mend_blocked_join(const EventRecord& event);
  Remedy mend_waiting(const EventRecord& event);
  Remedy mend_in_barrier(ThreadId thread);
  Remedy mend_foreign_release(const EventRecord& event);
  Remedy mend_held(const EventRecord& event);
  Remedy mend_nested_wait(const EventRecord& event);

  // Puts an event before the one that is being looked at.
  void insert(EventKind kind, ThreadId thread, std::uint32_t object, bool serial = false);
  void emit(const EventRecord& event);
  void resume_waiter(ThreadId thread);
  void retake_lock(ThreadId thread, LockId lock);
  // Makes everybody who holds the lock release it; false when somebody cannot.
  bool free_lock(LockId lock);

  TableMirror mirror_;
  WellFormed state_;
  std::vector<EventRecord>* output_ = nullptr;
  std::vector<Change> changes_;
  bool explains_ = true;
  bool exit_reported_ = false;
  absl::flat_hash_map<LockHold, Debt> debts_;
  // Beginnings that were left out and whose other halves are still to come.
  absl::flat_hash_set<std::tuple<ThreadId, ObjectType, std::uint32_t>> left_out_;
};

}  // namespace heddle
