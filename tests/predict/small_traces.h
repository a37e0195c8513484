// Small random traces of which all reorderings can be enumerated.
#pragma once

#include <cstdint>
#include <functional>

#include "trace/generate.h"
#include "trace/trace.h"

namespace heddle::predict {

// Few threads and objects, so that the threads meet; all sorts of events.
GenerateOptions mixed_options(std::uint64_t seed);
// Reads, writes, locks, and by chance fork and join, conditions, kinds of locks.
GenerateOptions plain_options(std::uint64_t seed);

// A case of a property: makes and judges some traces. HEDDLE_TEST_FULL makes more.
void for_some_traces(GenerateOptions (*options)(std::uint64_t),
                     const std::function<void(const Trace&)>& judge, int count = 20);

}  // namespace heddle::predict
