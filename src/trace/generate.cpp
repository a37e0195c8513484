// The imaginary program behind generate_trace(): one object that holds the state of
// all threads and objects, and one small function per thing that a thread may try to
// do next. Each of them looks whether it is possible now, and if so emits the event
// and changes the state. The main loop draws a thread and a thing to try.
#include "trace/generate.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "base/random.h"

namespace heddle {
namespace {

struct HeldLock {
  LockId lock;
  bool reader;
  friend bool operator==(const HeldLock&, const HeldLock&) = default;
};

enum class Mode {
  unborn,
  running,
  waiting,      // in a condition wait, not notified
  notified,     // in a condition wait, notified
  reacquiring,  // after a wait, wants its lock again
  at_barrier,
  ended,
};

struct ThreadState {
  Mode mode = Mode::unborn;
  bool begun = false;
  std::vector<HeldLock> held;  // in the order of acquiring
  ConditionId condition = ConditionId::none();
  LockId lock = LockId::none();  // to take again after a wait
  BarrierId barrier = BarrierId::none();
  std::uint32_t generation = 0;
  bool last_arriver = false;
  OnceId running_once = OnceId::none();
};

struct BarrierState {
  std::uint32_t arrived = 0;
  std::uint32_t generation = 0;
  bool reports_serial = false;
};

enum class OnceState { fresh, running, done };

class Generator {
 public:
  Generator(const GenerateOptions& options, std::uint64_t seed) : options_(options), random_(seed) {
    make_sites();
    make_threads();
    make_objects();
    make_metadata(seed);
  }

  Trace run() {
    std::size_t idle = 0;
    const std::size_t patience = 200 + 20 * options_.threads;
    while (trace_.size() < options_.events && !exited_ && idle < patience) {
      const std::size_t before = trace_.size();
      const ThreadId thread(random_.below(options_.threads));
      step(thread);
      idle = trace_.size() == before ? idle + 1 : 0;
    }
    trace_.shrink();
    return std::move(trace_);
  }

 private:
  using Action = void (Generator::*)(ThreadId);
  struct WeightedAction {
    std::uint32_t weight;
    Action action;
  };

  void make_sites() {
    const StringId file = trace_.tables.strings.intern("program.cpp");
    for (std::uint32_t i = 0; i < 12; ++i) {
      Site site;
      site.file = file;
      site.line = 10 + 3 * i;
      if (i % 3 == 0) site.column = i + 1;
      if (i % 2 == 0)
        site.function = trace_.tables.strings.intern(fmt::format("function{}", i / 4));
      if (i > 6) site.caller = SiteId(random_.below(i));
      trace_.tables.sites.add(site);
    }
  }

  void make_threads() {
    for (std::uint32_t i = 0; i < options_.threads; ++i) {
      trace_.tables.threads.add({name("T", i)});
      const bool from_the_start = i == 0 || !options_.fork_join || random_.chance(10);
      threads_.add({});
      if (from_the_start) threads_[ThreadId(i)].mode = Mode::running;
    }
  }

  void make_objects() {
    Tables& tables = trace_.tables;
    for (std::uint32_t i = 0; i < options_.locations; ++i) add_location(i);
    for (std::uint32_t i = 0; i < options_.locks; ++i) {
      const auto kind = options_.lock_kinds ? static_cast<LockKind>(random_.below(kLockKindCount))
                                            : LockKind::mutex;
      tables.locks.add({name("L", i), kind});
    }
    for (std::uint32_t i = 0; i < options_.conditions; ++i) tables.conditions.add({name("C", i)});
    for (std::uint32_t i = 0; i < options_.semaphores; ++i) {
      tables.semaphores.add({name("S", i), random_.below(3)});
      counts_.add((tables.semaphores.end() - 1)->initial);
    }
    for (std::uint32_t i = 0; i < options_.barriers; ++i) {
      const std::uint32_t parties = 1 + random_.below(std::min(options_.threads, 3u));
      tables.barriers.add({name("B", i), parties});
      barriers_.add({.reports_serial = random_.chance(50)});
    }
    for (std::uint32_t i = 0; i < options_.onces; ++i) {
      tables.onces.add({name("O", i)});
      onces_.add(OnceState::fresh);
    }
    for (std::uint32_t i = 0; i < options_.descriptors; ++i) tables.descriptors.add({name("D", i)});
  }

  void make_metadata(std::uint64_t seed) {
    trace_.metadata.command_line = {"./program", "--events", std::to_string(options_.events)};
    trace_.metadata.seed = seed;
    trace_.metadata.clock = "virtual";
    if (random_.chance(50)) trace_.metadata.exit_status = static_cast<int>(random_.below(256));
  }

  // Plain locations stand alone; with mixed sizes they are windows of 1 to 8 bytes into
  // one region of 16, so that they overlap.
  void add_location(std::uint32_t i) {
    LocationInfo location{name("x", i)};
    if (options_.mixed_sizes) {
      if (trace_.tables.regions.empty()) add_region("globals", 16);
      location.region = RegionId(0);
      location.size = 1u << random_.below(4);
      location.offset = std::uint64_t{location.size} * random_.below(16 / location.size);
    }
    trace_.tables.locations.add(location);
    values_.add(0);
    usable_.emplace_back(i);
  }

  RegionId add_region(std::string_view region_name, std::uint64_t size) {
    bytes_.add(std::vector<std::uint8_t>(size, 0));
    return trace_.tables.regions.add({trace_.tables.strings.intern(region_name), size});
  }

  StringId name(std::string_view prefix, std::uint32_t number) {
    return trace_.tables.strings.intern(fmt::format("{}{}", prefix, number));
  }

  ThreadState& state(ThreadId thread) { return threads_[thread]; }
  LockKind kind_of(LockId lock) const { return trace_.tables.locks[lock].kind; }

  EventRecord event(EventKind kind, ThreadId thread, std::uint32_t object = 0) {
    EventRecord record;
    record.kind = kind;
    record.thread = thread;
    record.object = object;
    if (!random_.chance(10)) {
      const auto sites = static_cast<std::uint32_t>(trace_.tables.sites.size());
      record.site = SiteId(random_.below(sites));
    }
    return record;
  }
  void emit(EventKind kind, ThreadId thread, std::uint32_t object = 0, std::uint8_t detail = 0) {
    EventRecord record = event(kind, thread, object);
    record.detail = detail;
    trace_.append(record);
  }

  // ----- what a thread does next, by the mode it is in ---------------------------------

  void step(ThreadId thread) {
    switch (state(thread).mode) {
      case Mode::running: return run_or_begin(thread);
      case Mode::waiting: return time_out(thread);
      case Mode::notified: return wake(thread);
      case Mode::reacquiring: return reacquire(thread);
      case Mode::at_barrier: return leave(thread);
      case Mode::unborn:
      case Mode::ended: return;
    }
  }

  void run_or_begin(ThreadId thread) {
    if (options_.begin_end && !state(thread).begun) {
      state(thread).begun = true;
      return emit(EventKind::begin, thread);
    }
    (this->*random_action())(thread);
  }

  // What a running thread may try, and how often.
  Action random_action() {
    static constexpr std::array kActions = {
        WeightedAction{45, &Generator::access},     WeightedAction{14, &Generator::acquire},
        WeightedAction{16, &Generator::release},    WeightedAction{3, &Generator::fail_to_acquire},
        WeightedAction{6, &Generator::fork},        WeightedAction{5, &Generator::join},
        WeightedAction{2, &Generator::end},         WeightedAction{4, &Generator::wait},
        WeightedAction{5, &Generator::notify},      WeightedAction{6, &Generator::use_semaphore},
        WeightedAction{2, &Generator::arrive},      WeightedAction{4, &Generator::use_once},
        WeightedAction{2, &Generator::io},          WeightedAction{2, &Generator::allocate},
        WeightedAction{2, &Generator::free_region}, WeightedAction{2, &Generator::mark},
        WeightedAction{1, &Generator::exit},
    };
    std::uint32_t total = 0;
    for (const WeightedAction& action : kActions) total += action.weight;
    std::uint32_t draw = random_.below(total);
    const auto* action = kActions.begin();
    for (; draw >= action->weight; ++action) draw -= action->weight;
    return action->action;
  }

  // ----- memory ------------------------------------------------------------------------

  void access(ThreadId thread) {
    if (usable_.empty()) return;
    const LocationId location = usable_[random_.below(static_cast<std::uint32_t>(usable_.size()))];
    EventRecord record = event(random_access_kind(), thread, location.value());
    const bool is_rmw = record.kind == EventKind::atomic_rmw;
    if (is_atomic(record.kind))
      record.detail = static_cast<std::uint8_t>(random_order(record.kind));
    const std::uint64_t before = load(location);
    if (writes(record.kind)) store(location, random_.below(4));
    if (options_.values && random_.chance(90)) {
      record.has_value = true;
      record.value = load(location);
      if (is_rmw) record.old_value = before;
    }
    trace_.append(record);
  }

  EventKind random_access_kind() {
    if (options_.atomics && random_.chance(30)) {
      return static_cast<EventKind>(static_cast<std::uint32_t>(EventKind::atomic_read) +
                                    random_.below(3));
    }
    return random_.chance(50) ? EventKind::read : EventKind::write;
  }

  MemoryOrder random_order(EventKind kind) {
    for (;;) {
      const auto order = static_cast<MemoryOrder>(random_.below(kMemoryOrderCount));
      const bool releases = order == MemoryOrder::release || order == MemoryOrder::acq_rel;
      const bool acquires = order == MemoryOrder::consume || order == MemoryOrder::acquire ||
                            order == MemoryOrder::acq_rel;
      if (kind == EventKind::atomic_read && releases) continue;
      if (kind == EventKind::atomic_write && acquires) continue;
      return order;
    }
  }

  std::uint64_t load(LocationId id) const {
    const LocationInfo& location = trace_.tables.locations[id];
    if (!location.region.valid()) return values_[id];
    std::uint64_t value = 0;
    for (std::uint32_t i = location.size; i-- > 0;) {
      value = value << 8 | bytes_[location.region][location.offset + i];
    }
    return value;
  }

  void store(LocationId id, std::uint64_t value) {
    const LocationInfo& location = trace_.tables.locations[id];
    if (!location.region.valid()) {
      values_[id] = value;
      return;
    }
    for (std::uint32_t i = 0; i < location.size; ++i) {
      bytes_[location.region][location.offset + i] = static_cast<std::uint8_t>(value >> 8 * i);
    }
  }

  void allocate(ThreadId thread) {
    if (heap_.size() >= options_.regions) return;
    const auto number = static_cast<std::uint32_t>(trace_.tables.regions.size());
    const RegionId region = add_region("heap#", 16);
    trace_.tables.regions[region].number = number + 1;
    trace_.tables.regions[region].allocated_at = SiteId(random_.below(12));
    const std::uint32_t shift = options_.mixed_sizes ? 4 : 8;  // overlapping, or side by side
    for (std::uint32_t offset = 0; offset <= shift; offset += shift) {
      const LocationInfo location{name(fmt::format("heap#{}+", number + 1), offset), region, offset,
                                  8};
      usable_.push_back(trace_.tables.locations.add(location));
      values_.add(0);
    }
    heap_.push_back(region);
    emit(EventKind::alloc, thread, region.value());
  }

  void free_region(ThreadId thread) {
    if (heap_.empty()) return;
    const auto chosen = heap_.begin() + random_.below(static_cast<std::uint32_t>(heap_.size()));
    const RegionId region = *chosen;
    heap_.erase(chosen);
    std::erase_if(usable_,
                  [&](LocationId id) { return trace_.tables.locations[id].region == region; });
    emit(EventKind::free, thread, region.value());
  }

  // ----- locks -------------------------------------------------------------------------

  LockId random_lock() { return LockId(random_.below(options_.locks)); }

  // How often a thread other than `except` holds the lock, as a reader or as a writer.
  bool held_by_another(LockId lock, ThreadId except, bool count_readers) const {
    for (ThreadId other : indices(threads_)) {
      if (other == except) continue;
      for (const HeldLock& held : threads_[other].held) {
        if (held.lock == lock && (count_readers || !held.reader)) return true;
      }
    }
    return false;
  }
  long holds(ThreadId thread, HeldLock lock) {
    return std::count(state(thread).held.begin(), state(thread).held.end(), lock);
  }
  bool holds_either_way(ThreadId thread, LockId lock) {
    return holds(thread, {lock, false}) + holds(thread, {lock, true}) > 0;
  }

  bool can_acquire(ThreadId thread, LockId lock, bool reader) {
    if (held_by_another(lock, thread, !reader)) return false;
    if (kind_of(lock) == LockKind::recursive) return true;
    return reader ? holds(thread, {lock, false}) == 0 : !holds_either_way(thread, lock);
  }

  void acquire(ThreadId thread) {
    if (options_.locks == 0) return;
    const LockId lock = random_lock();
    const bool reader = kind_of(lock) == LockKind::readers_writer && random_.chance(60);
    if (can_acquire(thread, lock, reader)) take(thread, lock, reader, may_try());
  }

  std::uint8_t may_try() { return options_.failed_tries && random_.chance(20) ? 1 : 0; }

  void take(ThreadId thread, LockId lock, bool reader, std::uint8_t tried) {
    if (options_.markers && random_.chance(10)) emit(EventKind::request, thread, lock.value());
    emit(reader ? EventKind::reader_acquire : EventKind::acquire, thread, lock.value(), tried);
    state(thread).held.push_back({lock, reader});
  }

  void release(ThreadId thread) {
    std::vector<HeldLock>& held = state(thread).held;
    if (held.empty()) return;
    const auto count = static_cast<std::uint32_t>(held.size());
    const std::uint32_t chosen = options_.nested_only ? count - 1 : random_.below(count);
    const HeldLock lock = held[chosen];
    held.erase(held.begin() + chosen);
    emit(lock.reader ? EventKind::reader_release : EventKind::release, thread, lock.lock.value());
  }

  void fail_to_acquire(ThreadId thread) {
    if (options_.locks == 0 || !options_.failed_tries) return;
    const LockId lock = random_lock();
    const bool reader = kind_of(lock) == LockKind::readers_writer && random_.chance(50);
    if (can_acquire(thread, lock, reader)) return;
    emit(reader ? EventKind::failed_reader_acquire : EventKind::failed_acquire, thread,
         lock.value());
  }

  // ----- threads -----------------------------------------------------------------------

  void fork(ThreadId thread) {
    const ThreadId child(random_.below(options_.threads));
    if (state(child).mode != Mode::unborn) return;
    state(child).mode = Mode::running;
    emit(EventKind::fork, thread, child.value());
  }

  void join(ThreadId thread) {
    const ThreadId child(random_.below(options_.threads));
    if (!options_.fork_join || state(child).mode != Mode::ended) return;
    emit(EventKind::join, thread, child.value());
  }

  void end(ThreadId thread) {
    if (!options_.fork_join || state(thread).running_once.valid()) return;
    if (!state(thread).held.empty() && !random_.chance(5)) return;
    if (options_.begin_end) emit(EventKind::end, thread);
    state(thread).mode = Mode::ended;
  }

  void exit(ThreadId thread) {
    if (!options_.exit || trace_.size() < options_.events / 2 || !random_.chance(20)) return;
    emit(EventKind::exit, thread);
    exited_ = true;
  }

  // ----- conditions --------------------------------------------------------------------

  // Each condition goes with one lock, as POSIX asks for.
  void wait(ThreadId thread) {
    if (options_.conditions == 0 || options_.locks == 0) return;
    const ConditionId condition(random_.below(options_.conditions));
    const LockId lock(condition.value() % options_.locks);
    if (holds(thread, {lock, false}) == 0 && can_acquire(thread, lock, false)) {
      take(thread, lock, false, 0);
    }
    if (holds(thread, {lock, false}) != 1) return;
    std::erase(state(thread).held, HeldLock{lock, false});
    state(thread).mode = Mode::waiting;
    state(thread).condition = condition;
    state(thread).lock = lock;
    EventRecord record = event(EventKind::wait, thread, condition.value());
    record.lock = lock;
    trace_.append(record);
  }

  void notify(ThreadId thread) {
    if (options_.conditions == 0) return;
    const ConditionId condition(random_.below(options_.conditions));
    std::vector<ThreadId> waiters;
    for (ThreadId other : indices(threads_)) {
      const bool waits = state(other).mode == Mode::waiting && state(other).condition == condition;
      if (waits) waiters.push_back(other);
    }
    const bool all = random_.chance(30);
    emit(all ? EventKind::notify_all : EventKind::notify, thread, condition.value());
    if (waiters.empty()) return;
    if (!all) waiters = {waiters[random_.below(static_cast<std::uint32_t>(waiters.size()))]};
    for (ThreadId waiter : waiters) state(waiter).mode = Mode::notified;
  }

  void wake(ThreadId thread) {
    emit(EventKind::wake, thread, state(thread).condition.value());
    state(thread).mode = Mode::reacquiring;
  }

  void time_out(ThreadId thread) {
    if (!options_.failed_tries || !random_.chance(10)) return;
    emit(EventKind::timeout, thread, state(thread).condition.value());
    state(thread).mode = Mode::reacquiring;
  }

  void reacquire(ThreadId thread) {
    if (!can_acquire(thread, state(thread).lock, false)) return;
    emit(EventKind::acquire, thread, state(thread).lock.value());
    state(thread).held.push_back({state(thread).lock, false});
    state(thread).mode = Mode::running;
  }

  // ----- semaphores, barriers, once ----------------------------------------------------

  void use_semaphore(ThreadId thread) {
    if (options_.semaphores == 0) return;
    const SemaphoreId semaphore(random_.below(options_.semaphores));
    if (random_.chance(50)) {
      ++counts_[semaphore];
      emit(EventKind::semaphore_post, thread, semaphore.value());
    } else if (counts_[semaphore] > 0) {
      --counts_[semaphore];
      emit(EventKind::semaphore_wait, thread, semaphore.value(), may_try());
    } else if (options_.failed_tries) {
      emit(EventKind::failed_semaphore_wait, thread, semaphore.value());
    }
  }

  void arrive(ThreadId thread) {
    if (options_.barriers == 0) return;
    const BarrierId id(random_.below(options_.barriers));
    BarrierState& barrier = barriers_[id];
    ThreadState& self = state(thread);
    self.mode = Mode::at_barrier;
    self.barrier = id;
    self.generation = barrier.generation;
    self.last_arriver = ++barrier.arrived == trace_.tables.barriers[id].parties;
    if (self.last_arriver) {
      barrier.arrived = 0;
      ++barrier.generation;
    }
    emit(EventKind::barrier_arrive, thread, id.value());
  }

  void leave(ThreadId thread) {
    ThreadState& self = state(thread);
    const BarrierState& barrier = barriers_[self.barrier];
    if (barrier.generation == self.generation) return;
    const bool serial = barrier.reports_serial && self.last_arriver;
    emit(EventKind::barrier_leave, thread, self.barrier.value(), serial ? 1 : 0);
    self.mode = Mode::running;
  }

  void use_once(ThreadId thread) {
    if (options_.onces == 0) return;
    if (state(thread).running_once.valid()) return finish_once(thread);
    const OnceId once(random_.below(options_.onces));
    if (onces_[once] == OnceState::done) return emit(EventKind::once_pass, thread, once.value());
    if (onces_[once] == OnceState::running) return;
    onces_[once] = OnceState::running;
    state(thread).running_once = once;
    emit(EventKind::once_begin, thread, once.value());
  }

  void finish_once(ThreadId thread) {
    const OnceId once = state(thread).running_once;
    const bool threw = random_.chance(20);
    onces_[once] = threw ? OnceState::fresh : OnceState::done;
    state(thread).running_once = OnceId::none();
    emit(threw ? EventKind::once_abort : EventKind::once_end, thread, once.value());
  }

  // ----- the rest ----------------------------------------------------------------------

  void io(ThreadId thread) {
    if (options_.descriptors > 0) emit(EventKind::io, thread, random_.below(options_.descriptors));
  }

  void mark(ThreadId thread) {
    if (options_.markers && random_.chance(50)) return emit(EventKind::branch, thread);
    if (!options_.atomics) return;
    const MemoryOrder order = random_order(EventKind::atomic_rmw);
    emit(EventKind::fence, thread, 0, static_cast<std::uint8_t>(order));
  }

  GenerateOptions options_;
  Random random_;
  Trace trace_;
  Table<ThreadId, ThreadState> threads_;
  Table<LocationId, std::uint64_t> values_;           // of locations without a region
  Table<RegionId, std::vector<std::uint8_t>> bytes_;  // of the others
  std::vector<LocationId> usable_;                    // locations that are alive
  std::vector<RegionId> heap_;                        // allocated and not yet freed
  Table<SemaphoreId, std::uint32_t> counts_;
  Table<BarrierId, BarrierState> barriers_;
  Table<OnceId, OnceState> onces_;
  bool exited_ = false;
};

}  // namespace

Trace generate_trace(const GenerateOptions& options, std::uint64_t seed) {
  return Generator(options, seed).run();
}

GenerateOptions lock_only_options() {
  GenerateOptions options;
  options.conditions = options.semaphores = options.barriers = 0;
  options.onces = options.descriptors = options.regions = 0;
  options.begin_end = options.atomics = options.lock_kinds = options.failed_tries = false;
  options.exit = options.markers = false;
  return options;
}

}  // namespace heddle
