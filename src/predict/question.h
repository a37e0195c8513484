// A question in general: where threads stop, which events are asked about or included, and what
// has to be true in the end. All questions but nondeterminism, which shares more, go this way:
// first a reordering in trace order is tried, then saturation, then the search.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "order/run_state.h"
#include "order/search.h"
#include "order/trace_order.h"

namespace heddle::predict {

using order::Answer;
using order::Facts;

struct Budget {
  // Steps that the search for one answer may take beyond a straight run to the question.
  std::uint64_t steps = 20'000;
  // How far back, in events, a question about a long trace looks: first a little, then, if that
  // does not decide it, further.
  std::array<std::uint32_t, 2> windows = {300, 5'000};
  // From then on no question is decided any more.
  std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max();

  bool is_over() const { return std::chrono::steady_clock::now() >= until; }
};

// The sequence that shows a yes. Where the question is about one event whose outcome is free
// (docs/semantics.md, section 5), that is `question`; check_reordering takes the same field.
struct Shown {
  Answer answer = Answer::no;
  std::vector<EventId> sequence = {};
  EventId question = EventId::none();
};

struct Setting {
  // Their threads stop in front of them, and in the end each can happen with any outcome.
  std::vector<EventId> asked;
  // Their threads stop in front of them, whether or not they can happen.
  std::vector<EventId> stopped = {};
  std::vector<EventId> included = {};
  // The first of these comes before the second.
  std::optional<std::pair<EventId, EventId>> order = {};
  // What else has to be true in the end; may step the machine, and has to take it back.
  order::Search::Goal goal = {};
  order::Memory* memory = nullptr;
  // A quick no from what has to be in at least, and one after saturation.
  std::function<bool(std::span<const std::uint32_t>)> is_refuted_by_needs = {};
  std::function<bool(const order::Saturation&)> is_refuted = {};
};

class Asker {
 public:
  Asker(const Facts& facts, Budget budget)
      : facts_(facts),
        trace_order_(facts),
        budget_(budget),
        run_states_{order::RunState(facts), order::RunState(facts)} {}

  Shown ask(const Setting& setting);
  // Without, a yes comes with no sequence; on a long trace that saves most of the time.
  void keep_sequences(bool keep) { keeps_sequences_ = keep; }

  // How many questions each stage has decided.
  struct Counters {
    std::uint64_t trace_order = 0;
    std::uint64_t needs = 0;
    std::uint64_t saturation = 0;
    std::uint64_t search = 0;
    std::uint64_t undecided = 0;
  };
  const Counters& counters() const { return counters_; }
  const Facts& facts() const { return facts_; }

 private:
  std::optional<std::vector<EventId>> in_trace_order(const Setting& setting);
  bool frees_nothing_asked(const Setting& setting, const std::vector<std::uint32_t>& counts) const;
  bool is_possible(const Setting& setting);
  Shown ask_engine(const Setting& setting, std::size_t number);
  bool saturate(const Setting& setting);
  Shown search(const Setting& setting, const order::Machine* start, EventId first);

  const Facts& facts_;
  order::TraceOrder trace_order_;
  std::optional<order::Saturation> saturation_;  // made for the first question that needs it
  Budget budget_;
  bool keeps_sequences_ = true;
  Counters counters_;
  std::vector<std::uint32_t> counts_;  // what the question needs at least
  std::vector<order::Stop> stops_;
  std::array<order::RunState, 2> run_states_;  // for each window
};

}  // namespace heddle::predict
