// Points in words: "Ma:12", the thread and the line of its next statement.
#pragma once

#include <string>

#include "ranges/program.h"

namespace heddle::ranges {

// The line of the statement that the state stands before; 0 behind the last one.
std::uint32_t line_of(const model::Model& model, model::StateId state);
// What is unique is the number: several points of a thread may stand before the same line.
std::string name_of(const Program& program, PointId point);
// "1", "2..5"; open ends of 64-bit integers as "min" and "max".
std::string text_of(model::Interval interval);

}  // namespace heddle::ranges
