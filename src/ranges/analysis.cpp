#include "ranges/analysis.h"

#include <algorithm>
#include <chrono>

namespace heddle::ranges {
namespace {

using model::StateId;
using model::TransitionId;

// Of a control state, whatever round of a loop it is in.
Table<StateId, bool> states_with(const Program& program, const Table<PointId, bool>& points) {
  Table<StateId, bool> made(program.model().states.size(), false);
  for (const PointId point : indices(points)) {
    if (points[point]) made[program.flow[point].state] = true;
  }
  return made;
}

void judge_assertions(const Program& program, const Record& record, Analysis& analysis) {
  const model::Model& model = program.model();
  const Table<StateId, bool> unproved = states_with(program, record.unproved);
  const Table<StateId, bool> may_fail = states_with(program, record.may_fail);
  for (const TransitionId id : indices(model.transitions)) {
    const model::Transition& transition = model.transitions[id];
    const StateId at = transition.source;
    if (transition.kind == model::TransitionKind::assertion) {
      const Verdict verdict = !analysis.states[at].reachable ? Verdict::unreachable
                              : unproved[at]                 ? Verdict::unproved
                                                             : Verdict::proved;
      analysis.assertions.push_back({id, verdict});
    } else if (may_fail[at] && !transition.negated) {
      analysis.may_fail.push_back(id);
    }
  }
}

}  // namespace

Size size_of(const Program& program) {
  const model::Model& model = program.model();
  Size size{.threads = model.threads.size(),
            .globals = model.layout.shared_words + model.sync_objects.size(),
            .accesses = program.conflicts.access_count(),
            .transitions = program.flow.edge_total()};
  for (const model::ModelThread& thread : model.threads) {
    size.locals += thread.end_word - thread.first_word;
  }
  return size;
}

Analysis analyse(const Program& program, GraphKind kind, const PropagateOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  Analysis made;
  made.graph = std::make_unique<Graph>(program, kind, needed_switching(options));
  const Propagation propagation = propagate(*made.graph, options);
  made.states = ranges_everywhere(program, propagation.record);
  made.metric = measure(*made.graph, propagation);
  made.iterations = propagation.iterations;
  judge_assertions(program, propagation.record, made);
  for (const StateId state : indices(made.states)) {
    if (!made.states[state].reachable) made.unreachable.push_back(state);
  }
  for (const PointId point : indices<PointId>(program.flow.size())) {
    const bool cut = program.flow[point].cut && propagation.record.reached(point);
    made.complete = made.complete && !cut;
  }
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  made.seconds = taken.count();
  return made;
}

}  // namespace heddle::ranges
