#include "engine/native_system.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

namespace heddle {

using explored::Next;
using explored::Place;
using explored::Wrong;

void NativeSystem::begin(std::size_t threads, std::size_t objects) {
  object_limit_ = std::max(objects, objects_.size());
  threads_.assign(threads, View());
  conditional_.assign(threads / 64 + 1, 0);
  last_steps_.assign(threads, 0);
  accesses_.clear();
  changes_.clear();
  effects_.clear();
  path_.clear();
  steps_.clear();
  restart();
  failed_at_start_ = failure();
  look_at_threads(true);
  changes_.clear();
}

void NativeSystem::restart() {
  program_.restart();
  waypoints_.clear();
  live_ = common_ = 0;
  is_live_ = true;
}

void NativeSystem::next_operation(ThreadId thread, Operation& operation) const {
  const View& view = threads_[thread.value()];
  const auto first = accesses_.begin() + view.first_access;
  operation.accesses.assign(first, first + view.access_count);
  operation.choices = view.choices;
}

Failure NativeSystem::step(ThreadId thread, std::uint32_t choice) {
  if (live_ != steps_.size() || common_ != live_) follow_path();
  const View& view = threads_[thread.value()];
  path_.push_back({thread.value(), choice, view.kind, view.object, view.pc});
  steps_.push_back(
      {view.state, last_steps_[thread.value()], static_cast<std::uint32_t>(changes_.size()),
       static_cast<std::uint32_t>(accesses_.size()), static_cast<std::uint32_t>(effects_.size())});
  program_.advance(thread.value(), choice);
  common_ = ++live_;
  take_effects();
  last_steps_[thread.value()] = static_cast<std::uint32_t>(steps_.size());
  look_at_threads(false);
  if (stop_spinning_) stop_if_round_in_vain(thread.value());
  return failure();
}

namespace {

// What others cannot see.
bool is_quiet(EventKind kind) {
  return kind == EventKind::atomic_read || kind == EventKind::failed_acquire ||
         kind == EventKind::failed_reader_acquire || kind == EventKind::failed_semaphore_wait;
}

}  // namespace

// A thread that comes back to an operation, in the same state of its own and without having done
// anything that others can see, is in a loop that only waits.
void NativeSystem::stop_if_round_in_vain(std::uint32_t thread) {
  View& view = threads_[thread];
  if (view.readiness != Readiness::ready) return;
  for (std::uint32_t i = last_steps_[thread]; i > first_step_; i = steps_[i - 1].previous) {
    const explored::Taken& taken = path_[i - 1];
    if (!is_quiet(taken.kind)) return;
    if (taken.pc != view.pc || taken.object != view.object) continue;
    if (view.state == 0) note_loop(view.pc);
    if (view.state == 0) view.state = program_.state(thread);
    if (steps_[i - 1].state == view.state) {
      view.readiness = Readiness::spinning;
      return;
    }
  }
}

bool NativeSystem::is_loop(std::uint64_t pc) const {
  return std::find(loops_.begin(), loops_.end(), pc) != loops_.end();
}

// Beyond the first few, a loop is noticed a round later.
void NativeSystem::note_loop(std::uint64_t pc) {
  constexpr std::size_t kMostLoops = 64;
  if (loops_.size() == kMostLoops) return;
  loops_.push_back(pc);
  throw StartAgain();
}

// Nothing that others did has come since its last round began, and nobody can go on: it will
// see the same again.
bool NativeSystem::spins_for_ever(ThreadId thread) const {
  const View& view = threads_[thread.value()];
  if (view.readiness != Readiness::spinning) return false;
  for (std::size_t i = steps_.size(); i-- > 0;) {
    if (path_[i].thread != thread.value()) {
      if (!is_quiet(path_[i].kind)) return false;
    } else if (steps_[i].state == view.state) {
      return true;
    }
  }
  return false;
}

void NativeSystem::rewind(std::size_t depth) {
  if (depth >= steps_.size()) return;
  const Step& first = steps_[depth];
  while (changes_.size() > first.changes) {
    put(changes_.back().thread, changes_.back().before);
    changes_.pop_back();
  }
  accesses_.resize(first.accesses, Access{EventKind::begin, SystemObject(0)});
  for (std::size_t i = steps_.size(); i-- > depth;)
    last_steps_[path_[i].thread] = steps_[i].previous;
  effects_.resize(first.effects, Access{EventKind::begin, SystemObject(0)});
  path_.resize(depth, explored::Taken());
  steps_.resize(depth, Step());
  common_ = std::min(common_, depth);
  while (!waypoints_.empty() && waypoints_.back() > depth) waypoints_.pop_back();
}

namespace {

// Keeping a state takes about as long as some steps do, and some pages as long as one; but one
// that is kept is returned to several times.
bool worth_a_waypoint(std::size_t steps, std::uint64_t bytes) {
  constexpr std::size_t kSomeSteps = 3;
  return steps > kSomeSteps + bytes / 16384;
}

}  // namespace

// Brings the program to where the path ends.
void NativeSystem::follow_path() {
  if (waypoints_.empty()) {
    restart();
    // What is fixed is run once.
    if (first_step_ > 0 && first_step_ <= path_.size()) keep_state_at(first_step_);
  } else {
    program_.return_to(static_cast<std::uint32_t>(waypoints_.size() - 1));
    live_ = waypoints_.back();
  }
  while (worth_a_waypoint(path_.size() - live_, program_.kept_bytes()) &&
         waypoints_.size() < explored::kMostWaypoints) {
    if (!keep_state_at((live_ + path_.size()) / 2)) break;
  }
  follow(path_.size());
  common_ = live_;
}

bool NativeSystem::keep_state_at(std::size_t depth) {
  follow(depth);
  if (!program_.keep_state(static_cast<std::uint32_t>(waypoints_.size()))) return false;
  waypoints_.push_back(live_);
  return true;
}

void NativeSystem::follow(std::size_t until) {
  live_ += program_.follow(path_.data() + live_, until - live_);
  if (live_ != until) diverge(live_);
}

void NativeSystem::diverge(std::size_t step) const {
  const explored::Taken& expected = path_[step];
  Next next;
  program_.next(expected.thread, &next);
  throw Diverged{step, words_of(expected.kind, expected.object, expected.pc),
                 next.place == Place::standing ? words_of(next.kind, next.object, next.pc)
                                               : std::string("nothing")};
}

// After a step: those who ran, and those whose next operation depends on others.
void NativeSystem::look_at_threads(bool all) {
  const std::uint32_t count = program_.thread_count();
  threads_seen_ = std::max<std::size_t>(threads_seen_, count);
  if (count > threads_.size()) throw StartAgain();
  if (all || program_.over()) {
    for (std::uint32_t thread = 0; thread < count; ++thread) {
      if (threads_[thread].readiness != Readiness::finished) look_at(thread);
    }
    return;
  }
  std::uint32_t ran_count = 0;
  const std::uint32_t* ran = program_.ran(&ran_count);
  for (std::uint32_t i = 0; i < ran_count; ++i) look_at(ran[i]);
  for (std::uint32_t word = 0; word < conditional_.size(); ++word) {
    for (std::uint64_t left = conditional_[word]; left != 0; left &= left - 1) {
      const std::uint32_t thread = word * 64 + static_cast<std::uint32_t>(std::countr_zero(left));
      if (threads_[thread].readiness != Readiness::spinning) look_again(thread);
    }
  }
}

void NativeSystem::look_at(std::uint32_t thread) {
  Next next;
  program_.next(thread, &next);
  set(thread, view_of(next, thread));
}

void NativeSystem::look_again(std::uint32_t thread) {
  Next next;
  program_.next(thread, &next);
  const View& known = threads_[thread];
  const bool was_ready = known.readiness == Readiness::ready;
  if (next.ready != was_ready || next.kind != known.kind) set(thread, view_of(next, thread));
}

void NativeSystem::set(std::uint32_t thread, const View& view) {
  changes_.push_back({thread, threads_[thread]});
  put(thread, view);
}

void NativeSystem::put(std::uint32_t thread, const View& view) {
  threads_[thread] = view;
  const std::uint64_t bit = std::uint64_t{1} << thread % 64;
  std::uint64_t& word = conditional_[thread / 64];
  word = view.conditional ? word | bit : word & ~bit;
}

NativeSystem::View NativeSystem::view_of(const Next& next, std::uint32_t thread) {
  View view;
  if (next.place != Place::standing) {
    view.readiness = next.place == Place::unborn ? Readiness::unborn : Readiness::finished;
    return view;
  }
  view.readiness = next.ready ? Readiness::ready : Readiness::blocked;
  view.conditional = next.conditional || !next.ready;
  view.kind = next.kind;
  view.choices = next.choices;
  view.object = next.object;
  view.pc = next.pc;
  if (is_loop(next.pc)) view.state = program_.state(thread);
  view.first_access = static_cast<std::uint32_t>(accesses_.size());
  if (next.object != 0) add_access(next.kind, next.type, next.object, next.tried);
  if (next.second != 0) add_access(EventKind::release, next.second_type, next.second);
  if (next.first) add_access(EventKind::begin, ObjectType::thread, thread + 1);
  // Waiting for one more is no step, so what it comes after does not matter yet.
  const bool waits_for_end = next.kind == EventKind::join && !next.ready;
  for (std::uint32_t i = 0; i < next.join_count && !waits_for_end; ++i) {
    add_access(EventKind::join, ObjectType::thread, next.joins[i] + 1);
  }
  view.access_count = static_cast<std::uint32_t>(accesses_.size()) - view.first_access;
  return view;
}

void NativeSystem::add_access(EventKind kind, ObjectType type, std::uint64_t object, bool tried) {
  accesses_.emplace_back(kind, number_of(type, object), tried);
}

// Threads are asked for most often: at the end of an execution all are joined.
std::uint32_t NativeSystem::number_of_thread(std::uint64_t thread) {
  constexpr std::uint32_t kUnknown = ~0u;
  if (thread >= thread_numbers_.size()) thread_numbers_.resize(thread + 1, kUnknown);
  std::uint32_t& number = thread_numbers_[thread];
  if (number == kUnknown) number = objects_.number_of(ObjectType::thread, thread);
  return number;
}

SystemObject NativeSystem::number_of(ObjectType type, std::uint64_t object) {
  const std::uint32_t number =
      type == ObjectType::thread ? number_of_thread(object) : objects_.number_of(type, object);
  if (number >= object_limit_) throw StartAgain();
  return SystemObject(number);
}

void NativeSystem::take_effects() {
  std::uint32_t count = 0;
  const explored::Effect* effects = program_.effects(&count);
  for (std::uint32_t i = 0; i < count; ++i) {
    effects_.emplace_back(effects[i].kind, number_of(ObjectType::thread, effects[i].thread + 1),
                          false);
  }
}

std::span<const Access> NativeSystem::effects() const {
  if (steps_.empty()) return {};
  return std::span(effects_).subspan(steps_.back().effects);
}

void NativeSystem::certain_operations(ThreadId thread, std::size_t limit,
                                      OperationList& operations) const {
  operations.clear();
  const View& view = threads_[thread.value()];
  const bool atomic = view.kind == EventKind::atomic_read || view.kind == EventKind::atomic_write ||
                      view.kind == EventKind::atomic_rmw;
  if (limit == 0 || view.readiness != Readiness::ready || view.conditional || !atomic) return;
  next_operation(thread, operations.add());
}

Failure NativeSystem::failure() const {
  switch (program_.outcome()->wrong) {
    case Wrong::nothing: return Failure::none;
    case Wrong::assertion: return Failure::assertion;
    case Wrong::crash: return Failure::crash;
    case Wrong::exit_status: return Failure::exit_status;
    case Wrong::misuse: return Failure::misuse;
    case Wrong::memory: return Failure::memory;
    case Wrong::race: return Failure::race;
    case Wrong::assumption: return Failure::assumption;
  }
  return Failure::none;
}

std::string NativeSystem::thread_name(ThreadId thread) const {
  return thread.value() == 0 ? "main" : fmt::format("thread {}", thread.value());
}

std::string NativeSystem::object_name(SystemObject object) const {
  const auto& name = objects_.name(object.value());
  return fmt::format("{} {:#x}", name_of(name.type), name.address);
}

std::string NativeSystem::words_of(EventKind kind, std::uint64_t object, std::uint64_t pc) const {
  return fmt::format("{} of {:#x} at {:#x}", name_of(kind), object, pc);
}

std::string NativeSystem::describe_next(ThreadId thread) const {
  const View& view = threads_[thread.value()];
  return fmt::format("{} {:#x}", name_of(view.kind), view.object);
}

std::string NativeSystem::where_next(ThreadId thread) const {
  return fmt::format("{:#x}", threads_[thread.value()].pc);
}

std::string NativeSystem::describe_last_step() const {
  const explored::Outcome& outcome = *program_.outcome();
  return fmt::format("{}\t{}\t{:#x}\t{}\t{:#x}", outcome.message, outcome.thread, outcome.pc,
                     outcome.other_thread, outcome.other_pc);
}

}  // namespace heddle
