#include "hybrid/chop.h"

#include <algorithm>

namespace heddle::hybrid {
namespace {

using model::Model;
using model::Reference;
using model::StateId;
using model::StaticTable;
using model::Transition;
using model::TransitionId;
using model::TransitionKind;
using model::VariableId;

class Chopper {
 public:
  Chopper(const Model& model, const ChopQuestion& question, Table<StateId, bool>& live,
          Table<VariableId, bool>& matters)
      : model_(model),
        question_(question),
        live_(live),
        matters_(matters),
        reachable_(model.states.size()),
        needed_(model.transitions.size()),
        synchronised_(model.layout.objects) {}

  void run() {
    for (const ThreadId thread : indices(model_.threads)) reach(thread);
    need_accesses_to_location();
    for (bool more = true; more;) {
      spread_liveness();
      const bool new_causes = collect_causes();
      more = need_causes() || new_causes;
    }
  }

 private:
  void reach(ThreadId thread) {
    if (thread == question_.paused) return;
    std::vector<StateId> open = {question_.controls[thread.value()]};
    while (!open.empty()) {
      const StateId state = open.back();
      open.pop_back();
      if (reachable_[state]) continue;
      reachable_[state] = true;
      for (const Transition& transition : model_.transitions_of(state)) {
        open.push_back(transition.target);
      }
    }
  }

  template <typename Visit>
  void for_each_transition(const Table<StateId, bool>& from, const Visit& visit) const {
    for (const TransitionId id : indices(model_.transitions)) {
      if (from[model_.transitions[id].source]) visit(id);
    }
  }

  void need_accesses_to_location() {
    const VariableId variable = model_.word_variables[question_.location.value()];
    for_each_transition(reachable_, [&](TransitionId id) {
      const StaticTable& table = model_.tables[id];
      needed_[id] = has(table.reads, variable) || has(table.writes, variable);
    });
  }

  static bool has(const std::vector<VariableId>& sorted, VariableId variable) {
    return std::binary_search(sorted.begin(), sorted.end(), variable);
  }

  // Back from what is needed; few rounds, since states are numbered in the order of the source.
  void spread_liveness() {
    for (bool more = true; more;) {
      more = false;
      for (auto i = static_cast<std::uint32_t>(model_.transitions.size()); i-- > 0;) {
        const Transition& transition = model_.transitions[TransitionId(i)];
        if (!reachable_[transition.source] || live_[transition.source]) continue;
        if (!needed_[TransitionId(i)] && !live_[transition.target]) continue;
        live_[transition.source] = more = true;
      }
    }
  }

  // What live transitions depend on.
  bool collect_causes() {
    bool grew = false;
    for_each_transition(live_, [&](TransitionId id) {
      const Transition& transition = model_.transitions[id];
      const StaticTable& table = model_.tables[id];
      grew = mark(table.branches) || grew;
      grew = mark(table.addresses) || grew;
      const bool values_count =
          transition.may_fail || transition.kind != TransitionKind::update ||
          std::any_of(table.writes.begin(), table.writes.end(),
                      [&](VariableId variable) { return matters_[variable]; });
      if (values_count) grew = mark(table.reads) || grew;
      if (synchronises(transition.kind)) grew = mark_objects(id) || grew;
    });
    return mark_births() || grew;
  }

  // A live thread that is to be forked depends on its fork.
  bool mark_births() {
    bool grew = false;
    for (const ThreadId thread : indices(model_.threads)) {
      const std::uint32_t object = model_.layout.first_thread_object + thread.value();
      const bool needs_fork = model_.threads[thread].forked && thread != question_.paused &&
                              live_[question_.controls[thread.value()]];
      if (needs_fork && !synchronised_[object]) synchronised_[object] = grew = true;
    }
    return grew;
  }

  bool mark(const std::vector<VariableId>& variables) {
    bool grew = false;
    for (const VariableId variable : variables) {
      if (!matters_[variable]) matters_[variable] = grew = true;
    }
    return grew;
  }

  // The objects on which it synchronises, at most.
  template <typename Visit>
  void for_each_object(TransitionId id, const Visit& visit) const {
    const Transition& transition = model_.transitions[id];
    if (transition.kind == TransitionKind::end) {
      return visit(model_.layout.first_thread_object +
                   model_.states[transition.source].thread.value());
    }
    visit_range(transition.object, visit);
    if (transition.kind == TransitionKind::wait) visit_range(transition.lock, visit);
  }
  template <typename Visit>
  static void visit_range(const Reference& reference, const Visit& visit) {
    const std::uint32_t length = reference.index.valid() ? reference.length : 1;
    for (std::uint32_t i = 0; i < length; ++i) visit(reference.base + i);
  }

  bool mark_objects(TransitionId id) {
    bool grew = false;
    for_each_object(id, [&](std::uint32_t object) {
      if (!synchronised_[object]) synchronised_[object] = grew = true;
    });
    return grew;
  }

  // Whoever can bring such a cause about is needed.
  bool need_causes() {
    bool grew = false;
    for_each_transition(reachable_, [&](TransitionId id) {
      if (!needed_[id] && is_cause(id)) needed_[id] = grew = true;
    });
    return grew;
  }

  bool is_cause(TransitionId id) const {
    const std::vector<VariableId>& written = model_.tables[id].writes;
    if (std::any_of(written.begin(), written.end(), [&](VariableId variable) {
          return matters_[variable] && model_.variables[variable].shared();
        })) {
      return true;
    }
    bool found = false;
    if (synchronises(model_.transitions[id].kind)) {
      for_each_object(id, [&](std::uint32_t object) { found = found || synchronised_[object]; });
    }
    return found;
  }

  const Model& model_;
  const ChopQuestion& question_;
  Table<StateId, bool>& live_;
  Table<VariableId, bool>& matters_;
  Table<StateId, bool> reachable_;
  Table<TransitionId, bool> needed_;
  std::vector<bool> synchronised_;  // by object
};

}  // namespace

Chop::Chop(const Model& model, const ChopQuestion& question)
    : word_variables_(model.word_variables),
      shared_words_(model.layout.shared_words),
      live_(model.states.size()),
      variable_matters_(model.variables.size()) {
  Chopper(model, question, live_, variable_matters_).run();
}

}  // namespace heddle::hybrid
