// Points in words: "Ma:12", the thread and the line of its next statement.
#pragma once

#include <string>

#include "ranges/program.h"

namespace heddle::ranges {

// The line of the statement that the state stands before; 0 behind the last one.
std::uint32_t line_of(const model::Model& model, model::StateId state);
// The statement that the state stands before, in one line; "end" behind the last one.
std::string statement_at(const model::Model& model, model::StateId state);
// What is unique is the number: several points of a thread may stand before the same line.
std::string name_of(const Program& program, PointId point);
// The word of memory that an environment of the state's thread has at that place.
std::uint32_t word_at(const model::Model& model, model::StateId state, std::size_t place);
// A variable that a person wants to see; null: a temporary of a statement that was split.
const model::Variable* shown_variable(const model::Model& model, std::uint32_t word);
// "total"; "i:20" where the thread has several of that name, by the line of its declaration.
std::string name_of(const model::Model& model, const model::Variable& variable);
// "1", "2..5"; open ends of 64-bit integers as "min" and "max".
std::string text_of(model::Interval interval);

}  // namespace heddle::ranges
