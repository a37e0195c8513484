// Looks for a reordering among those that a saturated question leaves open.
//
// It runs events on a Machine, depth first, in the order of the trace where it can, and only
// where every event that must precede has happened. An event that can only help others (a read,
// a fork, the end of a section, ...) is taken at once and without an alternative: whatever could
// follow can follow it as well. So the search branches only over writes, acquires, waits and
// their like. A state that led nowhere is remembered by its hash and not entered again. Dead
// ends are seen early: nobody overwrites a version that somebody who is included still has to
// read, or the version that is to be the last one.
//
// Events beyond those that are included are tried too (a thread may have to give up a lock), so
// the search is complete: if it ends without an answer within its budget, there is none.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <absl/container/flat_hash_set.h>

#include "order/machine.h"
#include "order/saturation.h"

namespace heddle::order {

enum class Answer : std::uint8_t { yes, no, undecided };

// What a search may need to know of the past besides the machine's state. The default knows
// nothing.
class Memory {
 public:
  virtual ~Memory() = default;
  virtual void step(const Machine&, EventId) {}  // before the machine steps
  virtual void take_back() {}
  virtual Machine::Hash hash() const { return {0, 0}; }
  virtual bool is_hopeless(const Machine&) const { return false; }
  // Whether the event changes nothing but for its thread in this memory.
  virtual bool is_neutral(EventId) const { return true; }
};

class Search {
 public:
  // Whether the state, in which all included events have happened, answers the question. It may
  // step the machine but has to take that back.
  using Goal = std::function<bool(Machine&)>;

  Search(const Facts& facts, const Saturation& saturation, Goal goal, Memory* memory = nullptr);
  // The same from a state on, to which all events of the trace before `first` have led. It finds
  // only what begins so: a search in vain means undecided.
  Search(const Facts& facts, const Saturation& saturation, Goal goal, Machine start, EventId first,
         Memory* memory = nullptr);

  // Steps beyond a straight run to all that has to be in.
  Answer run(std::uint64_t budget);
  // After yes.
  std::vector<EventId> sequence() const;
  std::uint64_t steps() const { return steps_; }

 private:
  struct Candidate {
    EventId event;
    bool included;
  };

  const Trace& trace() const { return facts_.trace(); }
  std::uint64_t straight_run() const;
  bool reached();
  bool explore();  // true when the goal is reached
  bool advance();
  void find_candidates();
  bool may_step(EventId e);
  bool order_allows(Node node);
  bool spoils_a_version(EventId write) const;
  bool is_read_later(VersionId version, Node by_other_than) const;
  bool only_helps(EventId e) const;
  void enter(EventId e);
  void leave();

  const Facts& facts_;
  const Saturation& saturation_;
  Goal goal_;
  Memory nothing_;
  Memory& memory_;
  Machine machine_;
  EventId first_{0};
  absl::flat_hash_set<Machine::Hash> dead_;
  std::vector<Candidate> candidates_;               // of the state that is looked at
  std::vector<std::vector<EventId>> alternatives_;  // per step: what else to try there
  // Per thread, what is known of the order in front of its next event: it has to wait until
  // `other` has done `count` events; without a thread it need not wait.
  struct Wait {
    std::uint32_t index = kNever;  // of the event
    ThreadId other;
    std::uint32_t count = 0;
  };
  std::vector<Wait> waits_;
  std::uint64_t steps_ = 0;
  std::uint64_t budget_ = 0;
};

}  // namespace heddle::order
