// What one event happens before, in the sequence that a search is making: for the question
// whether two accesses can be unordered.
//
// Everything that hands synchronisation on (a thread, a lock, a post, the last write of an
// atomic, ...) has one bit: has it got the event? docs/semantics.md, section 7, lists who hands
// on to whom. The search gives up a sequence as soon as the thread of the other access has it.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "order/search.h"

namespace heddle::order {

class Followers final : public Memory {
 public:
  // What `first` happens before; hopeless when that is `second`'s thread.
  Followers(const Facts& facts, EventId first, EventId second);

  void step(const Machine& machine, EventId e) override;
  void take_back() override;
  Machine::Hash hash() const override { return hash_; }
  bool is_hopeless(const Machine& machine) const override;
  bool is_neutral(EventId e) const override;

  // Whether `first` happens before e, if that comes next.
  bool before(const Machine& machine, EventId e) const;

 private:
  using Slot = std::size_t;

  const Trace& trace() const { return facts_.trace(); }
  Slot known(ThreadId t) const { return t.value(); }
  Slot release_fence(ThreadId t) const { return threads_ + t.value(); }
  Slot acquire_fence(ThreadId t) const { return 2 * threads_ + t.value(); }
  Slot notified(ThreadId t) const { return 3 * threads_ + t.value(); }
  Slot by_writers(LockId l) const { return locks_ + std::size_t{2} * l.value(); }
  Slot by_readers(LockId l) const { return locks_ + std::size_t{2} * l.value() + 1; }
  Slot cell(CellId c) const { return cells_ + c.value(); }
  Slot semaphore(EventId e) const { return semaphores_ + trace().object(e); }
  Slot once(EventId e) const { return onces_ + trace().object(e); }
  Slot generation(EventId e, std::uint32_t arrival) const;

  bool handed_on_by_memory(EventId e) const;
  void set(Slot slot, bool value);
  void raise(Slot slot, bool value) {
    if (value) set(slot, true);
  }
  void hand_on(const Machine& machine, EventId e, bool knows);
  void hand_on_by_memory(EventId e, bool knows);
  bool waits_as_reader(EventId wait) const;

  const Facts& facts_;
  EventId first_;
  EventId second_;
  std::size_t threads_;
  std::size_t locks_;
  std::size_t cells_;
  std::size_t semaphores_;
  std::size_t onces_;
  std::vector<std::size_t> generations_;  // by barrier: its first slot
  std::vector<bool> bits_;
  Machine::Hash hash_{0, 0};
  std::vector<Slot> flipped_;
  std::vector<std::size_t> steps_;  // how many had been flipped before each
};

}  // namespace heddle::order
