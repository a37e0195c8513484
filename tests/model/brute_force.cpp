#include "tests/model/brute_force.h"

#include <algorithm>
#include <utility>

namespace heddle {
namespace {

bool only_looks(EventKind kind) {
  return kind == EventKind::read || kind == EventKind::atomic_read ||
         kind == EventKind::failed_acquire || kind == EventKind::failed_reader_acquire ||
         kind == EventKind::failed_semaphore_wait || kind == EventKind::join;
}

struct Event {
  ThreadId thread;
  std::size_t index;  // in its thread
  std::uint32_t choice;
  Operation operation;
};

using Class = std::vector<std::uint64_t>;

class BruteForce {
 public:
  BruteForce(System& system, std::size_t limit) : system_(system), limit_(limit) {}

  Exploration run() {
    explore();
    result_.traces = classes_.size();
    return result_;
  }

 private:
  void explore() {
    if (!prefixes_.insert(class_of_execution()).second) return;
    bool moved = false, waits = false;
    for (const ThreadId thread : indices<ThreadId>(system_.thread_count())) {
      const Readiness readiness = system_.readiness(thread);
      waits = waits || readiness == Readiness::blocked;
      if (readiness != Readiness::ready) continue;
      moved = true;
      Operation operation;
      system_.next_operation(thread, operation);
      for (std::uint32_t choice = 0; choice < operation.choices; ++choice) {
        take(thread, choice, operation);
      }
    }
    if (!moved) finish(waits);
  }

  void take(ThreadId thread, std::uint32_t choice, const Operation& operation) {
    if (prefixes_.size() >= limit_) {
      result_.complete = false;
      return;
    }
    const std::size_t depth = system_.depth();
    const auto index = static_cast<std::size_t>(
        std::count_if(events_.begin(), events_.end(),
                      [&](const Event& event) { return event.thread == thread; }));
    events_.push_back({thread, index, choice, operation});
    const Failure failure = system_.step(thread, choice);
    if (failure == Failure::none) {
      explore();
    } else {
      result_.failures.insert(system_.describe_last_step());
      finish(false);
    }
    system_.rewind(depth);
    events_.pop_back();
  }

  void finish(bool deadlock) {
    if (classes_.insert(class_of_execution()).second && deadlock) ++result_.deadlocks;
    result_.final_states.insert(system_.state_hash());
  }

  // All events, and the order of all dependent pairs.
  Class class_of_execution() const {
    Class made;
    for (std::size_t i = 0; i < events_.size(); ++i) {
      made.push_back(name(events_[i]) << 8 | events_[i].choice);
      for (std::size_t j = i + 1; j < events_.size(); ++j) {
        if (!dependent(events_[i].operation, events_[j].operation)) continue;
        made.push_back(std::uint64_t{1} << 63 | name(events_[i]) << 30 | name(events_[j]));
      }
    }
    std::sort(made.begin(), made.end());
    return made;
  }

  static std::uint64_t name(const Event& event) {
    return std::uint64_t{event.thread.value()} << 20 | event.index;
  }

  System& system_;
  std::size_t limit_;
  std::vector<Event> events_;
  std::set<Class> prefixes_;
  std::set<Class> classes_;
  Exploration result_;
};

}  // namespace

bool dependent(const Operation& a, const Operation& b) {
  for (const Access& x : a.accesses) {
    for (const Access& y : b.accesses) {
      if (x.object == y.object && !(only_looks(x.kind) && only_looks(y.kind))) return true;
    }
  }
  return false;
}

Exploration explore_all(System& system, std::size_t limit) {
  return BruteForce(system, limit).run();
}

}  // namespace heddle
