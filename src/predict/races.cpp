#include "predict/races.h"

#include "order/followers.h"
#include "predict/forced_order.h"

namespace heddle::predict {
namespace {

bool is_lifetime(EventKind kind) { return kind == EventKind::alloc || kind == EventKind::free; }

bool is_of_region(const Trace& trace, EventId lifetime, EventId access) {
  return is_lifetime(trace.kind(lifetime)) && is_access(trace.kind(access)) &&
         trace.tables.locations[trace.location(access)].region == trace.region(lifetime);
}

}  // namespace

bool conflict(const Facts& facts, EventId e, EventId f) {
  const Trace& trace = facts.trace();
  if (trace.thread(e) == trace.thread(f)) return false;
  if (is_of_region(trace, e, f) || is_of_region(trace, f, e)) return true;
  const EventKind a = trace.kind(e);
  const EventKind b = trace.kind(f);
  return is_access(a) && is_access(b) && (writes(a) || writes(b)) &&
         !(is_atomic(a) && is_atomic(b)) &&
         facts.derived().cells.overlap(trace.location(e), trace.location(f));
}

bool share_lock(const Facts& facts, EventId e, EventId f) {
  return facts.derived().scopes.exclude_each_other(e, f);
}

RaceAnswer Races::ask(EventPair pair) {
  RaceAnswer answer;
  answer.adjacent = ask_adjacent(pair);
  answer.unordered = ask_unordered(pair, answer.adjacent);
  return answer;
}

Shown Races::ask_adjacent(EventPair pair) {
  if (share_lock(facts(), pair.first, pair.second)) return {};
  return asker_.ask({.asked = {pair.first, pair.second}});
}

Shown Races::ask_unordered(EventPair pair, const Shown& adjacent) {
  if (share_lock(facts(), pair.first, pair.second)) return {};
  if (Shown shown = in_observed_order(pair); shown.answer == Answer::yes) return shown;
  if (adjacent.answer == Answer::yes && keeps_sequences_) {
    for (const auto& [first, second] : {pair, EventPair{pair.second, pair.first}}) {
      Shown shown = one_after_the_other(adjacent, first, second);
      if (shown.answer == Answer::yes) return shown;
    }
  }
  Shown shown = search_unordered(pair.first, pair.second);
  if (shown.answer == Answer::yes) return shown;
  Shown turned = search_unordered(pair.second, pair.first);
  return turned.answer == Answer::no ? shown : turned;
}

// What the run itself did not order.
Shown Races::in_observed_order(EventPair pair) const {
  if (!facts().derived().happens_before.unordered(pair.first, pair.second)) return {};
  Shown shown{Answer::yes, {}, pair.second};
  if (!keeps_sequences_) return shown;
  for (EventId e : indices<EventId>(pair.second.value() + 1)) shown.sequence.push_back(e);
  return shown;
}

// Where both come next, nothing stands between them to order them.
Shown Races::one_after_the_other(const Shown& adjacent, EventId first, EventId second) const {
  order::Followers followers(facts(), first, second);
  order::Machine machine(facts());
  for (EventId e : adjacent.sequence) machine.step(e);
  if (!machine.can_happen(first)) return {};
  followers.step(machine, first);
  machine.step(first);
  if (!machine.can_be_asked(second) || followers.before(machine, second)) return {};
  Shown shown{Answer::yes, adjacent.sequence, second};
  shown.sequence.push_back(first);
  shown.sequence.push_back(second);
  return shown;
}

Shown Races::search_unordered(EventId first, EventId second) {
  order::Followers followers(facts(), first, second);
  Setting setting{.asked = {second}, .included = {first}};
  setting.goal = [&](order::Machine& machine) { return !followers.before(machine, second); };
  setting.memory = &followers;
  setting.is_refuted_by_needs = [&](std::span<const std::uint32_t> counts) {
    return is_ordered_by_needs(facts(), counts, first, second);
  };
  setting.is_refuted = [&](const order::Saturation& saturation) {
    return is_ordered_always(facts(), saturation, first, second);
  };
  Shown shown = asker_.ask(setting);
  shown.question = second;
  if (shown.answer == Answer::yes && keeps_sequences_) shown.sequence.push_back(second);
  return shown;
}

}  // namespace heddle::predict
