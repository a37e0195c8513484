// All reachable states of a small model, by brute force.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "model/interpreter.h"
#include "ranges/analysis.h"

namespace heddle {

// Calls visit in every reachable state in which nothing has failed; false if there are more
// than `limit`.
bool for_each_state(model::Interpreter& interpreter, std::size_t limit,
                    const std::function<void()>& visit);

// What of the analysis is wrong in the interpreter's state; none: it is right.
std::optional<std::string> wrong_here(const model::Interpreter& interpreter,
                                      const ranges::Analysis& analysis);

}  // namespace heddle
