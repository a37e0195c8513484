// Which writes can one read see?
//
// What every reordering that ends in the read contains is known without any search, and so is what
// a write has to follow; that refuses most writes by a few look-ups. The others are tried in the
// order of the trace; then on a saturation that has in it what must come before the read, and
// that its thread stops there: all writes that challenge the read share it, each is put on top and
// taken off. What is still open is searched for, first among reorderings that begin as the run did.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "order/run_state.h"
#include "predict/nondeterminism.h"

namespace heddle::predict {

// What is kept from read to read. The reads of a thread have to come in its order, since what must
// come before one of them is included once and for all.
class ReadEngine {
 public:
  explicit ReadEngine(const Facts& facts) : facts_(facts), run_state_(facts) {}

  // Made for the first read that needs it, with what must come before the read.
  order::Saturation& saturation_for(EventId read);
  const order::Machine& state_before(EventId e) { return run_state_.before(e); }
  // Forgets what was included, for the reads of another thread.
  void restart();

 private:
  const Facts& facts_;
  std::optional<order::Saturation> saturation_;
  order::Saturation::Mark empty_{};
  order::RunState run_state_;
};

class ReadQuestion {
 public:
  ReadQuestion(const Facts& facts, ReadEngine& engine, EventId read, const Budget& budget);

  // About all writes that challenge the read.
  void ask(const ReadAnswers& tell, ReadSummary& summary);
  Shown show(EventId write);

 private:
  using VersionId = order::VersionId;
  struct Challenger {
    EventId write;
    VersionId version;
  };
  // A write that every reordering contains which ends in the read.
  struct NeededWrite {
    EventId write;
    VersionId version;
  };

  void find_challengers();
  void find_needed_writes(CellId cell);
  bool is_refuted_by_needs(VersionId version) const;

  void prepare_trace_order();
  bool is_seen_in_trace_order(VersionId version);
  EventId last_write(CellId cell) const;
  bool frees_location() const;

  void prepare_saturation();
  bool is_refuted_at_once(VersionId version) const;

  Answer ask(std::span<const Challenger> cells, ReadSummary& summary);
  Answer ask_engine(VersionId version, std::uint64_t*& by, ReadSummary& summary);
  Answer search(VersionId version);
  Answer search_near(VersionId version, const order::Search::Goal& goal);
  Answer run(order::Search& search, std::uint64_t steps);

  const Facts& facts_;
  const Trace& trace_;
  ReadEngine& engine_;
  order::TraceOrder trace_order_;
  EventId read_;
  bool is_final_;
  Budget budget_;
  bool keeps_sequence_ = false;
  std::vector<Challenger> challengers_;  // sorted by the write
  std::vector<NeededWrite> needed_;
  std::vector<EventId> sequence_;

  // In trace order: what a reordering that ends in the read contains at least.
  bool is_trace_order_prepared_ = false;
  bool has_trace_order_ = false;
  std::vector<order::Stop> stops_;
  std::vector<std::uint32_t> counts_;
  std::vector<std::uint32_t> with_write_;

  order::Saturation* saturation_ = nullptr;  // null: not prepared
  order::Saturation::Mark mark_{};
  bool possible_ = true;
};

}  // namespace heddle::predict
