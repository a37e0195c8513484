#include "ranges/names.h"

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
