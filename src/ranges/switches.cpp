#include "ranges/switches.h"

#include <algorithm>

namespace heddle::ranges {
namespace {

using Nodes = Table<ThreadId, std::vector<PointId>>;

Nodes nodes_of_threads(const Program& program, const Boundaries& boundaries) {
  Nodes nodes(program.model().threads.size());
  for (const PointId point : indices(boundaries)) {
    if (boundaries[point]) nodes[program.flow[point].thread].push_back(point);
  }
  return nodes;
}

// For each thread, its steps that something of one given thread can come before.
class Influence {
 public:
  Influence(const Program& program, ThreadId from)
      : program_(program), seen_(program.flow.size(), false) {
    entered_.resize(program.model().threads.size());
    for (const PointId step : program.conflicts.steps_of(from)) reach(step);
    while (!open_.empty()) {
      const PointId step = open_.back();
      open_.pop_back();
      for (const PointId target : program.conflicts.targets(step)) reach(target);
      for (const PointId other : program.conflicts.of(step)) {
        if (can_precede(step, other)) enter(other);
      }
    }
  }

  bool reaches(PointId node) const {
    const std::vector<PointId>& steps = entered_[program_.flow[node].thread];
    return std::any_of(steps.rbegin(), steps.rend(),
                       [&](PointId step) { return program_.order.reaches(node, step); });
  }

 private:
  void reach(PointId step) {
    if (seen_[step]) return;
    seen_[step] = true;
    open_.push_back(step);
  }
  void enter(PointId step) {
    entered_[program_.flow[step].thread].push_back(step);
    reach(step);
  }
  bool can_precede(PointId step, PointId other) const {
    const auto targets = program_.conflicts.targets(step);
    return std::any_of(targets.begin(), targets.end(),
                       [&](PointId end) { return program_.meeting.can_meet(end, other); });
  }

  const Program& program_;
  Table<PointId, bool> seen_;
  std::vector<PointId> open_;
  Table<ThreadId, std::vector<PointId>> entered_;
};

void add_switches(const Program& program, PointId source, const std::vector<PointId>& targets,
                  Switches& made) {
  if (source == program.flow.first(program.flow[source].thread)) return;  // it has not moved
  for (const PointId target : targets) {
    if (program.meeting.can_switch(source, target)) made.push_back({source, target});
  }
}

Switches all_switches(const Program& program, const Nodes& nodes, Switching switching) {
  Switches made;
  for (const ThreadId from : indices(nodes)) {
    const Influence influence(program, from);
    const auto wanted = [&](PointId node) {
      if (switching == Switching::complete) return !program.flow.is_last(node);
      return influence.reaches(node);
    };
    std::vector<PointId> targets;
    for (const ThreadId to : indices(nodes)) {
      if (from == to) continue;
      std::copy_if(nodes[to].begin(), nodes[to].end(), std::back_inserter(targets), wanted);
    }
    for (const PointId source : nodes[from]) add_switches(program, source, targets, made);
  }
  return made;
}

}  // namespace

Switches find_switches(const Program& program, const Boundaries& boundaries,
                       const Switches* from_mats, Switching switching) {
  const bool pair = program.model().threads.size() <= 2;
  if (from_mats == nullptr || !pair) {
    return all_switches(program, nodes_of_threads(program, boundaries),
                        pair ? Switching::complete : switching);
  }
  Switches made;
  std::copy_if(from_mats->begin(), from_mats->end(), std::back_inserter(made),
               [&](const ContextSwitch& change) {
                 return program.meeting.can_switch(change.source, change.target);
               });
  return made;
}

}  // namespace heddle::ranges
