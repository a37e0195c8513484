#include "model/graph.h"

#include <fmt/format.h>

namespace heddle::model {
namespace {

constexpr std::size_t kMaxLabel = 60;

std::string quoted(std::string text) {
  if (text.size() > kMaxLabel) text = text.substr(0, kMaxLabel - 3) + "...";
  std::string made = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') made += '\\';
    made += c;
  }
  return made + "\"";
}

std::string_view step_name(TransitionKind kind) {
  switch (kind) {
    case TransitionKind::wake: return "wake: ";
    case TransitionKind::end: return "end";
    default: return "";
  }
}

std::string state_line(const Model& model, StateId id) {
  const ControlState& state = model.states[id];
  const bool first = model.threads[state.thread].first == id;
  std::string shape = state.inner          ? "shape=point, width=0.1"
                      : state.count == 0   ? "shape=doublecircle, label=\"\", width=0.2"
                      : model.branches(id) ? "shape=diamond"
                                           : "shape=box";
  if (first && !state.inner) shape += ", penwidth=2";
  if (state.inner || state.count == 0) return fmt::format("    s{} [{}];\n", id.value(), shape);
  const Transition& transition = model.transitions_of(id).front();
  const std::uint32_t line = model.source.line(transition.range.begin);
  const std::string label = transition.kind == TransitionKind::end ? "" : fmt::format("{}", line);
  return fmt::format("    s{} [{}, label=\"{}\"];\n", id.value(), shape, label);
}

std::string transition_line(const Model& model, const Transition& transition) {
  const std::string text = model.source.in_one_line(transition.range);
  const std::string guard = !transition.guard.valid() ? "" : transition.negated ? "no: " : "yes: ";
  return fmt::format("    s{} -> s{} [label={}];\n", transition.source.value(),
                     transition.target.value(),
                     quoted(fmt::format("{}{}{}", guard, step_name(transition.kind), text)));
}

}  // namespace

std::string graphviz(const Model& model) {
  std::string text = fmt::format("digraph {} {{\n  node [fontsize=10]; edge [fontsize=10];\n",
                                 quoted(model.source.name()));
  for (const ThreadId thread : indices(model.threads)) {
    text += fmt::format("  subgraph cluster_{} {{\n    label={};\n", thread.value(),
                        quoted(model.threads[thread].name));
    for (const StateId state : indices(model.states)) {
      if (model.states[state].thread != thread) continue;
      text += state_line(model, state);
      for (const Transition& transition : model.transitions_of(state)) {
        text += transition_line(model, transition);
      }
    }
    text += "  }\n";
  }
  return text + "}\n";
}

}  // namespace heddle::model
