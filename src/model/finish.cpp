#include "model/finish.h"

#include <algorithm>

namespace heddle::model {
namespace {

using TransitionList = std::vector<Transition>;

class Finisher {
 public:
  explicit Finisher(Builder& builder) : builder_(builder), model_(builder.model) {}

  void run() {
    decide_constant_guards();
    sort_by_source();
    number_reachable();
    add_ends();
    rebuild();
    fill_tables();
    mark_inner_states();
  }

 private:
  // A guard that is constant either goes or takes its transition with it.
  void decide_constant_guards() {
    std::erase_if(builder_.transitions, [&](Transition& transition) {
      if (!transition.guard.valid()) return false;
      const auto value = model_.expressions.constant_value(transition.guard);
      if (!value) return false;
      transition.guard = ExpressionId::none();
      const bool taken = (*value != 0) != transition.negated;
      transition.negated = false;
      return !taken;
    });
  }

  void sort_by_source() {
    std::stable_sort(builder_.transitions.begin(), builder_.transitions.end(),
                     [](const Transition& a, const Transition& b) { return a.source < b.source; });
    first_.assign(model_.states.size() + 1, 0);
    for (const Transition& transition : builder_.transitions) {
      ++first_[transition.source.value() + 1];
    }
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  }

  void number_reachable() {
    new_number_.resize(model_.states.size());
    for (const ThreadId thread : indices(model_.threads)) {
      number_from(model_.threads[thread].first);
    }
  }

  void number_from(StateId start) {
    std::vector<StateId> stack{start};
    while (!stack.empty()) {
      const StateId state = stack.back();
      stack.pop_back();
      if (new_number_[state].valid()) continue;
      new_number_[state] = StateId(static_cast<std::uint32_t>(order_.size()));
      order_.push_back(state);
      for (auto i = first_[state.value() + 1]; i-- > first_[state.value()];) {
        stack.push_back(builder_.transitions[i].target);
      }
    }
  }

  bool reachable(StateId state) const { return new_number_[state].valid(); }

  // Whoever a join may mean is joined.
  void add_ends() {
    for (const Transition& transition : builder_.transitions) {
      if (transition.kind != TransitionKind::join || !reachable(transition.source)) continue;
      const Reference& joined = transition.object;
      for (std::uint32_t i = 0; i < joined.length; ++i) {
        const ThreadId thread(joined.base - model_.layout.first_thread_object + i);
        model_.threads[thread].joined = true;
      }
    }
    for (const ThreadId thread : indices(model_.threads)) {
      if (model_.threads[thread].joined) add_end(thread);
    }
  }

  void add_end(ThreadId thread) {
    const StateId exit = builder_.exits[thread.value()];
    if (!reachable(exit)) return;
    const StateId last = builder_.add_state(thread, false);
    new_number_.resize(model_.states.size());
    new_number_[last] = StateId(static_cast<std::uint32_t>(order_.size()));
    order_.push_back(last);
    ends_.push_back({.source = exit, .target = last, .kind = TransitionKind::end});
  }

  void rebuild() {
    builder_.transitions.insert(builder_.transitions.end(), ends_.begin(), ends_.end());
    first_.clear();
    sort_by_source();
    Table<StateId, ControlState> states;
    for (const StateId old : order_) {
      ControlState state = model_.states[old];
      state.first = model_.transitions.end_index();
      state.count = first_[old.value() + 1] - first_[old.value()];
      for (auto i = first_[old.value()]; i < first_[old.value() + 1]; ++i) add(i);
      states.add(state);
    }
    model_.states = std::move(states);
    for (ModelThread& thread : model_.threads) thread.first = new_number_[thread.first];
  }

  void add(std::uint32_t index) {
    Transition transition = builder_.transitions[index];
    transition.source = new_number_[transition.source];
    transition.target = new_number_[transition.target];
    model_.transitions.add(transition);
  }

  void fill_tables() {
    for (Transition& transition : model_.transitions) {
      transition.may_fail = may_fail(model_, transition);
      model_.tables.add(static_table(model_, transition));
    }
  }

  void mark_inner_states() {
    for (const StateId id : indices(model_.states)) {
      ControlState& state = model_.states[id];
      const auto quiet = [&](const Transition& transition) {
        const bool enters_atomic_block = model_.states[transition.target].atomic;
        return is_local(model_, transition) && !transition.may_fail && !enters_atomic_block;
      };
      const auto transitions = model_.transitions_of(id);
      state.inner = state.atomic || (state.count > 0 && !model_.chooses(id) &&
                                     std::all_of(transitions.begin(), transitions.end(), quiet));
    }
  }

  Builder& builder_;
  Model& model_;
  std::vector<std::uint32_t> first_;    // per old state: its first transition
  Table<StateId, StateId> new_number_;  // none: unreachable
  std::vector<StateId> order_;          // old numbers in the new order
  TransitionList ends_;
};

}  // namespace

void finish(Builder& builder) { Finisher(builder).run(); }

}  // namespace heddle::model
