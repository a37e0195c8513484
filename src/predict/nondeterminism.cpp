#include "predict/nondeterminism.h"

#include <algorithm>
#include <atomic>
#include <thread>

namespace heddle::predict {
namespace {

using order::Machine;
using order::Node;
using order::Saturation;
using order::Search;
using order::VersionId;

// All that can be asked about one read, on a saturation that already has in it what must come
// before the read.
class ReadQuestion {
 public:
  ReadQuestion(const Facts& facts, Saturation& saturation, EventId read, Budget budget)
      : facts_(facts),
        trace_(facts.trace()),
        trace_order_(facts),
        saturation_(saturation),
        read_(read),
        is_final_(trace_.is_final_read(read)),
        budget_(budget) {}

  void ask(const ReadAnswers& tell, ReadSummary& summary) {
    find_challengers();
    const Saturation::Mark mark = saturation_.mark();
    possible_ = stop();
    prepare_trace_order();
    for (std::size_t i = 0; i < challengers_.size();) {
      std::size_t end = i;
      while (end < challengers_.size() && challengers_[end].write == challengers_[i].write) ++end;
      const Answer answer = ask({challengers_.data() + i, end - i}, summary);
      ++summary.pairs;
      ++(answer == Answer::yes  ? summary.yes
         : answer == Answer::no ? summary.no
                                : summary.undecided);
      if (answer != Answer::no) tell({read_, challengers_[i].write, answer});
      i = end;
    }
    saturation_.undo(mark);
  }

  Shown show(EventId write) {
    find_challengers();
    possible_ = stop();
    prepare_trace_order();
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

 private:
  struct Challenger {
    EventId write;
    VersionId version;
  };

  // Sorted by the write: several cells of one write are one question.
  void find_challengers() {
    const auto cells = facts_.cells(read_);
    for (CellId cell : cells) find_challengers(cell);
    const auto by_write = [](const Challenger& a, const Challenger& b) {
      return a.write < b.write;
    };
    std::stable_sort(challengers_.begin(), challengers_.end(), by_write);
  }

  void find_challengers(CellId cell) {
    const VersionId seen = facts_.seen(read_, cell);
    const VersionId initial = Facts::initial_version(cell);
    if (seen != initial) challengers_.push_back({kInitialWrite, initial});
    for (const auto& row : facts_.cell_writes().rows(cell)) {
      for (const auto& item : facts_.cell_writes().items(row)) {
        const VersionId version(item.payload);
        const EventId write = facts_.writer(version);
        if (version != seen && write != read_) challengers_.push_back({write, version});
      }
    }
  }

  // Nothing of the read's thread comes after the read.
  bool stop() {
    if (is_final_) return true;
    const Node at = facts_.node(read_);
    return saturation_.stop(at.thread, at.index);
  }

  // What a reordering in trace order that ends in the read contains at least.
  void prepare_trace_order() {
    counts_.assign(facts_.thread_count(), 0);
    if (!possible_ || is_final_) return;
    const Node at = facts_.node(read_);
    stops_ = {{at.thread, at.index}};
    facts_.add_needs_of_question(read_, counts_, order::Needs::trace_order);
    has_trace_order_ = trace_order_.close(counts_, stops_);
  }

  Answer ask(std::span<const Challenger> cells, ReadSummary& summary) {
    bool undecided = false;
    std::uint64_t* by = &summary.by_filters;
    for (const Challenger& challenger : cells) {
      if (!possible_ || is_refuted_at_once(challenger.version)) continue;
      if (is_seen_in_trace_order(challenger.version)) {
        ++summary.by_filters;
        return Answer::yes;
      }
      const Saturation::Mark mark = saturation_.mark();
      by = &summary.by_saturation;
      Answer answer = Answer::no;
      if (saturation_.end_with(challenger.version)) {
        by = &summary.by_search;
        answer = search(challenger.version);
      }
      saturation_.undo(mark);
      if (answer == Answer::yes) {
        ++*by;
        return answer;
      }
      undecided = undecided || answer == Answer::undecided;
    }
    ++*by;
    return undecided ? Answer::undecided : Answer::no;
  }

  // Whether the write cannot be reached, or something that overwrites it must come before the
  // read.
  bool is_refuted_at_once(VersionId version) const {
    const EventId write = facts_.writer(version);
    const Node at = write == kInitialWrite ? Node{} : facts_.node(write);
    if (write != kInitialWrite && at.index >= saturation_.limit(at.thread)) return true;
    const auto& writes = facts_.cell_writes();
    for (const auto& row : writes.rows(facts_.cell_of(version))) {
      const auto* last = last_below(writes.items(row), saturation_.count(row.thread));
      if (last == nullptr || VersionId(last->payload) == version) continue;
      if (write == kInitialWrite) return true;
      if (saturation_.order().precedes(at, {row.thread, last->index})) return true;
    }
    return false;
  }

  bool is_seen_in_trace_order(VersionId version) {
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
  EventId last_write(CellId cell) const {
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

  bool frees_location() const {
    const RegionId region = facts_.region_of(read_);
    if (!region.valid() || !facts_.free_of(region).valid()) return false;
    const Node free = facts_.node(facts_.free_of(region));
    return free.index < with_write_[free.thread.value()];
  }

  Answer search(VersionId version) {
    Search search(facts_, saturation_, [&](Machine& machine) {
      return machine.last_version(facts_.cell_of(version)) == version &&
             (is_final_ || machine.can_be_asked(read_));
    });
    const Answer answer = search.run(budget_.steps);
    if (answer == Answer::yes && keeps_sequence_) sequence_ = search.sequence();
    return answer;
  }

  const Facts& facts_;
  const Trace& trace_;
  order::TraceOrder trace_order_;
  Saturation& saturation_;
  EventId read_;
  bool is_final_;
  Budget budget_;
  bool possible_ = true;
  bool keeps_sequence_ = false;
  bool has_trace_order_ = false;
  std::vector<Challenger> challengers_;
  std::vector<order::Stop> stops_;
  std::vector<std::uint32_t> counts_;
  std::vector<std::uint32_t> with_write_;
  std::vector<EventId> sequence_;
};

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

std::vector<EventId> final_reads(const Facts& facts) {
  const Trace& trace = facts.trace();
  std::vector<EventId> result;
  for (LocationId l : indices(trace.tables.locations)) {
    const RegionId region = trace.tables.locations[l].region;
    if (!region.valid() || !facts.free_of(region).valid()) result.push_back(trace.final_read(l));
  }
  return result;
}

// Several cells that a read and a write share are counted as several questions here, which is an
// upper bound.
std::uint64_t Nondeterminism::question_count() const {
  Table<CellId, std::uint64_t> versions(facts_.derived().cells.size(), 1);
  for (EventId e : facts_.trace().events()) {
    if (!writes(facts_.trace().kind(e))) continue;
    for (CellId cell : facts_.cells(e)) ++versions[cell];
  }
  std::uint64_t count = 0;
  // Neither the write that it saw, nor its own.
  const auto add = [&](EventId read, std::uint64_t without) {
    for (CellId cell : facts_.cells(read)) count += versions[cell] - without;
  };
  for (EventId e : facts_.trace().events()) {
    const EventKind kind = facts_.trace().kind(e);
    if (reads(kind)) add(e, writes(kind) ? 2 : 1);
  }
  if (options_.final_reads) {
    for (EventId read : final_reads(facts_)) add(read, 1);
  }
  return count;
}

void ReadSummary::add(const ReadSummary& other) {
  pairs += other.pairs;
  yes += other.yes;
  no += other.no;
  undecided += other.undecided;
  by_filters += other.by_filters;
  by_saturation += other.by_saturation;
  by_search += other.by_search;
}

// The reads of each thread in pieces, small enough to be shared among workers.
std::vector<Nondeterminism::Reads> Nondeterminism::portions() const {
  constexpr std::size_t kPortion = 200;
  std::vector<Reads> result;
  const auto add = [&](EventId read, bool is_new) {
    if (is_new || result.back().size() >= kPortion) result.emplace_back();
    result.back().push_back(read);
  };
  for (ThreadId t : indices<ThreadId>(facts_.thread_count())) {
    bool is_new = true;
    for (EventId e : facts_.derived().order.events_of(t)) {
      if (!reads(facts_.trace().kind(e))) continue;
      add(e, is_new);
      is_new = false;
    }
  }
  if (!options_.final_reads) return result;
  bool is_new = true;
  for (EventId read : final_reads(facts_)) {
    add(read, is_new);
    is_new = false;
  }
  return result;
}

ReadSummary Nondeterminism::ask(const Reads& reads, const ReadAnswers& tell) const {
  ReadSummary summary;
  Saturation saturation(facts_);
  for (EventId read : reads) {
    if (options_.budget.is_over()) {
      ++summary.undecided;
      continue;
    }
    saturation.include(needs_of(facts_, read));
    ReadQuestion(facts_, saturation, read, options_.budget).ask(tell, summary);
  }
  return summary;
}

ReadSummary Nondeterminism::ask_all(const ReadAnswers& tell) const {
  const std::vector<Reads> todo = portions();
  std::vector<std::vector<ReadAnswer>> answers(todo.size());
  std::vector<ReadSummary> summaries(todo.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < todo.size(); i = next++) {
      summaries[i] = ask(todo[i], [&](const ReadAnswer& a) { answers[i].push_back(a); });
    }
  };
  std::vector<std::thread> workers;
  for (unsigned i = 1; i < options_.workers; ++i) workers.emplace_back(work);
  work();
  for (std::thread& worker : workers) worker.join();
  ReadSummary summary;
  for (std::size_t i = 0; i < todo.size(); ++i) {
    summary.add(summaries[i]);
    for (const ReadAnswer& answer : answers[i]) tell(answer);
  }
  return summary;
}

Shown Nondeterminism::show(EventId read, EventId write) const {
  Saturation saturation(facts_);
  saturation.include(needs_of(facts_, read));
  return ReadQuestion(facts_, saturation, read, options_.budget).show(write);
}

}  // namespace heddle::predict
