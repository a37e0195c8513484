// Random models in which threads hand data over to each other: by flags that they look at or spin
// on, locks, semaphores, conditions, fork and join. Many pairs of their accesses look like races to
// Lockset and are none, or are some only after another thread has done its part.
#pragma once

#include <cstdint>
#include <string>

namespace heddle::hybrid {

// The same text for the same seed, on every machine.
std::string handoff_model(std::uint32_t threads, std::uint64_t seed);

}  // namespace heddle::hybrid
