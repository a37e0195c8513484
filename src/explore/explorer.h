// What all explorers have in common: a system to explore, somebody who listens, counters.
//
// An explorer visits maximal executions of a system, at least one of every Mazurkiewicz
// trace: executions that differ only in the order of independent events are the same
// trace. The listener sees each of them, and every step that fails, and may stop the
// search at any moment.
#pragma once

#include <cstdint>
#include <memory>
#include <memory_resource>

#include "explore/execution.h"
#include "system/system.h"

namespace heddle {

struct ExploreCounters : CheckCounters {
  std::uint64_t traces = 0;   // maximal executions visited
  std::uint64_t blocked = 0;  // executions given up: redundant, or an assumption failed
  std::uint64_t cut = 0;      // executions ended at max_steps; they count as traces too
  // Executions in which a thread went round in a circle that it leaves in another one; they
  // are no traces, and nothing is lost with them.
  std::uint64_t spinning = 0;
  std::uint64_t transitions = 0;  // steps taken, those of re-runs included
  std::uint64_t sections = 0;
  // Beginnings of constraint systems that were refused because they have no solution.
  std::uint64_t unsatisfiable_systems = 0;
  std::uint64_t refused = 0;  // switches that were called for, but beyond max_preemptions
  std::uint64_t longest = 0;  // steps of the longest execution; only where chance decides
};

struct ExploreOptions {
  // Ends longer executions, so that a loop that waits for others does not go on for ever;
  // a section that was begun is still finished.
  // What lies beyond is not explored; `cut` counts how often that happened.
  std::size_t max_steps = 10'000;
  // Of epor and epor-sh: sections also where they do not pay off.
  bool keep_sections = false;
  std::pmr::memory_resource* memory = std::pmr::new_delete_resource();
};

class ExplorationListener {
 public:
  virtual ~ExplorationListener() = default;

  // A maximal execution; the system stands at its end. False stops the search.
  virtual bool on_execution(const Execution& execution) = 0;
  // A maximal execution in which an assumption failed, so that it is not one of the system's;
  // what comes before the failure still is. False stops the search.
  virtual bool on_dropped(const Execution&) { return true; }
  // The last event of the execution failed. False stops the search.
  virtual bool on_failure(const Execution& execution, Failure failure) = 0;
};

class Explorer {
 public:
  virtual ~Explorer() = default;

  // Explores everything, or until the listener stops it; false if it was stopped.
  virtual bool run() = 0;
  const ExploreCounters& counters() const { return counters_; }
  // Whether children of the state after `depth` events, which is on the path, are known that
  // were not begun yet; to be asked by a listener.
  virtual bool has_children_left(std::size_t) const { return false; }

 protected:
  ExploreCounters counters_;
};

// The execution under way: keeps the system and the record of its events in step.
class Walker {
 public:
  Walker(System& system, ExplorationListener& listener, ExploreCounters& counters,
         const ExploreOptions& options);

  System& system() { return system_; }
  Execution& execution() { return execution_; }
  const Execution& execution() const { return execution_; }
  ThreadId end_of_threads() const;
  // Whether the execution is maximal, or as long as it may get.
  bool at_end();
  // If at_end() just denied it: the first thread that can go on.
  ThreadId first_ready() const { return first_ready_; }
  // If at_end() just said so: whether a thread is such there.
  bool ends_with(Readiness readiness) const { return (ends_with_ & bit_of(readiness)) != 0; }

  // Takes the thread's next operation, which must be ready.
  void step(Transition transition);
  // The same, as an event of a section, from which it is known what it accesses.
  void step(Transition transition, std::span<const Access> accesses, std::uint32_t section);
  void rewind(std::size_t depth);
  // Whether the reversal can happen from the state after `depth` events; comes back to
  // the present state.
  bool can_happen(std::size_t depth, const class Reversal& reversal);
  // At its end: counts a maximal execution and tells the listener.
  void visit();

  bool stopped() const { return stopped_; }
  // The operation of the last step that was not part of a section.
  const Operation& operation() const { return operation_; }

 private:
  System& system_;
  ExplorationListener& listener_;
  ExploreCounters& counters_;
  std::size_t max_steps_;
  Execution execution_;
  Operation operation_;
  std::vector<Access> with_effects_;
  std::size_t assumption_failed_at_ = kNever;  // depth after the first such step
  ThreadId first_ready_{};
  unsigned ends_with_ = 0;  // a bit per Readiness
  bool stopped_ = false;

  static constexpr unsigned bit_of(Readiness readiness) {
    return 1u << static_cast<unsigned>(readiness);
  }
  void push(Transition transition, std::span<const Access> accesses, std::uint32_t section);
  bool spins_in_vain() const;
  static constexpr std::size_t kNever = static_cast<std::size_t>(-1);
};

std::unique_ptr<Explorer> make_brute_explorer(System& system, ExplorationListener& listener,
                                              const ExploreOptions& options);
std::unique_ptr<Explorer> make_sdpor_explorer(System& system, ExplorationListener& listener,
                                              const ExploreOptions& options);
std::unique_ptr<Explorer> make_odpor_explorer(System& system, ExplorationListener& listener,
                                              const ExploreOptions& options);
std::unique_ptr<Explorer> make_epor_explorer(System& system, ExplorationListener& listener,
                                             const ExploreOptions& options);
std::unique_ptr<Explorer> make_epor_sh_explorer(System& system, ExplorationListener& listener,
                                                const ExploreOptions& options);

}  // namespace heddle
