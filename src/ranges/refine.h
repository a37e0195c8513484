// What is known once a condition holds, or does not.
//
// A comparison narrows both its sides to the values for which it can come out so; the
// narrowing goes down through + and - (where they cannot wrap around) to the words. `&&`
// and `||` are taken apart; where either operand may have decided, both ways are looked at
// and joined. An environment in which the condition cannot come out so becomes empty.
#pragma once

#include "ranges/environment.h"

namespace heddle::ranges {

void refine(const model::Expressions& expressions, model::ExpressionId condition, bool outcome,
            Environment& environment);

}  // namespace heddle::ranges
