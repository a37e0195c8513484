#include "predict/question.h"

#include <algorithm>

namespace heddle::predict {
namespace {

// How far back, in events, a question about a long trace looks.
constexpr std::uint32_t kLookBack = 5'000;

}  // namespace

using order::Machine;
using order::Needs;
using order::Node;

Shown Asker::ask(const Setting& setting) {
  if (auto sequence = in_trace_order(setting)) {
    ++counters_.trace_order;
    return {Answer::yes, *std::move(sequence)};
  }
  const order::Saturation::Mark mark = saturation_.mark();
  if (horizon(setting).value() > 0) saturation_.look_back_to(latest_horizon(setting));
  Shown shown;
  if (saturate(setting) && !(setting.is_refuted && setting.is_refuted(saturation_))) {
    shown = search(setting);
  } else {
    ++counters_.saturation;
  }
  saturation_.undo(mark);
  saturation_.look_back_to(EventId(0));
  return shown;
}

// What asks for more than positions and one order of two events is left to the search.
std::optional<std::vector<EventId>> Asker::in_trace_order(const Setting& setting) {
  if (setting.goal || setting.memory != nullptr) return std::nullopt;
  if (setting.order && setting.order->first > setting.order->second) return std::nullopt;
  std::vector<std::uint32_t> counts(facts_.thread_count(), 0);
  std::vector<order::Stop> stops;
  for (const auto* events : {&setting.asked, &setting.stopped}) {
    for (EventId e : *events) {
      facts_.add_needs_of_question(e, counts, Needs::trace_order);
      const Node at = facts_.node(e);
      stops.push_back({at.thread, at.index});
    }
  }
  for (EventId e : setting.included) facts_.add_needs(e, counts, Needs::trace_order);
  if (!trace_order_.close(counts, stops) || !frees_nothing_asked(setting, counts)) {
    return std::nullopt;
  }
  return keeps_sequences_ ? trace_order_.sequence(counts) : std::vector<EventId>();
}

bool Asker::frees_nothing_asked(const Setting& setting,
                                const std::vector<std::uint32_t>& counts) const {
  return std::all_of(setting.asked.begin(), setting.asked.end(), [&](EventId e) {
    if (!is_access(facts_.trace().kind(e))) return true;
    const RegionId region = facts_.region_of(e);
    if (!region.valid() || !facts_.free_of(region).valid()) return true;
    const Node free = facts_.node(facts_.free_of(region));
    return counts[free.thread.value()] <= free.index;
  });
}

bool Asker::saturate(const Setting& setting) {
  std::vector<std::uint32_t> counts(facts_.thread_count(), 0);
  for (const auto* events : {&setting.asked, &setting.stopped}) {
    for (EventId e : *events) facts_.add_needs_of_question(e, counts);
  }
  for (EventId e : setting.included) facts_.add_needs(e, counts);
  // Where threads stop is looked at first: most contradictions show there at once.
  for (const auto* events : {&setting.asked, &setting.stopped}) {
    for (EventId e : *events) {
      const Node at = facts_.node(e);
      if (counts[at.thread.value()] != at.index) return false;
    }
  }
  if (!saturation_.include(counts)) return false;
  for (const auto* events : {&setting.asked, &setting.stopped}) {
    for (EventId e : *events) {
      const Node at = facts_.node(e);
      if (!saturation_.stop(at.thread, at.index)) return false;
    }
  }
  return !setting.order || saturation_.precede(setting.order->first, setting.order->second);
}

Shown Asker::search(const Setting& setting) {
  const auto reached = [&](Machine& machine) {
    const bool all = std::all_of(setting.asked.begin(), setting.asked.end(),
                                 [&](EventId e) { return machine.can_be_asked(e); });
    return all && (!setting.goal || setting.goal(machine));
  };
  const EventId first = horizon(setting);
  order::Search search =
      first.value() == 0
          ? order::Search(facts_, saturation_, reached, setting.memory)
          : order::Search(facts_, saturation_, reached, state_before(first), first, setting.memory);
  const Answer answer = search.run(budget_.steps);
  ++(answer == Answer::undecided ? counters_.undecided : counters_.search);
  const bool keeps = answer == Answer::yes && keeps_sequences_;
  return {answer, keeps ? search.sequence() : std::vector<EventId>()};
}

EventId Asker::horizon(const Setting& setting) const {
  EventId first(static_cast<std::uint32_t>(facts_.trace().size()));
  for (const auto* events : {&setting.asked, &setting.stopped, &setting.included}) {
    for (EventId e : *events) first = std::min(first, e);
  }
  return EventId(first.value() > 2 * kLookBack ? first.value() - kLookBack : 0);
}

// Events that are far apart would make the window long; the later end is the one that matters.
EventId Asker::latest_horizon(const Setting& setting) const {
  EventId last(0);
  for (const auto* events : {&setting.asked, &setting.stopped, &setting.included}) {
    for (EventId e : *events) last = std::max(last, e);
  }
  return EventId(last.value() > kLookBack ? last.value() - kLookBack : 0);
}

const Machine& Asker::state_before(EventId first) {
  if (!state_ || first < reached_) {
    state_.emplace(facts_);
    reached_ = EventId(0);
  }
  for (; reached_ < first; ++reached_) {
    state_->step(reached_);
    if (reached_.value() % 4096 == 0) state_->forget_past();
  }
  state_->forget_past();
  return *state_;
}

}  // namespace heddle::predict
