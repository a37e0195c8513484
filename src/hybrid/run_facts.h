// What is known of each event of an observed run: the locks that its thread held, and what came
// before it by forks and joins.
//
// Both change rarely compared with the number of events, so equal sets and clocks that follow each
// other in a thread are kept once.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "hybrid/observed_run.h"
#include "trace/lockset.h"

namespace heddle::hybrid {

// Who holds which locks, as a run goes on.
class LockHolders {
 public:
  explicit LockHolders(std::size_t threads) : held_(threads) {}

  void acquire(ThreadId thread, std::span<const Access> accesses);
  void release(ThreadId thread, std::span<const Access> accesses);
  // Whether the accesses that need a lock get it, and those that failed to get one fail.
  bool allow(ThreadId thread, std::span<const Access> accesses) const;
  std::vector<HeldLock> held(ThreadId thread) const;

 private:
  struct Hold {
    SystemObject lock;
    bool reader;
    std::uint32_t depth;
  };
  bool can_acquire(ThreadId thread, SystemObject lock, bool reader) const;

  Table<ThreadId, std::vector<Hold>> held_;
};

class RunFacts {
 public:
  // The run must outlive the facts.
  explicit RunFacts(const ObservedRun& run);

  const ObservedRun& run() const { return run_; }
  std::span<const HeldLock> held(std::size_t event) const { return sets_[facts_[event].set]; }
  // By thread, how many of its events come before this one by forks and joins.
  std::span<const std::uint32_t> clock(std::size_t event) const {
    return {clocks_.data() + facts_[event].clock * run_.threads, run_.threads};
  }
  std::uint32_t time(std::size_t event) const { return facts_[event].time; }
  // The event with which the thread took the outermost of the locks that it holds at the event; the
  // event itself if it holds none.
  std::size_t outermost_acquire(std::size_t event) const;
  // Whether forks and joins order the two, the first of which came first in the run.
  bool ordered(std::size_t first, std::size_t second) const;
  // The events that access a variable, in the order of the run.
  const std::vector<std::size_t>& accesses_to(SystemObject object) const {
    return accesses_[object];
  }

 private:
  struct EventFacts {
    std::uint32_t set;
    std::uint32_t clock;
    std::uint32_t time;  // its place in its thread, from 1
  };

  std::uint32_t number_of(std::vector<HeldLock> held);

  const ObservedRun& run_;
  std::vector<EventFacts> facts_;
  std::vector<std::vector<HeldLock>> sets_;
  std::map<std::vector<HeldLock>, std::uint32_t> set_numbers_;
  std::vector<std::uint32_t> clocks_;  // of as many numbers as there are threads
  Table<SystemObject, std::vector<std::size_t>> accesses_;
};

}  // namespace heddle::hybrid
