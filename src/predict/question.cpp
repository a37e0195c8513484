#include "predict/question.h"

#include <algorithm>

#include "order/closed_needs.h"

namespace heddle::predict {
namespace {

struct Extent {
  EventId first;
  EventId last;
};

// Of the events that the question names.
Extent extent_of(const Setting& setting) {
  Extent extent{EventId(0xffffffff), EventId(0)};
  for (const auto* events : {&setting.asked, &setting.stopped, &setting.included}) {
    for (EventId e : *events) {
      extent.first = std::min(extent.first, e);
      extent.last = std::max(extent.last, e);
    }
  }
  return extent;
}

EventId before(EventId e, std::uint32_t window) {
  return EventId(e.value() > window ? e.value() - window : 0);
}

// Whether the window goes back so far that the whole trace may as well be looked at.
bool is_whole(const Setting& setting, std::uint32_t window) {
  return extent_of(setting).first.value() <= 2 * window;
}

}  // namespace

using order::Machine;
using order::Needs;
using order::Node;

Shown Asker::ask(const Setting& setting) {
  if (budget_.is_over()) {
    ++counters_.undecided;
    return {Answer::undecided};
  }
  if (auto sequence = in_trace_order(setting)) {
    ++counters_.trace_order;
    return {Answer::yes, *std::move(sequence)};
  }
  if (!is_possible(setting)) {
    ++counters_.needs;
    return {};
  }
  Shown shown;
  for (std::size_t i = 0; i < budget_.windows.size(); ++i) {
    shown = ask_engine(setting, i);
    if (shown.answer != Answer::undecided || is_whole(setting, budget_.windows[i])) break;
  }
  if (shown.answer == Answer::undecided) ++counters_.undecided;
  return shown;
}

// Conclusions are drawn from the window before the later end, since events that are far apart
// would make it long; the search has to begin before all of them.
Shown Asker::ask_engine(const Setting& setting, std::size_t number) {
  const std::uint32_t window = budget_.windows[number];
  const bool whole = is_whole(setting, window);
  const Extent extent = extent_of(setting);
  if (!saturation_) saturation_.emplace(facts_);
  const order::Saturation::Mark mark = saturation_->mark();
  if (!whole) saturation_->look_back_to(before(extent.last, window));
  Shown shown;
  if (saturate(setting) && !(setting.is_refuted && setting.is_refuted(*saturation_))) {
    const EventId first = before(extent.first, window);
    shown = whole ? search(setting, nullptr, EventId(0))
                  : search(setting, &run_states_[number].before(first), first);
  } else {
    ++counters_.saturation;
  }
  saturation_->undo(mark);
  saturation_->look_back_to(EventId(0));
  return shown;
}

// What the question needs at least, and whether threads can stop where they have to.
bool Asker::is_possible(const Setting& setting) {
  counts_.assign(facts_.thread_count(), 0);
  stops_.clear();
  for (const auto* events : {&setting.asked, &setting.stopped}) {
    for (EventId e : *events) {
      facts_.add_needs_of_question(e, counts_);
      const Node at = facts_.node(e);
      stops_.push_back({at.thread, at.index});
    }
  }
  for (EventId e : setting.included) facts_.add_needs(e, counts_);
  if (!order::close_needs(facts_, counts_, stops_)) return false;
  return !setting.is_refuted_by_needs || !setting.is_refuted_by_needs(counts_);
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
  if (!saturation_->include(counts_)) return false;
  for (const order::Stop& stop : stops_) {
    if (!saturation_->stop(stop.thread, stop.count)) return false;
  }
  if (setting.order && !saturation_->precede(setting.order->first, setting.order->second)) {
    return false;
  }
  return saturation_->notify_wakes();
}

Shown Asker::search(const Setting& setting, const Machine* start, EventId first) {
  const auto reached = [&](Machine& machine) {
    const bool all = std::all_of(setting.asked.begin(), setting.asked.end(),
                                 [&](EventId e) { return machine.can_be_asked(e); });
    return all && (!setting.goal || setting.goal(machine));
  };
  order::Search search =
      start == nullptr
          ? order::Search(facts_, *saturation_, reached, setting.memory)
          : order::Search(facts_, *saturation_, reached, *start, first, setting.memory);
  const Answer answer = search.run(budget_.steps);
  if (answer != Answer::undecided) ++counters_.search;
  const bool keeps = answer == Answer::yes && keeps_sequences_;
  return {answer, keeps ? search.sequence() : std::vector<EventId>()};
}

}  // namespace heddle::predict
