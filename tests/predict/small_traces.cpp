#include "tests/predict/small_traces.h"

#include <rapidcheck.h>

namespace heddle::predict {

GenerateOptions small_options(std::size_t events) {
  GenerateOptions options;
  options.events = *rc::gen::inRange<std::size_t>(4, events + 1);
  options.threads = *rc::gen::inRange<std::uint32_t>(2, 5);
  options.locations = *rc::gen::inRange<std::uint32_t>(1, 3);
  options.locks = *rc::gen::inRange<std::uint32_t>(1, 3);
  options.fork_join = *rc::gen::arbitrary<bool>();
  options.begin_end = false;
  options.values = *rc::gen::arbitrary<bool>();
  options.mixed_sizes = *rc::gen::arbitrary<bool>();
  return options;
}

GenerateOptions plain_options(std::size_t events) {
  GenerateOptions options = lock_only_options();
  options.events = *rc::gen::inRange<std::size_t>(4, events + 1);
  options.threads = *rc::gen::inRange<std::uint32_t>(2, 5);
  options.locations = *rc::gen::inRange<std::uint32_t>(1, 3);
  options.locks = *rc::gen::inRange<std::uint32_t>(1, 4);
  options.fork_join = *rc::gen::arbitrary<bool>();
  options.conditions = *rc::gen::inRange<std::uint32_t>(0, 2);
  options.lock_kinds = *rc::gen::arbitrary<bool>();
  return options;
}

Trace small_trace(const GenerateOptions& options) {
  return generate_trace(options, *rc::gen::arbitrary<std::uint64_t>());
}

}  // namespace heddle::predict
