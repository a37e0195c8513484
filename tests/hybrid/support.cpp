#include "tests/hybrid/support.h"

#include <functional>

#include "explore/wrong.h"

namespace heddle::hybrid {
namespace {

// Every state that can be reached without the paused thread, each once.
class BruteForce {
 public:
  BruteForce(model::Interpreter& system, ThreadId paused, std::function<void()> look)
      : system_(system), paused_(paused), look_(std::move(look)) {}

  void run() {
    if (!seen_.insert(system_.state_hash()).second) return;
    look_();
    const std::size_t depth = system_.depth();
    for (const ThreadId thread : indices<ThreadId>(system_.thread_count())) {
      if (thread == paused_ || system_.readiness(thread) != Readiness::ready) continue;
      Operation operation;
      system_.next_operation(thread, operation);
      for (std::uint32_t choice = 0; choice < operation.choices; ++choice) {
        if (system_.step(thread, choice) == Failure::none) run();
        system_.rewind(depth);
      }
    }
  }

 private:
  model::Interpreter& system_;
  ThreadId paused_;
  std::function<void()> look_;
  std::set<std::uint64_t> seen_;
};

}  // namespace

std::set<std::string> races_by_brute_force(model::Interpreter& system, ThreadId paused) {
  std::set<std::string> sites;
  BruteForce(system, paused, [&] {
    for (const ThreadId thread : indices<ThreadId>(system.thread_count())) {
      if (thread != paused && race_in(system, paused, thread)) {
        sites.insert(system.where_next(thread));
      }
    }
  }).run();
  return sites;
}

std::set<SitePair> all_races_by_brute_force(model::Interpreter& system) {
  std::set<SitePair> races;
  BruteForce(system, ThreadId::none(), [&] {
    for (const ThreadId a : indices<ThreadId>(system.thread_count())) {
      for (ThreadId b = a.next(); b.value() < system.thread_count(); ++b) {
        if (!race_in(system, a, b)) continue;
        races.insert(site_pair(system.where_next(a), system.where_next(b)));
      }
    }
  }).run();
  return races;
}

}  // namespace heddle::hybrid
