// The compiler wrapper: reads the command line, plans, and turns into the compiler.
#pragma once

#include <span>
#include <string>

#include "base/result.h"
#include "compile/invocation.h"

namespace heddle {

// `words` come after the wrapper's own name. Returns only if the compiler could not be
// started or the words ask for what cannot work.
Error run_wrapper(Language language, std::span<const std::string> words);

// What the wrapper ends with when it does not get as far as the compiler.
inline constexpr int kWrapperFailed = 64;

}  // namespace heddle
