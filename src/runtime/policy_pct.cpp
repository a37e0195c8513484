// PCT (Burckhardt, Kothari, Musuvathi, Nagarakatte: A Randomized Scheduler with
// Probabilistic Guarantees of Finding Bugs, ASPLOS 2010).
//
// Every thread gets a random priority when it is born, and the ready thread with the
// highest one runs. At d - 1 random points of the run the running thread falls below all
// others. A bug that needs d orderings, in a run of k events and n threads, is hit with a
// probability of at least 1 / (n k^(d-1)).
//
// A thread that yields, or that runs alone for very long while others could, waits for
// somebody: it falls below all others too, or a spinning thread would spin for ever.
#include "base/random.h"
#include "runtime/event_log.h"
#include "runtime/policy.h"

namespace heddle::runtime {
namespace {

constexpr std::uint32_t kMaxChanges = 64;
constexpr std::uint64_t kPatience = 20'000;
constexpr std::uint64_t kLowest = std::uint64_t{1} << 32;

constinit Random numbers(0);
std::uint64_t changes[kMaxChanges];  // ascending
std::uint32_t change_count;
std::uint32_t next_change;
std::uint64_t next_low = kLowest - 1;
const Thread* running;        // who goes on
std::uint64_t running_since;  // so many events when it began to

void sort_changes() {
  for (std::uint32_t i = 1; i < change_count; ++i) {
    for (std::uint32_t j = i; j > 0 && changes[j] < changes[j - 1]; --j) {
      const std::uint64_t larger = changes[j - 1];
      changes[j - 1] = changes[j];
      changes[j] = larger;
    }
  }
}

void begin(const wire::Settings& settings) {
  numbers = Random(settings.seed);
  change_count = settings.depth > 0 ? settings.depth - 1 : 0;
  if (change_count > kMaxChanges) change_count = kMaxChanges;
  for (std::uint32_t i = 0; i < change_count; ++i) {
    changes[i] = numbers.below(static_cast<std::uint32_t>(settings.steps));
  }
  sort_changes();
}

void lower(Thread& thread) { thread.priority = next_low--; }

void lower_if_due(Thread& current) {
  const bool changes_now = next_change < change_count && changes[next_change] <= event_log.events();
  if (changes_now) ++next_change;
  const bool impatient = &current == running && event_log.events() - running_since >= kPatience;
  if (changes_now || impatient || current_yields) lower(current);
  if (impatient) running = nullptr;
}

Thread* choose(Array<Thread*>& ready, Thread& current, bool) {
  lower_if_due(current);
  Thread* best = nullptr;
  for (Thread* thread : ready) {
    if (thread->priority == 0) thread->priority = kLowest + (numbers.next() >> 24);
    if (best == nullptr || thread->priority > best->priority) best = thread;
  }
  return best;
}

std::int64_t quantum(Thread& thread) {
  if (&thread != running) running_since = event_log.events();
  running = &thread;
  const std::uint64_t now = event_log.events();
  std::uint64_t end = running_since + kPatience;
  if (next_change < change_count && changes[next_change] < end) end = changes[next_change];
  return end > now ? static_cast<std::int64_t>(end - now) : 1;
}

}  // namespace

constinit const Policy pct_policy = {begin, choose, quantum};

}  // namespace heddle::runtime
