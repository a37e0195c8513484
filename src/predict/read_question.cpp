#include "predict/read_question.h"

#include <algorithm>

#include "predict/challengers.h"

namespace heddle::predict {

using order::Machine;
using order::Node;
using order::Saturation;
using order::Search;

namespace {

// So many steps, beyond a straight run, are tried from a state of the run itself.
constexpr std::uint64_t kStepsNear = 2'000;

std::vector<std::uint32_t> needs_of(const Facts& facts, EventId read) {
  std::vector<std::uint32_t> counts(facts.thread_count(), 0);
  if (!facts.trace().is_final_read(read)) {
    facts.add_needs_of_question(read, counts);
    return counts;
  }
  for (ThreadId t : indices<ThreadId>(counts.size())) counts[t.value()] = facts.length(t);
  return counts;
}

}  // namespace

Saturation& ReadEngine::saturation_for(EventId read) {
  if (!saturation_) {
    saturation_.emplace(facts_);
    empty_ = saturation_->mark();
  }
  saturation_->include(needs_of(facts_, read));
  return *saturation_;
}

void ReadEngine::restart() {
  if (saturation_) saturation_->undo(empty_);
}

ReadQuestion::ReadQuestion(const Facts& facts, ReadEngine& engine, EventId read,
                           const Budget& budget)
    : facts_(facts),
      trace_(facts.trace()),
      engine_(engine),
      trace_order_(facts),
      read_(read),
      is_final_(trace_.is_final_read(read)),
      budget_(budget) {
  find_challengers();
}

void ReadQuestion::ask(const ReadAnswers& tell, ReadSummary& summary) {
  for (std::size_t i = 0; i < challengers_.size();) {
    std::size_t end = i;
    while (end < challengers_.size() && challengers_[end].write == challengers_[i].write) ++end;
    const Answer answer = ask({challengers_.data() + i, end - i}, summary);
    ++summary.pairs;
    ++(answer == Answer::yes ? summary.yes : answer == Answer::no ? summary.no : summary.undecided);
    if (answer != Answer::no) tell({read_, challengers_[i].write, answer});
    i = end;
  }
  if (saturation_ != nullptr) saturation_->undo(mark_);
}

Shown ReadQuestion::show(EventId write) {
  keeps_sequence_ = true;
  std::erase_if(challengers_, [&](const Challenger& c) { return c.write != write; });
  Shown shown;
  ReadSummary summary;
  shown.answer = ask(challengers_, summary);
  shown.sequence = std::move(sequence_);
  shown.sequence.push_back(read_);
  shown.question = read_;
  return shown;
}

// Several cells of one write are one question.
void ReadQuestion::find_challengers() {
  for (CellId cell : facts_.cells(read_)) {
    const std::size_t before = challengers_.size();
    for_each_challenger(facts_, read_, cell, [&](VersionId version) {
      challengers_.push_back({facts_.writer(version), version});
    });
    if (challengers_.size() > before) find_needed_writes(cell);
  }
  const auto by_write = [](const Challenger& a, const Challenger& b) { return a.write < b.write; };
  std::stable_sort(challengers_.begin(), challengers_.end(), by_write);
}

Answer ReadQuestion::ask(std::span<const Challenger> cells, ReadSummary& summary) {
  bool undecided = false;
  std::uint64_t* by = &summary.by_filters;
  for (const Challenger& challenger : cells) {
    if (is_refuted_by_needs(challenger.version)) continue;
    if (is_seen_in_trace_order(challenger.version)) {
      ++summary.by_filters;
      return Answer::yes;
    }
    const Answer answer = ask_engine(challenger.version, by, summary);
    if (answer == Answer::yes) {
      ++*by;
      return answer;
    }
    undecided = undecided || answer == Answer::undecided;
  }
  ++*by;
  return undecided ? Answer::undecided : Answer::no;
}

// --- Needs ---

// The last one of each thread; those before it cannot refute more.
void ReadQuestion::find_needed_writes(CellId cell) {
  const auto& writes = facts_.cell_writes();
  for (const auto& row : writes.rows(cell)) {
    const std::uint32_t count = facts_.must_precede_question(read_, row.thread);
    const auto* last = last_below(writes.items(row), count);
    if (last == nullptr) continue;
    const VersionId version(last->payload);
    needed_.push_back({facts_.writer(version), version});
  }
}

// Whether the write needs the read, or must precede another one that must precede the read.
bool ReadQuestion::is_refuted_by_needs(VersionId version) const {
  const EventId write = facts_.writer(version);
  const bool initial = write == kInitialWrite;
  if (!initial && !is_final_) {
    const Node read = facts_.node(read_);
    if (facts_.must_precede(write, read.thread) > read.index) return true;
  }
  const CellId cell = facts_.cell_of(version);
  const Node at = initial ? Node{} : facts_.node(write);
  return std::any_of(needed_.begin(), needed_.end(), [&](const NeededWrite& needed) {
    if (needed.version == version || facts_.cell_of(needed.version) != cell) return false;
    return initial || facts_.must_precede(needed.write, at.thread) > at.index;
  });
}

// --- Trace order ---

void ReadQuestion::prepare_trace_order() {
  is_trace_order_prepared_ = true;
  counts_.assign(facts_.thread_count(), 0);
  if (is_final_) return;
  const Node at = facts_.node(read_);
  stops_ = {{at.thread, at.index}};
  facts_.add_needs_of_question(read_, counts_, order::Needs::trace_order);
  has_trace_order_ = trace_order_.close(counts_, stops_);
}

bool ReadQuestion::is_seen_in_trace_order(VersionId version) {
  if (!is_trace_order_prepared_) prepare_trace_order();
  if (!has_trace_order_) return false;
  const EventId write = facts_.writer(version);
  with_write_ = counts_;
  if (write != kInitialWrite) {
    const Node at = facts_.node(write);
    if (at.index >= with_write_[at.thread.value()]) {
      facts_.add_needs(write, with_write_, order::Needs::trace_order);
      if (!trace_order_.close(with_write_, stops_)) return false;
    }
  }
  if (last_write(facts_.cell_of(version)) != write || frees_location()) return false;
  if (keeps_sequence_) sequence_ = trace_order_.sequence(with_write_);
  return true;
}

// The last one, in trace order, among the events in with_write_.
EventId ReadQuestion::last_write(CellId cell) const {
  EventId result = kInitialWrite;
  const auto& writes = facts_.cell_writes();
  for (const auto& row : writes.rows(cell)) {
    const auto* last = last_below(writes.items(row), with_write_[row.thread.value()]);
    if (last == nullptr) continue;
    const EventId write = facts_.writer(VersionId(last->payload));
    if (result == kInitialWrite || result < write) result = write;
  }
  return result;
}

bool ReadQuestion::frees_location() const {
  const RegionId region = facts_.region_of(read_);
  if (!region.valid() || !facts_.free_of(region).valid()) return false;
  const Node free = facts_.node(facts_.free_of(region));
  return free.index < with_write_[free.thread.value()];
}

// --- The engine ---

// Nothing of the read's thread comes after the read.
void ReadQuestion::prepare_saturation() {
  saturation_ = &engine_.saturation_for(read_);
  mark_ = saturation_->mark();
  if (is_final_) return;
  const Node at = facts_.node(read_);
  possible_ = saturation_->stop(at.thread, at.index) && saturation_->notify_wakes();
}

Answer ReadQuestion::ask_engine(VersionId version, std::uint64_t*& by, ReadSummary& summary) {
  if (saturation_ == nullptr) prepare_saturation();
  if (!possible_ || is_refuted_at_once(version)) return Answer::no;
  const Saturation::Mark mark = saturation_->mark();
  by = &summary.by_saturation;
  Answer answer = Answer::no;
  if (saturation_->end_with(version) && saturation_->notify_wakes()) {
    by = &summary.by_search;
    answer = search(version);
  }
  saturation_->undo(mark);
  return answer;
}

// Whether the write cannot be reached, or something that overwrites it must come before the read.
bool ReadQuestion::is_refuted_at_once(VersionId version) const {
  const EventId write = facts_.writer(version);
  const Node at = write == kInitialWrite ? Node{} : facts_.node(write);
  if (write != kInitialWrite && at.index >= saturation_->limit(at.thread)) return true;
  const auto& writes = facts_.cell_writes();
  for (const auto& row : writes.rows(facts_.cell_of(version))) {
    const auto* last = last_below(writes.items(row), saturation_->count(row.thread));
    if (last == nullptr || VersionId(last->payload) == version) continue;
    if (write == kInitialWrite) return true;
    if (saturation_->order().precedes(at, {row.thread, last->index})) return true;
  }
  return false;
}

Answer ReadQuestion::search(VersionId version) {
  const auto is_seen = [&](Machine& machine) {
    return machine.last_version(facts_.cell_of(version)) == version &&
           (is_final_ || machine.can_be_asked(read_));
  };
  if (search_near(version, is_seen) == Answer::yes) return Answer::yes;
  Search search(facts_, *saturation_, is_seen);
  return run(search, budget_.steps);
}

// Among reorderings that begin as the run did: most answers are there, and they are found without
// running up to them. That there is none says nothing.
Answer ReadQuestion::search_near(VersionId version, const Search::Goal& goal) {
  const EventId write = facts_.writer(version);
  if (write == kInitialWrite) return Answer::undecided;
  const EventId earlier = is_final_ ? write : std::min(read_, write);
  const std::uint32_t window = budget_.windows.front();
  if (earlier.value() <= window) return Answer::undecided;
  const EventId first(earlier.value() - window);
  Search search(facts_, *saturation_, goal, engine_.state_before(first), first);
  return run(search, std::min(kStepsNear, budget_.steps));
}

Answer ReadQuestion::run(Search& search, std::uint64_t steps) {
  const Answer answer = search.run(steps);
  if (answer == Answer::yes && keeps_sequence_) sequence_ = search.sequence();
  return answer;
}

}  // namespace heddle::predict
