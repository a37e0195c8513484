// Strongly connected components, again and again inside of themselves.
#include "ranges/loops.h"

#include <algorithm>

#include "model/components.h"

namespace heddle::ranges {
namespace {

using model::Components;
using model::Model;
using model::StateId;

class Finder {
 public:
  explicit Finder(const Model& model)
      : model_(model), components_(model), is_header_(model.states.size(), false) {
    found_.around.resize(model.states.size());
    found_.rank.resize(model.states.size());
  }

  Loops run() {
    for (const ThreadId thread : indices(model_.threads)) {
      order_from(model_.threads[thread].first);
    }
    return std::move(found_);
  }

 private:
  // The states of a loop, or the first state of a thread; loops around it, itself included.
  struct Part {
    Components::Component states;
    std::size_t depth;
  };

  void order_from(StateId first) {
    std::vector<Part> parts{{{first}, 0}};
    while (!parts.empty()) {
      const Part part = std::move(parts.back());
      parts.pop_back();
      for (Components::Component& component : order(part)) {
        if (component.size() > 1) parts.push_back({std::move(component), part.depth + 1});
      }
    }
  }

  std::vector<Components::Component> order(const Part& part) {
    auto components = components_.find(
        part.states, [&](StateId from, StateId to) { return in_part(part.depth, from, to); });
    number(components);
    return components;
  }

  // Only within the part: the loop that is being taken apart, without the ways to its header.
  bool in_part(std::size_t depth, StateId from, StateId to) const {
    if (depth == 0) return true;
    const auto& around = found_.around;
    return around[to].size() >= depth && around[to][depth - 1] == around[from][depth - 1] &&
           !is_header_[to];
  }

  bool is_loop(const Components::Component& component) const {
    const StateId first = component.front();
    return component.size() > 1 || (!is_header_[first] && leads_to_itself(model_, first));
  }

  // Components come out last first. The header of a loop is the state that is entered: the
  // first that the search came to.
  void number(std::vector<Components::Component>& components) {
    const auto count = static_cast<std::uint32_t>(components.size());
    std::vector<StateId> headers;
    for (std::uint32_t i = 0; i < count; ++i) {
      Components::Component& component = components[i];
      const std::uint32_t rank = count - 1 - i;
      if (!is_loop(component)) {
        found_.rank[component.front()] = rank;
        continue;
      }
      const StateId header = component.back();
      const LoopId loop = found_.loops.add({header, rank});
      for (const StateId state : component) found_.around[state].push_back(loop);
      headers.push_back(header);
      std::swap(component.front(), component.back());
    }
    for (const StateId header : headers) is_header_[header] = true;
  }

  const Model& model_;
  Components components_;
  Loops found_;
  Table<StateId, bool> is_header_;
};

}  // namespace

bool Loops::inside(StateId state, LoopId loop) const {
  const std::vector<LoopId>& list = around[state];
  return std::find(list.begin(), list.end(), loop) != list.end();
}

Loops find_loops(const Model& model) { return Finder(model).run(); }

}  // namespace heddle::ranges
