#include "ranges/names.h"

#include <algorithm>

#include <fmt/format.h>

namespace heddle::ranges {

std::uint32_t line_of(const model::Model& model, model::StateId state) {
  const auto transitions = model.transitions_of(state);
  if (transitions.empty() || transitions.front().kind == model::TransitionKind::end) return 0;
  return model.source.line(transitions.front().range.begin);
}

std::string name_of(const Program& program, PointId point) {
  const Point& at = program.flow[point];
  const std::string& thread = program.model().threads[at.thread].name;
  if (at.cut) return fmt::format("{}:cut", thread);
  const std::uint32_t line = line_of(program.model(), at.state);
  return line == 0 ? fmt::format("{}:end", thread) : fmt::format("{}:{}", thread, line);
}

std::string statement_at(const model::Model& model, model::StateId state) {
  if (line_of(model, state) == 0) return "end";
  return model.source.in_one_line(model.transitions_of(state).front().range);
}

std::uint32_t word_at(const model::Model& model, model::StateId state, std::size_t place) {
  const std::uint32_t shared = model.layout.shared_words;
  const auto word = static_cast<std::uint32_t>(place);
  if (word < shared) return word;
  return word - shared + model.threads[model.states[state].thread].first_word;
}

const model::Variable* shown_variable(const model::Model& model, std::uint32_t word) {
  const model::Variable* variable = model.variable_of(word);
  return variable == nullptr || variable->temporary ? nullptr : variable;
}

std::string name_of(const model::Model& model, const model::Variable& variable) {
  const auto namesakes = std::count_if(
      model.variables.begin(), model.variables.end(), [&](const model::Variable& other) {
        return other.name == variable.name && other.thread == variable.thread;
      });
  if (namesakes == 1) return variable.name;
  return fmt::format("{}:{}", variable.name, model.source.line(variable.declared.begin));
}

std::string text_of(model::Interval interval) {
  const auto number = [](std::int64_t value) {
    if (value == std::numeric_limits<std::int64_t>::min()) return std::string("min");
    if (value == std::numeric_limits<std::int64_t>::max()) return std::string("max");
    return std::to_string(value);
  };
  if (interval.single()) return number(interval.low);
  return fmt::format("{}..{}", number(interval.low), number(interval.high));
}

}  // namespace heddle::ranges
