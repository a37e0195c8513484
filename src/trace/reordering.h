// The executable definition of a reordering: could this sequence of a trace's events
// have happened as well? docs/semantics.md has the same in words, rule by rule.
//
// ReorderingState is the state after a sequence: it says which rule an event would
// break if it came next, and takes the event if it breaks none. check_reordering runs a
// whole sequence through it. Slow and obvious on purpose: everything else that makes or
// judges reorderings is tested against this, so it shares no code with any of it.
//
// Cost: a state holds a few words per thread, piece of memory and synchronisation object;
// a step looks at the objects of one event. Which waiters were notified is kept as the
// set of all possible choices, which may grow exponentially with the waiters of one
// condition that are notified one by one.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trace/original_run.h"
#include "trace/trace.h"

namespace heddle {

enum class ReorderingRule : std::uint8_t {
  not_an_event,
  thread_order,
  fork,
  join,
  lock,
  release,
  failed_try,
  wake,
  timeout,
  semaphore,
  failed_semaphore_wait,
  barrier,
  serial,
  once,
  io_order,
  life,
  exit,
  read,
  final_read,
  question,
};
inline constexpr std::size_t kReorderingRuleCount =
    static_cast<std::size_t>(ReorderingRule::question) + 1;

struct ReorderingRuleInfo {
  ReorderingRule rule;
  std::string_view name;
  std::string_view sentence;
};

inline constexpr std::array<ReorderingRuleInfo, kReorderingRuleCount> kReorderingRules = {{
    {ReorderingRule::not_an_event, "not-an-event", "a reordering consists of events of the trace"},
    {ReorderingRule::thread_order, "thread-order",
     "each thread does a prefix of what it did in the trace, in the same order, each event once"},
    {ReorderingRule::fork, "fork", "the fork of a thread precedes all of the thread"},
    {ReorderingRule::join, "join", "all of a thread precedes its join"},
    {ReorderingRule::lock, "lock", "a lock is acquired only when no holder excludes it"},
    {ReorderingRule::release, "release",
     "a lock is released, or given up in a wait, by its holder"},
    {ReorderingRule::failed_try, "failed-try",
     "a try that failed fails again: a holder excludes it"},
    {ReorderingRule::wake, "wake",
     "a thread wakes when a notify could have chosen it while it was blocked"},
    {ReorderingRule::timeout, "timeout",
     "a thread times out while it is blocked and need not be notified"},
    {ReorderingRule::semaphore, "semaphore",
     "a semaphore is waited for successfully when its count is > 0"},
    {ReorderingRule::failed_semaphore_wait, "failed-semaphore-wait",
     "a semaphore wait that failed fails again: the count is 0"},
    {ReorderingRule::barrier, "barrier", "a thread leaves a barrier when all parties have arrived"},
    {ReorderingRule::serial, "serial",
     "the last to arrive, and nobody else, is told that it was the last"},
    {ReorderingRule::once, "once", "a once-block is run by one thread, and passed when it is done"},
    {ReorderingRule::io_order, "io-order", "system calls on one descriptor keep their order"},
    {ReorderingRule::life, "life", "a region is used after its allocation and before it is freed"},
    {ReorderingRule::exit, "exit", "nothing comes after the exit of the process"},
    {ReorderingRule::read, "read", "a read sees the same write as in the trace, byte by byte"},
    {ReorderingRule::final_read, "final-read", "final reads come after all events of the trace"},
    {ReorderingRule::question, "question",
     "nothing follows the event in question; after a read in question other threads may go on"},
}};

constexpr const ReorderingRuleInfo& info(ReorderingRule rule) {
  return kReorderingRules[static_cast<std::size_t>(rule)];
}
constexpr std::string_view name_of(ReorderingRule rule) { return info(rule).name; }

struct ReorderingViolation {
  std::size_t position = 0;  // in the sequence
  EventId event;
  ReorderingRule rule = ReorderingRule::not_an_event;
  std::string explanation;  // in words, with names
};

// Whether an event must have the outcome that it had in the trace (rule 3), or is the
// event in question, whose outcome is free: it only has to be able to happen.
enum class Outcome : std::uint8_t { as_in_trace, free };

struct ReorderingOptions {
  // A read may see another write that left the same value, where values were recorded.
  bool values = false;
  // The last event of the sequence is the event in question.
  bool last_is_question = false;
  // Or this one is. Nothing of its thread may follow; others may if it is a read. This is for
  // the paper's kinds of witness and for a read between two writes of a scope.
  EventId question = EventId::none();
};

class ReorderingState {
 public:
  // The state before the first event. The run has to outlive the state and its copies.
  explicit ReorderingState(const OriginalRun& run, bool values = false);

  // The rule that appending e would break.
  std::optional<ReorderingRule> broken_rule(EventId e,
                                            Outcome outcome = Outcome::as_in_trace) const;
  // The same with an explanation.
  std::optional<ReorderingViolation> violation(EventId e,
                                               Outcome outcome = Outcome::as_in_trace) const;
  // Appends e, which must not break a rule. The event in question has no effect but on memory.
  void append(EventId e, Outcome outcome = Outcome::as_in_trace);

  std::size_t size() const { return size_; }
  bool complete() const;  // all events of the trace have happened
  bool contains(EventId e) const;
  // The thread's next event, whether or not it may come next; none at the thread's end.
  EventId next_event(ThreadId thread) const;
  EventId last_writer(PieceId piece) const { return last_writer_[piece]; }
  bool holds(ThreadId thread, LockId lock) const;  // in either mode
  bool holds_as_reader(ThreadId thread, LockId lock) const;
  // The threads whose holding of the lock keeps the acquire, failed or not, from succeeding.
  std::vector<ThreadId> excluders(EventId acquire) const;
  bool is_waiting(ThreadId thread, ConditionId condition) const;
  // How many have arrived at the barrier so far, and as which of them the thread inside did.
  std::uint32_t arrivals(BarrierId barrier) const { return barriers_[barrier].arrivals; }
  std::uint32_t arrival_of(BarrierId barrier, ThreadId thread) const;

  // Everything that decides about the future, as a string: two states of one trace with
  // the same key allow the same continuations.
  void append_key(std::string& key) const;

 private:
  struct Lock {
    ThreadId writer;          // or the holder of a mutex
    std::uint32_t depth = 0;  // of the writer
    std::map<ThreadId, std::uint32_t> readers;
  };
  struct Condition {
    std::set<ThreadId> waiting;
    // Every set of waiting threads that may be the notified ones.
    std::set<std::set<ThreadId>> notified = {{}};
  };
  struct Barrier {
    std::uint32_t arrivals = 0;
    std::map<ThreadId, std::uint32_t> inside;  // the how-manieth each one arrived
  };
  struct Once {
    bool done = false;
    ThreadId runner;
  };

  const Trace& trace() const { return run_->trace(); }
  bool started(ThreadId thread) const;

  std::optional<ReorderingRule> rule_of_thread(EventId e) const;
  std::optional<ReorderingRule> rule_of_object(EventId e, Outcome outcome) const;
  std::optional<ReorderingRule> rule_of_join(ThreadId thread) const;
  std::optional<ReorderingRule> rule_of_lock(EventId e, Outcome outcome) const;
  std::optional<ReorderingRule> rule_of_condition(EventId e, Outcome outcome) const;
  std::optional<ReorderingRule> rule_of_semaphore(EventId e, Outcome outcome) const;
  std::optional<ReorderingRule> rule_of_barrier(EventId e, Outcome outcome) const;
  std::optional<ReorderingRule> rule_of_once(EventId e, Outcome outcome) const;
  std::optional<ReorderingRule> rule_of_life(RegionId region) const;
  std::optional<ReorderingRule> rule_of_access(EventId e, Outcome outcome) const;
  std::optional<ReorderingRule> rule_of_final_read(EventId e, Outcome outcome) const;
  std::optional<std::size_t> changed_piece(EventId read) const;
  bool may_be(EventId e, bool notified) const;

  void apply(EventId e);
  void apply_to_lock(EventId e);
  void apply_to_condition(EventId e);
  void apply_to_semaphore(EventId e);
  void apply_to_barrier(EventId e);
  void apply_to_once(EventId e);
  void apply_to_memory(EventId e);
  void give_up(LockId id, ThreadId thread);
  void notify(Condition& condition, bool all);
  void stop_waiting(Condition& condition, ThreadId thread, bool notified);

  std::string explain(EventId e, ReorderingRule rule) const;
  std::string explain_object(EventId e, ReorderingRule rule) const;
  std::string explain_order(EventId e, EventId first) const;
  std::string explain_thread_order(EventId e) const;
  std::string explain_join(ThreadId thread) const;
  std::string explain_once(const Once& once) const;
  std::string explain_life(EventId e) const;
  std::string explain_read(EventId e) const;
  std::vector<std::string> names_of(const std::vector<ThreadId>& threads) const;

  const OriginalRun* run_;
  bool values_;
  std::size_t size_ = 0;
  EventId question_;  // once it has happened
  bool exited_ = false;
  Table<ThreadId, std::uint32_t> done_;  // how many events of each thread
  Table<PieceId, EventId> last_writer_;
  Table<LockId, Lock> locks_;
  Table<ConditionId, Condition> conditions_;
  Table<SemaphoreId, std::uint64_t> counts_;
  Table<BarrierId, Barrier> barriers_;
  Table<OnceId, Once> onces_;
};

// Why the sequence is no reordering of the trace; nullopt when it is one. The trace has
// to be well-formed. Final reads may stand at the end of a complete sequence.
std::optional<ReorderingViolation> check_reordering(const Trace& trace,
                                                    std::span<const EventId> sequence,
                                                    const ReorderingOptions& options = {});

}  // namespace heddle
