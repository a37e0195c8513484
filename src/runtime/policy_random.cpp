// Random with a seed: at every synchronisation any ready thread, and between accesses after
// a number of them that is drawn evenly over orders of magnitude, so that a run has both
// tight interleavings and long stretches.
//
// Switching to another thread costs as much as dozens of accesses, and as a thousand where the
// kernel has to do it (vehicle_os_threads.cpp). So in a long run, which has had its share of tight
// interleavings, stretches become longer: up to a 64th of the events so far, and after the first
// few thousand synchronisations not each of them is an occasion to switch any more, but at least
// one in sixteen. A quantum that the user sets is kept to.
#include "base/random.h"
#include "runtime/event_log.h"
#include "runtime/policy.h"

namespace heddle::runtime {
namespace {

constexpr std::uint32_t kLongest = 4096;
constexpr std::uint32_t kOccasions = 4096;
constexpr std::uint32_t kRarest = 16;

constinit Random numbers(0);
std::uint64_t wanted_longest;  // 0: as we like
std::uint32_t decisions;

void begin(const wire::Settings& settings) {
  numbers = Random(settings.seed);
  wanted_longest = settings.quantum;
}

std::uint64_t longest() {
  if (wanted_longest != 0) return wanted_longest;
  const std::uint64_t share = event_log.events() / 64;
  if (share > kLongest) return share < (1u << 30) ? share : 1u << 30;
  return kLongest;
}

// Whether the thread that runs, and could go on, has to compete with the others.
bool is_occasion() {
  if (wanted_longest != 0 || event_log.budget() <= 0 || ++decisions <= kOccasions) return true;
  const std::uint32_t rarity = decisions / kOccasions;
  return numbers.below(rarity < kRarest ? rarity : kRarest) == 0;
}

Thread* choose(Array<Thread*>& ready, Thread& current, bool current_ready) {
  if (ready.size() == 1) return ready[0];
  if (current_yields && current_ready) {
    const std::uint32_t i = numbers.below(static_cast<std::uint32_t>(ready.size() - 1));
    return ready[i] == &current ? ready.back() : ready[i];
  }
  if (current_ready && !is_occasion()) return &current;
  return ready[numbers.below(static_cast<std::uint32_t>(ready.size()))];
}

std::int64_t quantum(Thread&) {
  std::uint64_t limit = 1;
  const std::uint32_t doublings =
      numbers.below(64 - static_cast<std::uint32_t>(__builtin_clzll(longest())));
  limit <<= doublings;
  return 1 + static_cast<std::int64_t>(numbers.below(static_cast<std::uint32_t>(limit)));
}

}  // namespace

constinit const Policy random_policy = {begin, choose, quantum};

}  // namespace heddle::runtime
