// A tiny machine for testing explorers: threads of simple instructions, whole states kept
// on a stack. Slow and obvious, and independent of the model interpreter.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "system/system.h"

namespace heddle {

enum class Op : std::uint8_t {
  write,     // x[a] = b
  add,       // x[a] = x[b] + 1
  load,      // r = x[a]
  store,     // x[a] = r
  store_at,  // x[(r + a) % variables] = b
  skip_if,   // if r == a, skip the next b instructions
  test,      // if x[a] == b, skip the next c instructions
  check,     // assert x[a] != b
  lock,      // lock a
  unlock,    // unlock a, if held
  trylock,   // r = try to lock a
  post,      // semaphore a
  semaphore_wait,
  wait,    // on condition a, with lock b, if held
  notify,  // condition a
  notify_all,
  choose,  // r = one of 0 .. a-1
};

struct Instruction {
  Op op;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t c = 0;
};

struct TinyProgram {
  std::uint32_t variables = 2;
  std::uint32_t locks = 1;
  std::uint32_t semaphores = 1;
  std::uint32_t conditions = 1;
  std::vector<std::vector<Instruction>> threads;
};

std::string describe(const TinyProgram& program);

class TinySystem final : public System {
 public:
  explicit TinySystem(const TinyProgram& program);

  std::size_t thread_count() const override { return program_.threads.size(); }
  std::size_t object_count() const override;
  Readiness readiness(ThreadId thread) const override;
  void next_operation(ThreadId thread, Operation& operation) const override;
  Failure step(ThreadId thread, std::uint32_t choice) override;
  void rewind(std::size_t depth) override { states_.resize(depth + 1); }
  std::size_t depth() const override { return states_.size() - 1; }
  void certain_operations(ThreadId thread, std::size_t limit,
                          OperationList& operations) const override;
  std::uint32_t initial_count(SystemObject) const override { return 0; }
  std::uint64_t state_hash() const override;
  std::string final_state() const;

  std::string thread_name(ThreadId thread) const override;
  std::string object_name(SystemObject object) const override;
  std::string describe_next(ThreadId thread) const override;
  std::string where_next(ThreadId thread) const override;
  std::string describe_last_step() const override { return {}; }

 private:
  enum class Phase : std::uint8_t { running, waiting, reacquiring, dead };
  struct ThreadState {
    std::uint32_t pc = 0;
    std::uint32_t r = 0;
    Phase phase = Phase::running;
  };
  struct Waiter {
    std::uint32_t thread;
    std::uint32_t stamp;
  };
  struct Condition {
    std::vector<Waiter> waiters;
    std::vector<std::uint32_t> tokens;  // stamps, oldest first
  };
  struct State {
    std::vector<ThreadState> threads;
    std::vector<std::uint32_t> variables;
    std::vector<std::int32_t> holder;  // -1: free
    std::vector<std::uint32_t> counts;
    std::vector<Condition> conditions;
    std::uint32_t stamp = 0;
  };

  const State& now() const { return states_.back(); }
  const Instruction* instruction(ThreadId thread) const;
  Operation operation_of(const Instruction& instruction, std::uint32_t r, bool taken) const;
  std::size_t token_for(std::uint32_t thread, std::uint32_t condition) const;

  TinyProgram program_;
  std::vector<State> states_;
};

}  // namespace heddle
