// Random with a seed: at every synchronisation any ready thread, and between accesses after
// a number of them that is drawn evenly over orders of magnitude, so that a run has both
// tight interleavings and long stretches.
#include "base/random.h"
#include "runtime/policy.h"

namespace heddle::runtime {
namespace {

constinit Random numbers(0);
std::uint64_t longest;

void begin(const wire::Settings& settings) {
  numbers = Random(settings.seed);
  longest = settings.quantum != 0 ? settings.quantum : 4096;
}

Thread* choose(Array<Thread*>& ready, Thread& current, bool current_ready) {
  if (ready.size() == 1) return ready[0];
  if (current_yields && current_ready) {
    const std::uint32_t i = numbers.below(static_cast<std::uint32_t>(ready.size() - 1));
    return ready[i] == &current ? ready.back() : ready[i];
  }
  return ready[numbers.below(static_cast<std::uint32_t>(ready.size()))];
}

std::int64_t quantum(Thread&) {
  std::uint64_t limit = 1;
  const std::uint32_t doublings =
      numbers.below(64 - static_cast<std::uint32_t>(__builtin_clzll(longest)));
  limit <<= doublings;
  return 1 + static_cast<std::int64_t>(numbers.below(static_cast<std::uint32_t>(limit)));
}

}  // namespace

constinit const Policy random_policy = {begin, choose, quantum};

}  // namespace heddle::runtime
