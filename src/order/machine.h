// Runs events of a trace in any order that the rules of a reordering allow, and takes them back.
//
// The state is what decides about the future: how far each thread is, the last version of each
// cell, who holds which lock, and so on. A step changes a few words and puts the old ones on a
// trail. Its hash is kept up to date with every step, 128 bits wide, so that a search can tell
// whether it has been in a state before at the price of a look into a table.
//
// docs/semantics.md defines the rules; trace/reordering.h is the slow twin, which shares no
// code with this.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "order/facts.h"
#include "order/wait_tokens.h"

namespace heddle::order {

class Machine {
 public:
  using Hash = std::pair<std::uint64_t, std::uint64_t>;

  explicit Machine(const Facts& facts);

  std::uint32_t done(ThreadId thread) const { return done_[thread.value()]; }
  const std::vector<std::uint32_t>& done() const { return done_; }
  bool contains(EventId e) const { return facts_.node(e).index < done(trace().thread(e)); }
  VersionId last_version(CellId cell) const { return last_version_[cell]; }
  const WaitTokens& waiting(ConditionId condition) const { return conditions_[condition]; }
  std::uint32_t arrivals(BarrierId barrier) const { return barriers_[barrier].arrivals; }
  std::uint32_t arrival_of(BarrierId barrier, ThreadId thread) const;

  // Whether e, its thread's next event, can come next with the outcome that it had; or as the
  // event in question, with any outcome.
  bool can_happen(EventId e) const;
  bool can_be_asked(EventId e) const;

  void step(EventId e);
  // Appends e as the event in question: it changes memory and nothing else.
  void ask(EventId e);
  void take_back();  // the last step
  // Makes the state the beginning: the steps so far are no longer known and stay.
  void forget_past();

  std::size_t size() const { return trail_.size(); }
  EventId step_at(std::size_t i) const { return trail_[i].event; }
  std::vector<EventId> sequence() const;
  Hash hash() const { return hash_; }

 private:
  struct Lock {
    ThreadId writer;
    std::uint32_t depth = 0;
    std::uint32_t readers = 0;
  };
  struct Barrier {
    std::uint32_t arrivals = 0;
    std::vector<std::pair<ThreadId, std::uint32_t>> inside;  // and as the how-manieth
  };
  struct Once {
    bool done = false;
    ThreadId runner;
  };
  struct Step {
    EventId event;
    EventId question;              // before it
    std::uint32_t saved_versions;  // how many there were before it
    std::uint32_t saved_rows;
    std::uint32_t number = 0;  // what else has to be put back
  };

  const Trace& trace() const { return facts_.trace(); }
  bool thread_can_go_on(EventId e) const;
  bool life_allows(RegionId region) const;
  bool object_allows(EventId e, bool free) const;
  bool lock_allows(EventId e, bool free) const;
  bool excluded(EventId acquire, bool as_reader) const;
  bool condition_allows(EventId e, bool free) const;
  bool barrier_allows(EventId e, bool free) const;
  bool once_allows(EventId e, bool free) const;
  bool access_allows(EventId e, bool free) const;
  bool join_allows(ThreadId thread) const;

  void advance(EventId e);
  void apply(EventId e);
  void apply_to_memory(EventId e);
  void apply_to_lock(EventId e);
  void apply_to_condition(EventId e);
  void apply_to_barrier(EventId e);
  void apply_to_once(EventId e);
  void give_up(LockId id, ThreadId thread);
  void take(LockId id, ThreadId thread, bool as_reader);
  void revert(const Step& step);
  void revert_lock(EventId e, const Step& step);
  void revert_condition(EventId e, const Step& step);
  void revert_barrier(EventId e, const Step& step);
  void revert_once(EventId e, const Step& step);

  void mix(std::uint32_t kind, std::uint64_t object, std::uint64_t value);
  void mix_row(ConditionId condition);

  const Facts& facts_;
  std::vector<std::uint32_t> done_;
  Table<CellId, VersionId> last_version_;
  Table<LockId, Lock> locks_;
  Table<ConditionId, WaitTokens> conditions_;
  Table<SemaphoreId, std::uint64_t> counts_;
  Table<BarrierId, Barrier> barriers_;
  Table<OnceId, Once> onces_;
  EventId question_;
  bool exited_ = false;

  Hash hash_{0, 0};
  std::vector<Step> trail_;
  std::vector<std::pair<CellId, VersionId>> versions_;  // that steps replaced
  std::vector<WaitTokens> rows_;                        // that steps changed
};

}  // namespace heddle::order
