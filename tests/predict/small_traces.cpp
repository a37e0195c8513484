#include "tests/predict/small_traces.h"

#include <cstdlib>

#include <rapidcheck.h>

#include "base/random.h"
#include "tests/trace/tiny_trace.h"

namespace heddle::predict {

GenerateOptions mixed_options(std::uint64_t seed) {
  Random random(seed);
  GenerateOptions options;
  options.events = 6 + random.below(9);
  options.threads = 2 + random.below(3);
  options.locations = 1 + random.below(2);
  options.locks = 1 + random.below(2);
  options.fork_join = random.chance(30);
  options.begin_end = false;
  options.values = random.chance(50);
  options.mixed_sizes = random.chance(30);
  options.markers = false;
  options.exit = random.chance(20);
  // One or two of the rarer objects at a time, else they leave no room for each other.
  options.conditions = random.chance(40) ? 1 : 0;
  options.semaphores = random.chance(30) ? 1 : 0;
  options.barriers = random.chance(30) ? 1 : 0;
  options.onces = random.chance(30) ? 1 : 0;
  options.descriptors = random.chance(20) ? 1 : 0;
  options.regions = random.chance(30) ? 1 : 0;
  options.atomics = random.chance(50);
  return options;
}

GenerateOptions plain_options(std::uint64_t seed) {
  Random random(seed);
  GenerateOptions options = lock_only_options();
  options.events = 8 + random.below(7);
  options.threads = 2 + random.below(3);
  options.locations = 1 + random.below(2);
  options.locks = 1 + random.below(3);
  options.fork_join = random.chance(20);
  options.begin_end = false;
  options.conditions = random.chance(20) ? 1 : 0;
  options.lock_kinds = random.chance(30);
  return options;
}

void for_some_traces(GenerateOptions (*options)(std::uint64_t),
                     const std::function<void(const Trace&)>& judge, int count) {
  const std::uint64_t first = *rc::gen::resize(100, rc::gen::arbitrary<std::uint64_t>());
  if (std::getenv("HEDDLE_TEST_FULL") != nullptr) count *= 10;
  Random random(first);
  for (int i = 0; i < count; ++i) {
    const std::uint64_t seed = random.next();
    const Trace trace = generate_trace(options(seed), seed);
    RC_LOG() << tiny_text(trace) << "\n---\n";
    judge(trace);
  }
}

}  // namespace heddle::predict
