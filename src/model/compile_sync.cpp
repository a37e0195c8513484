// Synchronisation: locks, conditions, semaphores, fork and join.
#include <array>

#include <fmt/format.h>

#include "model/compile_thread.h"

namespace heddle::model {
namespace {

using syntax::Call;
using syntax::Statement;

constexpr unsigned bit(SyncKind kind) { return 1U << static_cast<unsigned>(kind); }
constexpr unsigned kAnyLock =
    bit(SyncKind::lock) | bit(SyncKind::recursive_lock) | bit(SyncKind::rwlock);
constexpr unsigned kReaderLock = bit(SyncKind::rwlock);
constexpr unsigned kCondition = bit(SyncKind::condition);
constexpr unsigned kSemaphore = bit(SyncKind::semaphore);

struct CallInfo {
  Call call;
  std::string_view name;
  TransitionKind kind;
  unsigned objects;  // the kinds that it works on
  bool has_result;
};

constexpr CallInfo kCallInfos[] = {
    {Call::lock, "lock", TransitionKind::acquire, kAnyLock, false},
    {Call::unlock, "unlock", TransitionKind::release, kAnyLock, false},
    {Call::trylock, "trylock", TransitionKind::try_acquire, kAnyLock, true},
    {Call::read_lock, "read_lock", TransitionKind::reader_acquire, kReaderLock, false},
    {Call::read_unlock, "read_unlock", TransitionKind::reader_release, kReaderLock, false},
    {Call::try_read_lock, "try_read_lock", TransitionKind::try_reader_acquire, kReaderLock, true},
    {Call::wait, "wait", TransitionKind::semaphore_wait, kSemaphore, false},
    {Call::trywait, "trywait", TransitionKind::try_semaphore_wait, kSemaphore, true},
    {Call::post, "post", TransitionKind::semaphore_post, kSemaphore, false},
    {Call::notify, "notify", TransitionKind::notify, kCondition, false},
    {Call::notify_all, "notify_all", TransitionKind::notify_all, kCondition, false},
    {Call::fork, "fork", TransitionKind::fork, 0, false},
    {Call::join, "join", TransitionKind::join, 0, false},
    {Call::cas, "cas", TransitionKind::compare_and_swap, 0, true},
    {Call::choose, "choose", TransitionKind::choose_value, 0, true},
};

const CallInfo& info_of(Call call) { return kCallInfos[static_cast<std::size_t>(call)]; }

std::string_view name_of_objects(unsigned objects) {
  return objects == kSemaphore    ? "a semaphore"
         : objects == kCondition  ? "a condition"
         : objects == kReaderLock ? "an rwlock"
                                  : "a lock";
}

}  // namespace

bool ThreadCompiler::has_arguments(const Statement& statement, std::size_t count) {
  if (statement.operands.size() == count) return true;
  complain(statement.range,
           fmt::format("'{}' takes {} argument{}, not {}", info_of(statement.call).name, count,
                       count == 1 ? "" : "s", statement.operands.size()));
  return false;
}

// A try keeps its result in a local variable: taking it is the thread's own affair.
bool ThreadCompiler::result_update(const Statement& statement, ValueType type, Update& update) {
  const syntax::Expression& target = *statement.targets.front();
  const Place place = expressions_.place(target);
  if (place.type == ValueType::wrong) return false;
  const std::string_view name = info_of(statement.call).name;
  if (place.type != type) {
    complain(target.range, fmt::format("the result of '{}' is {}", name, name_of(type)));
    return false;
  }
  if (builder_.model.variables[place.variable].shared()) {
    complain(target.range, fmt::format("the result of '{}' goes into a variable of the thread, "
                                       "but '{}' is shared",
                                       name, target.name));
    return false;
  }
  update = {place.reference, {}, place.bounds};
  return true;
}

// Inside an atomic block there is no going back to wait, and an object is used once.
bool ThreadCompiler::may_synchronise(const Statement& statement, StateId from) {
  const bool waits = statement.call == Call::wait && statement.operands.size() == 2;
  if (atomic_depth_ == 0) return true;
  if (!waits && !builder_.model.states[from].atomic) return true;
  complain(statement.range, waits ? "a condition cannot be waited for inside an atomic block"
                                  : fmt::format("'{}' can only be the first statement of an "
                                                "atomic block",
                                                info_of(statement.call).name));
  return false;
}

void ThreadCompiler::call(const Statement& statement, StateId from, StateId to) {
  switch (statement.call) {
    case Call::cas: return cas(statement, from, to);
    case Call::choose: return choose_value(statement, from, to);
    default: break;
  }
  if (!may_synchronise(statement, from)) return;
  if (statement.call == Call::fork || statement.call == Call::join) {
    return fork_or_join(statement, from, to);
  }
  const bool waits_for_condition = statement.call == Call::wait && statement.operands.size() != 1;
  return waits_for_condition ? wait(statement, from, to) : synchronise(statement, from, to);
}

void ThreadCompiler::synchronise(const Statement& statement, StateId from, StateId to) {
  const CallInfo& info = info_of(statement.call);
  if (!has_arguments(statement, 1)) return;
  SyncKind kind{};
  const auto object = expressions_.sync_reference(*statement.operands.front(), kind);
  if (!object) return;
  if ((bit(kind) & info.objects) == 0) {
    const bool forgotten = statement.call == Call::wait && kind == SyncKind::condition;
    return complain(statement.operands.front()->range,
                    forgotten
                        ? "to wait for a condition, name its lock too: wait(condition, lock)"
                        : fmt::format("'{}' needs {}", info.name, name_of_objects(info.objects)));
  }
  std::vector<Update> updates(info.has_result ? 1 : 0);
  if (info.has_result && !result_update(statement, ValueType::boolean, updates.front())) return;
  Transition made{.source = from, .target = to, .kind = info.kind, .range = statement.range};
  made.object = *object;
  add(made, updates);
}

// Three steps: give up the lock and wait, be woken, take the lock again.
void ThreadCompiler::wait(const Statement& statement, StateId from, StateId to) {
  if (!has_arguments(statement, 2)) return;
  SyncKind kinds[2] = {};
  const auto condition = expressions_.sync_reference(*statement.operands[0], kinds[0]);
  const auto lock = expressions_.sync_reference(*statement.operands[1], kinds[1]);
  if (!condition || !lock) return;
  const bool fits = kinds[0] == SyncKind::condition &&
                    (kinds[1] == SyncKind::lock || kinds[1] == SyncKind::recursive_lock);
  if (!fits)
    return complain(statement.range, "'wait' takes a condition and a lock, or a semaphore");
  if (shared_loads(builder_.model, *condition) + shared_loads(builder_.model, *lock) > 0) {
    return complain(statement.range,
                    "the indices in a 'wait' may not read shared variables, which could change "
                    "meanwhile; copy them into variables of the thread");
  }
  const StateId waiting = add_state(), woken = add_state();
  Transition made{.source = from, .target = waiting, .range = statement.range};
  made.kind = TransitionKind::wait;
  made.object = *condition;
  made.lock = *lock;
  add(made, {});
  made.source = waiting;
  made.target = woken;
  made.kind = TransitionKind::wake;
  made.lock = {};
  add(made, {});
  made.source = woken;
  made.target = to;
  made.kind = TransitionKind::acquire;
  made.object = *lock;
  add(made, {});
}

void ThreadCompiler::fork_or_join(const Statement& statement, StateId from, StateId to) {
  const syntax::Expression& named = *statement.operands.front();
  const auto thread = expressions_.thread_reference(named);
  if (!thread) return;
  const ThreadId first(thread->base - builder_.model.layout.first_thread_object);
  const bool forks = statement.call == Call::fork;
  if (forks && thread->length > 0 && !builder_.model.threads[first].forked) {
    return complain(named.range, fmt::format("thread '{}' runs from the start; to fork it, declare "
                                             "it 'forked'",
                                             named.name));
  }
  Transition made{.source = from, .target = to, .range = statement.range};
  made.kind = forks ? TransitionKind::fork : TransitionKind::join;
  made.object = *thread;
  add(made, {});
}

}  // namespace heddle::model
