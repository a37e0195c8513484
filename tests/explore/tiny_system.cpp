#include "tests/explore/tiny_system.h"

#include <array>
#include <string_view>

#include <fmt/format.h>

namespace heddle {
namespace {

constexpr std::array<std::string_view, 17> kOpNames = {
    "write",          "add",   "load",   "store",      "store_at", "skip_if",
    "test",           "check", "lock",   "unlock",     "trylock",  "post",
    "semaphore_wait", "wait",  "notify", "notify_all", "choose"};

}  // namespace

std::string describe(const TinyProgram& program) {
  std::string text = fmt::format("variables {}\n", program.variables);
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    text += fmt::format("thread {}:", t);
    for (const Instruction& i : program.threads[t]) {
      text +=
          fmt::format(" {}({},{},{});", kOpNames[static_cast<std::size_t>(i.op)], i.a, i.b, i.c);
    }
    text += "\n";
  }
  return text;
}

TinySystem::TinySystem(const TinyProgram& program) : program_(program) {
  State state;
  state.threads.resize(program.threads.size());
  state.variables.resize(program.variables, 0);
  state.holder.resize(program.locks, -1);
  state.counts.resize(program.semaphores, 0);
  state.conditions.resize(program.conditions);
  states_.push_back(state);
}

std::size_t TinySystem::object_count() const {
  return program_.variables + program_.locks + program_.semaphores + program_.conditions;
}

const Instruction* TinySystem::instruction(ThreadId thread) const {
  const ThreadState& state = now().threads[thread.value()];
  const auto& code = program_.threads[thread.value()];
  if (state.phase == Phase::dead || state.pc >= code.size()) return nullptr;
  return &code[state.pc];
}

// The oldest token that the waiter may take, or the number of tokens.
std::size_t TinySystem::token_for(std::uint32_t thread, std::uint32_t condition) const {
  const Condition& c = now().conditions[condition];
  std::uint32_t since = 0;
  for (const Waiter& waiter : c.waiters) {
    if (waiter.thread == thread) since = waiter.stamp;
  }
  std::size_t i = 0;
  while (i < c.tokens.size() && c.tokens[i] < since) ++i;
  return i;
}

Readiness TinySystem::readiness(ThreadId thread) const {
  const Instruction* i = instruction(thread);
  if (i == nullptr) return Readiness::finished;
  const auto ready_if = [](bool ready) { return ready ? Readiness::ready : Readiness::blocked; };
  const ThreadState& state = now().threads[thread.value()];
  if (state.phase == Phase::waiting) {
    return ready_if(token_for(thread.value(), i->a) < now().conditions[i->a].tokens.size());
  }
  if (state.phase == Phase::reacquiring) return ready_if(now().holder[i->b] < 0);
  if (i->op == Op::lock) return ready_if(now().holder[i->a] < 0);
  if (i->op == Op::semaphore_wait) return ready_if(now().counts[i->a] > 0);
  return Readiness::ready;
}

Operation TinySystem::operation_of(const Instruction& i, std::uint32_t r, bool taken) const {
  const auto variable = [](std::uint32_t v) { return SystemObject(v); };
  const SystemObject lock(program_.variables + i.a);
  const SystemObject lock_of_wait(program_.variables + i.b);
  const SystemObject semaphore(program_.variables + program_.locks + i.a);
  const SystemObject condition(program_.variables + program_.locks + program_.semaphores + i.a);
  Operation result;
  auto& list = result.accesses;
  switch (i.op) {
    case Op::write:
    case Op::store: list = {{EventKind::write, variable(i.a)}}; break;
    case Op::add:
      list = {{EventKind::write, variable(i.a)}};
      if (i.a != i.b) list.push_back({EventKind::read, variable(i.b)});
      break;
    case Op::load:
    case Op::test:
    case Op::check: list = {{EventKind::read, variable(i.a)}}; break;
    case Op::store_at: list = {{EventKind::write, variable((r + i.a) % program_.variables)}}; break;
    case Op::skip_if: break;
    case Op::lock: list = {{EventKind::acquire, lock}}; break;
    case Op::unlock: list = {{EventKind::release, lock}}; break;
    case Op::trylock:
      list = {{taken ? EventKind::failed_acquire : EventKind::acquire, lock, true}};
      break;
    case Op::post: list = {{EventKind::semaphore_post, semaphore}}; break;
    case Op::semaphore_wait: list = {{EventKind::semaphore_wait, semaphore}}; break;
    case Op::wait: list = {{EventKind::wait, condition}, {EventKind::release, lock_of_wait}}; break;
    case Op::notify: list = {{EventKind::notify, condition}}; break;
    case Op::notify_all: list = {{EventKind::notify_all, condition}}; break;
    case Op::choose: result.choices = std::max(1u, i.a); break;
  }
  return result;
}

void TinySystem::next_operation(ThreadId thread, Operation& operation) const {
  const Instruction& i = *instruction(thread);
  const ThreadState& state = now().threads[thread.value()];
  const auto self = static_cast<std::int32_t>(thread.value());
  const bool taken = i.op == Op::trylock && now().holder[i.a] >= 0;
  operation = operation_of(i, state.r, taken);
  if (state.phase == Phase::waiting)
    operation.accesses = {{EventKind::wake, operation.accesses[0].object}};
  if (state.phase == Phase::reacquiring) {
    operation.accesses = {{EventKind::acquire, operation.accesses[1].object}};
  }
  // What is not held is neither released nor waited with.
  if (i.op == Op::unlock && now().holder[i.a] != self) operation.accesses.clear();
  if (i.op == Op::wait && state.phase == Phase::running && now().holder[i.b] != self) {
    operation.accesses.clear();
  }
}

Failure TinySystem::step(ThreadId thread, std::uint32_t choice) {
  const Instruction i = *instruction(thread);
  const std::size_t token = i.op == Op::wait ? token_for(thread.value(), i.a) : 0;
  states_.push_back(states_.back());
  State& s = states_.back();
  ThreadState& self = s.threads[thread.value()];
  const auto id = static_cast<std::int32_t>(thread.value());
  if (self.phase == Phase::waiting) {
    Condition& condition = s.conditions[i.a];
    condition.tokens.erase(condition.tokens.begin() + static_cast<std::ptrdiff_t>(token));
    std::erase_if(condition.waiters, [&](const Waiter& w) { return w.thread == thread.value(); });
    self.phase = Phase::reacquiring;
    return Failure::none;
  }
  if (self.phase == Phase::reacquiring) {
    s.holder[i.b] = id;
    self.phase = Phase::running;
    ++self.pc;
    return Failure::none;
  }
  ++self.pc;
  switch (i.op) {
    case Op::write: s.variables[i.a] = i.b; break;
    case Op::add: s.variables[i.a] = s.variables[i.b] + 1; break;
    case Op::load: self.r = s.variables[i.a]; break;
    case Op::store: s.variables[i.a] = self.r; break;
    case Op::store_at: s.variables[(self.r + i.a) % program_.variables] = i.b; break;
    case Op::skip_if: self.pc += self.r == i.a ? i.b : 0; break;
    case Op::test: self.pc += s.variables[i.a] == i.b ? i.c : 0; break;
    case Op::check:
      if (s.variables[i.a] != i.b) break;
      self.phase = Phase::dead;
      return Failure::assertion;
    case Op::lock: s.holder[i.a] = id; break;
    case Op::unlock:
      if (s.holder[i.a] == id) s.holder[i.a] = -1;
      break;
    case Op::trylock:
      self.r = s.holder[i.a] < 0 ? 1 : 0;
      if (self.r == 1) s.holder[i.a] = id;
      break;
    case Op::post: ++s.counts[i.a]; break;
    case Op::semaphore_wait: --s.counts[i.a]; break;
    case Op::wait:
      if (s.holder[i.b] != id) break;
      s.holder[i.b] = -1;
      s.conditions[i.a].waiters.push_back({thread.value(), ++s.stamp});
      self.phase = Phase::waiting;
      --self.pc;
      break;
    case Op::notify:
    case Op::notify_all: {
      Condition& condition = s.conditions[i.a];
      while (condition.tokens.size() < condition.waiters.size()) {
        condition.tokens.push_back(++s.stamp);
        if (i.op == Op::notify) break;
      }
      break;
    }
    case Op::choose: self.r = choice; break;
  }
  return Failure::none;
}

void TinySystem::certain_operations(ThreadId thread, std::size_t limit,
                                    OperationList& operations) const {
  operations.clear();
  const ThreadState& state = now().threads[thread.value()];
  if (state.phase != Phase::running) return;
  const auto& code = program_.threads[thread.value()];
  bool known = true;
  std::uint32_t pc = state.pc;
  while (operations.size() < limit && pc < code.size()) {
    const Instruction& i = code[pc++];
    switch (i.op) {
      case Op::write:
      case Op::add:
      case Op::store: operations.add() = operation_of(i, 0, false); break;
      case Op::load:
        operations.add() = operation_of(i, 0, false);
        known = false;
        break;
      case Op::store_at:
        if (!known) return;
        operations.add() = operation_of(i, state.r, false);
        break;
      case Op::skip_if:
        operations.add() = operation_of(i, 0, false);
        if (!known) return;
        pc += state.r == i.a ? i.b : 0;
        break;
      case Op::test: operations.add() = operation_of(i, 0, false); return;
      default: return;
    }
  }
}

std::string TinySystem::final_state() const {
  std::string text;
  for (const std::uint32_t value : now().variables) text += fmt::format("{} ", value);
  for (const ThreadState& thread : now().threads) {
    text += fmt::format("| {} {} {} ", thread.pc, thread.r, static_cast<int>(thread.phase));
  }
  return text;
}

std::uint64_t TinySystem::state_hash() const { return std::hash<std::string>()(final_state()); }

std::string TinySystem::thread_name(ThreadId thread) const {
  return fmt::format("T{}", thread.value());
}
std::string TinySystem::object_name(SystemObject object) const {
  return fmt::format("o{}", object.value());
}
std::string TinySystem::describe_next(ThreadId thread) const {
  return std::string(kOpNames[static_cast<std::size_t>(instruction(thread)->op)]);
}
std::string TinySystem::where_next(ThreadId thread) const {
  return fmt::format("{}", now().threads[thread.value()].pc);
}

}  // namespace heddle
