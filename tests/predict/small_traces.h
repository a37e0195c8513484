// Small random traces of which all reorderings can be enumerated.
#pragma once

#include "trace/generate.h"
#include "trace/trace.h"

namespace heddle::predict {

// Few threads and objects, so that the threads meet; all sorts of events.
GenerateOptions small_options(std::size_t events);
// Reads, writes, locks, fork, join, and what is switched on by chance.
GenerateOptions plain_options(std::size_t events);

Trace small_trace(const GenerateOptions& options);

}  // namespace heddle::predict
