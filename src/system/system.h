// A system: anything that can be stepped, an interpreted model or a native process.
//
// The explorers know a program only through this interface. A state is the sequence of
// steps that led to it; step() goes forward and rewind() back, in place. Threads are
// numbered from 0; those that are forked later are there from the start, as unborn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "system/operation.h"

namespace heddle {

enum class Readiness : std::uint8_t {
  unborn,    // not forked yet
  ready,     // its next operation can happen now
  blocked,   // its next operation is known, but cannot happen now
  spinning,  // it went round in a circle without effect; see Interpreter
  finished,
};

// What went wrong in a step. The thread that failed has no next operation any more; the
// others go on, since what they would have done may be what another order turns on.
enum class Failure : std::uint8_t {
  none,
  assertion,
  out_of_range,  // a value outside its variable's bounds, an index outside its array
  misuse,        // unlock of a lock not held, and the like
  crash,         // a signal: a bad address, a division by zero
  exit_status,   // the program ended with another status than 0
  memory,        // freed twice, or used after it was freed
  race,          // a data race, as the program itself was watched
  assumption,    // an `assume` that does not hold: not a finding, the execution is dropped
};

class System {
 public:
  virtual ~System() = default;

  virtual std::size_t thread_count() const = 0;
  virtual std::size_t object_count() const = 0;

  virtual Readiness readiness(ThreadId thread) const = 0;
  // The next operation of a ready or blocked thread in the current state.
  virtual void next_operation(ThreadId thread, Operation& operation) const = 0;

  // Takes the next operation of a ready thread, in one of its ways (choice < choices).
  virtual Failure step(ThreadId thread, std::uint32_t choice) = 0;
  // What the last step did besides its operation, as has only turned out: it started or ended
  // threads.
  virtual std::span<const Access> effects() const { return {}; }
  // Goes back to the state after the first `depth` steps.
  virtual void rewind(std::size_t depth) = 0;
  virtual std::size_t depth() const = 0;

  // The operations, at most `limit`, that the thread will certainly do next whatever the
  // other threads do meanwhile: none of them can block or fail, or touch other objects
  // depending on what others write. The last one may branch on what others write, since
  // only what comes after it depends on that. An empty list is always a right answer.
  virtual void certain_operations(ThreadId thread, std::size_t limit,
                                  OperationList& operations) const = 0;

  // Whether a thread that is ready or spinning, left alone, comes round to where it stands
  // without effect, and so for ever.
  virtual bool spins_for_ever(ThreadId) const { return false; }

  // How many times a semaphore-like object can be waited for in the initial state.
  virtual std::uint32_t initial_count(SystemObject object) const = 0;

  // A number that is the same in two states only if the thread-visible state is the same
  // (for telling final states apart, and for noticing a loop that goes nowhere).
  virtual std::uint64_t state_hash() const = 0;

  // Words for reports.
  virtual std::string thread_name(ThreadId thread) const = 0;
  virtual std::string object_name(SystemObject object) const = 0;
  // The statement that a ready or blocked thread is about to execute, and where it stands.
  virtual std::string describe_next(ThreadId thread) const = 0;
  virtual std::string where_next(ThreadId thread) const = 0;
  // Why a blocked thread cannot go on: "lock m is held by audit"; empty if that is not known.
  virtual std::string why_blocked(ThreadId) const { return {}; }
  // What the last step read, wrote or failed with: "x := 3", "assertion x == 1 fails (x = 2)".
  virtual std::string describe_last_step() const = 0;
};

}  // namespace heddle
