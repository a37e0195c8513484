#include "predict/nondeterminism.h"

#include <algorithm>

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
        saturation_(saturation),
        read_(read),
        budget_(budget) {}

  void ask(const ReadAnswers& tell) {
    find_challengers();
    const Saturation::Mark mark = saturation_.mark();
    possible_ = stop();
    for (std::size_t i = 0; i < challengers_.size();) {
      std::size_t end = i;
      while (end < challengers_.size() && challengers_[end].write == challengers_[i].write) ++end;
      tell({read_, challengers_[i].write, ask({challengers_.data() + i, end - i})});
      i = end;
    }
    saturation_.undo(mark);
  }

  Shown show(EventId write) {
    find_challengers();
    possible_ = stop();
    std::erase_if(challengers_, [&](const Challenger& c) { return c.write != write; });
    Shown shown;
    shown.answer = ask(challengers_);
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
    if (trace_.is_final_read(read_)) return true;
    const Node at = facts_.node(read_);
    return saturation_.stop(at.thread, at.index);
  }

  Answer ask(std::span<const Challenger> cells) {
    if (!possible_) return Answer::no;
    bool undecided = false;
    for (const Challenger& challenger : cells) {
      const Saturation::Mark mark = saturation_.mark();
      const Answer answer =
          saturation_.end_with(challenger.version) ? search(challenger.version) : Answer::no;
      saturation_.undo(mark);
      if (answer == Answer::yes) return answer;
      undecided = undecided || answer == Answer::undecided;
    }
    return undecided ? Answer::undecided : Answer::no;
  }

  Answer search(VersionId version) {
    Search search(facts_, saturation_, [&](Machine& machine) {
      return machine.last_version(facts_.cell_of(version)) == version &&
             (trace_.is_final_read(read_) || machine.can_be_asked(read_));
    });
    const Answer answer = search.run(budget_.steps);
    if (answer == Answer::yes) sequence_ = search.sequence();
    return answer;
  }

  const Facts& facts_;
  const Trace& trace_;
  Saturation& saturation_;
  EventId read_;
  Budget budget_;
  bool possible_ = true;
  std::vector<Challenger> challengers_;
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

void Nondeterminism::ask_thread(ThreadId thread, const ReadAnswers& tell) const {
  Saturation saturation(facts_);
  for (EventId e : facts_.derived().order.events_of(thread)) {
    if (!reads(facts_.trace().kind(e))) continue;
    saturation.include(needs_of(facts_, e));
    ReadQuestion(facts_, saturation, e, options_.budget).ask(tell);
  }
}

void Nondeterminism::ask_final_reads(const ReadAnswers& tell) const {
  if (!options_.final_reads) return;
  Saturation saturation(facts_);
  const std::vector<EventId> all = final_reads(facts_);
  for (EventId read : all) {
    saturation.include(needs_of(facts_, read));
    ReadQuestion(facts_, saturation, read, options_.budget).ask(tell);
  }
}

void Nondeterminism::ask_all(const ReadAnswers& tell) const {
  for (ThreadId t : indices<ThreadId>(facts_.thread_count())) ask_thread(t, tell);
  ask_final_reads(tell);
}

Shown Nondeterminism::show(EventId read, EventId write) const {
  Saturation saturation(facts_);
  saturation.include(needs_of(facts_, read));
  return ReadQuestion(facts_, saturation, read, options_.budget).show(write);
}

}  // namespace heddle::predict
