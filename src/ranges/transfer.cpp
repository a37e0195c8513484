#include "ranges/transfer.h"

#include <algorithm>
#include <span>

#include "ranges/refine.h"

namespace heddle::ranges {
namespace {

using model::ExpressionId;
using model::Model;
using model::Operator;
using model::Transition;
using model::TransitionKind;
using model::Update;

class Step {
 public:
  Step(const Model& model, const Transition& transition, Environment& environment, Outcome& outcome)
      : model_(model), transition_(transition), environment_(environment), outcome_(outcome) {}

  void run() {
    if (transition_.guard.valid()) {
      evaluate(transition_.guard);
      refine(model_.expressions, transition_.guard, !transition_.negated, environment_);
    }
    if (!environment_.empty()) perform();
  }

 private:
  void perform() {
    switch (transition_.kind) {
      case TransitionKind::update: return update();
      case TransitionKind::assertion:
      case TransitionKind::assumption: return check();
      case TransitionKind::compare_and_swap: return compare_and_swap();
      case TransitionKind::choose_value: return choose();
      case TransitionKind::try_acquire:
      case TransitionKind::try_reader_acquire:
      case TransitionKind::try_semaphore_wait: return set_result({0, 1});
      default: break;
    }
  }

  Interval evaluate(ExpressionId id) {
    model::IntervalEvaluator evaluator(model_.expressions, environment_);
    const Interval value = evaluator(id);
    outcome_.may_fail |= evaluator.may_fail();
    return value;
  }

  void check() {
    const Interval condition = evaluate(transition_.condition);
    outcome_.holds = condition.within(Interval::of(1)) && !outcome_.may_fail;
    refine(model_.expressions, transition_.condition, true, environment_);
  }

  // All values are computed before the first word is set.
  void update() {
    const std::span<const Update> updates = model_.updates_of(transition_);
    std::vector<Write> writes;
    for (const Update& update : updates) {
      const Places places = places_of(model_, update.target, environment_);
      const auto index = static_cast<std::uint32_t>(writes.size());
      writes.push_back({index, places.first, places.length, evaluate(update.value)});
      outcome_.may_fail |= places.may_miss;
    }
    for (std::size_t i = 0; i < updates.size() && !environment_.empty(); ++i) {
      store(writes[i], updates[i].bounds);
    }
  }

  void store(Write write, Interval bounds) {
    const Interval inside{std::max(write.value.low, bounds.low),
                          std::min(write.value.high, bounds.high)};
    outcome_.may_fail |= inside != write.value;
    if (write.length == 0 || inside.empty()) return environment_.clear();
    write.value = inside;
    put(write);
    outcome_.writes.push_back(write);
  }

  void put(const Write& write) {
    if (write.length == 1) return environment_.set(write.first_word, write.value);
    for (std::uint32_t i = 0; i < write.length; ++i) {
      environment_.add(write.first_word + i, write.value);
    }
  }

  void set_result(Interval result) {
    const Places places =
        places_of(model_, model_.updates_of(transition_).front().target, environment_);
    outcome_.may_fail |= places.may_miss;
    if (places.length == 0) return environment_.clear();
    put({0, places.first, places.length, result});
    outcome_.writes.push_back({0, places.first, places.length, result});
  }

  // What it does if the word is as expected, and what it does if not, joined.
  void compare_and_swap() {
    const Update& written = model_.updates_of(transition_)[1];
    const Places places = places_of(model_, transition_.object, environment_);
    const Interval expected = evaluate(transition_.condition), desired = evaluate(written.value);
    outcome_.may_fail |= places.may_miss;
    if (places.length == 0) return environment_.clear();
    const Interval swaps =
        model::apply(Operator::equal, environment_.words(places.first, places.length), expected);
    if (swaps.empty()) return environment_.clear();
    Environment unchanged = environment_;
    if (swaps.high == 1) {
      set_result(Interval::of(1));
      if (!environment_.empty()) {
        store({1, places.first, places.length, desired, false}, written.bounds);
      }
    } else {
      environment_.clear();
    }
    if (swaps.low == 1) return;
    std::swap(environment_, unchanged);
    set_result(Interval::of(0));
    environment_.join(unchanged);
  }

  void choose() {
    const Update& update = model_.updates_of(transition_).front();
    const Places places = places_of(model_, update.target, environment_);
    const Interval low = evaluate(transition_.low), high = evaluate(transition_.high);
    outcome_.may_fail |= places.may_miss || low.high > high.low;
    if (low.empty() || high.empty() || low.low > high.high) return environment_.clear();
    store({0, places.first, places.length, {low.low, high.high}}, update.bounds);
  }

  const Model& model_;
  const Transition& transition_;
  Environment& environment_;
  Outcome& outcome_;
};

}  // namespace

void apply(const Model& model, const Transition& transition, Environment& environment,
           Outcome& outcome) {
  outcome.clear();
  Step(model, transition, environment, outcome).run();
}

Places places_of(const Model& model, const model::Reference& reference,
                 const Environment& environment) {
  if (!reference.index.valid()) return {.first = reference.base, .length = 1};
  model::IntervalEvaluator evaluator(model.expressions, environment);
  const Interval index =
      model::apply(Operator::subtract, evaluator(reference.index), Interval::of(reference.offset));
  const Interval inside{std::max<std::int64_t>(index.low, 0),
                        std::min<std::int64_t>(index.high, reference.length - 1)};
  const bool may_miss = evaluator.may_fail() || inside != index;
  if (inside.empty()) return {.may_miss = may_miss};
  return {.first = reference.base + static_cast<std::uint32_t>(inside.low),
          .length = static_cast<std::uint32_t>(inside.high - inside.low + 1),
          .may_miss = may_miss};
}

}  // namespace heddle::ranges
