#include "tests/trace/enumerate_twin.h"

#include <algorithm>
#include <map>
#include <optional>

#include "tests/trace/sequence_order.h"
#include "trace/reordering.h"

namespace heddle {
namespace {

template <typename Key>
std::set<Key> keys(const std::map<Key, Witness>& answers) {
  std::set<Key> result;
  for (const auto& [answer, witness] : answers) result.insert(answer);
  return result;
}

std::size_t index(TripletKind kind) { return static_cast<std::size_t>(kind); }

class Twin {
 public:
  Twin(const Trace& trace, bool values) : trace_(trace), values_(values) {
    for (EventId e : trace.events()) original_.push_back(e);
  }

  Answers run() {
    Sequence sequence;
    extend(sequence, EventId::none());
    return answers_;
  }

 private:
  bool is_reordering(const Sequence& sequence, EventId question) const {
    return !check_reordering(trace_, sequence, {.values = values_, .question = question});
  }

  bool can_ask(Sequence sequence, EventId e) const {
    sequence.push_back(e);
    return is_reordering(sequence, e);
  }

  // Visits every sequence that begins with this one; each event may become the one in question.
  void extend(Sequence& sequence, EventId question) {
    if (question.valid()) {
      visit_asked(sequence, question);
    } else {
      visit(sequence);
    }
    for (EventId e : candidates()) {
      sequence.push_back(e);
      if (is_reordering(sequence, question)) extend_without_final_reads(sequence, question);
      if (!question.valid() && is_reordering(sequence, e)) extend_without_final_reads(sequence, e);
      sequence.pop_back();
    }
  }

  void extend_without_final_reads(Sequence& sequence, EventId question) {
    if (!trace_.is_final_read(sequence.back())) {
      extend(sequence, question);
    } else if (question.valid()) {
      visit_asked(sequence, question);
    }
  }

  Sequence candidates() const {
    Sequence result = original_;
    for (LocationId l : indices(trace_.tables.locations)) result.push_back(trace_.final_read(l));
    return result;
  }

  // A sequence without an event in question: what comes next after it?
  void visit(const Sequence& sequence) {
    for (EventId e : original_) {
      for (EventId f : original_) {
        if (e < f && conflict(trace_, e, f) && can_ask(sequence, e) && can_ask(sequence, f)) {
          answers_.adjacent_races.insert({e, f});
        }
      }
    }
    visit_rings(sequence);
  }

  // A sequence with an event in question, which may stand anywhere if it is a read.
  void visit_asked(const Sequence& sequence, EventId question) {
    if (sequence.back() == question) {
      visit_read(sequence);
      visit_unordered(sequence);
    }
    visit_triplets(sequence, question);
    visit_scopes(sequence, question);
  }

  bool sees(EventId e) const { return trace_.is_final_read(e) || reads(trace_.kind(e)); }

  void visit_read(const Sequence& sequence) {
    const EventId read = sequence.back();
    if (!sees(read)) return;
    for (const Byte& byte : bytes_of(trace_, read)) {
      const EventId write = write_before(trace_, sequence, sequence.size() - 1, byte);
      if (write != original_write(read, byte)) answers_.nondeterminism.insert({read, write});
    }
  }

  EventId original_write(EventId read, const Byte& byte) const {
    const std::size_t at = trace_.is_final_read(read) ? original_.size() : read.value();
    return write_before(trace_, original_, at, byte);
  }

  void visit_unordered(const Sequence& sequence) {
    const EventId f = sequence.back();
    if (trace_.is_final_read(f)) return;
    const auto before = events_before_last(trace_, sequence);
    for (std::size_t i = 0; i + 1 < sequence.size(); ++i) {
      const EventId e = sequence[i];
      if (conflict(trace_, e, f) && !before.contains(e)) {
        answers_.unordered_races.insert({std::min(e, f), std::max(e, f)});
      }
    }
  }

  // The initial write stands before everything, at -1.
  static std::optional<int> position(const Sequence& sequence, EventId e) {
    if (e == kInitialWrite) return -1;
    const auto found = std::find(sequence.begin(), sequence.end(), e);
    if (found == sequence.end()) return std::nullopt;
    return static_cast<int>(found - sequence.begin());
  }

  void visit_triplets(const Sequence& sequence, EventId read) {
    if (!sees(read)) return;
    for (const Byte& byte : bytes_of(trace_, read)) {
      const EventId writer = original_write(read, byte);
      Sequence challengers = original_;
      challengers.push_back(kInitialWrite);
      for (EventId c : challengers) {
        if (c == writer || c == read || !writes_byte(trace_, c, byte)) continue;
        visit_triplet(sequence, {writer, read, c});
      }
    }
  }

  void visit_triplet(const Sequence& sequence, const Triplet& triplet) {
    const auto w = position(sequence, triplet.writer);
    const auto r = position(sequence, triplet.read);
    const auto c = position(sequence, triplet.challenger);
    if (!c || *c > *r) return;
    if (!w) answers_.triplets[index(TripletKind::without_writer)].insert(triplet);
    if (w && *r < *w) answers_.triplets[index(TripletKind::read_before_writer)].insert(triplet);
    if (w && *w < *c) answers_.triplets[index(TripletKind::challenger_between)].insert(triplet);
  }

  void visit_scopes(const Sequence& sequence, EventId question) {
    const EventId a2 = sequence.back();
    for (std::size_t i = 0; i < sequence.size(); ++i) {
      for (std::size_t j = i + 1; j + 1 < sequence.size(); ++j) {
        const EventId a1 = sequence[i];
        const EventId b = sequence[j];
        const bool read_is_asked =
            question == b && j + 2 == sequence.size() && is_pattern(trace_, a1, b, a2, "WRW");
        if (question != a2 && !read_is_asked) continue;
        if (breaks_scope(trace_, a1, b, a2)) answers_.atomicity.insert({a1, b, a2});
      }
    }
  }

  // Rings of threads, in every order of every set of threads.
  void visit_rings(const Sequence& sequence) {
    std::vector<EventId> waiting;
    for (EventId e : original_) {
      if (waits(sequence, e)) waiting.push_back(e);
    }
    for (std::size_t set = 1; set < std::size_t{1} << waiting.size(); ++set) {
      std::vector<EventId> ring;
      for (std::size_t i = 0; i < waiting.size(); ++i) {
        if ((set >> i & 1) != 0) ring.push_back(waiting[i]);
      }
      do {
        if (is_ring(sequence, ring)) answers_.deadlocks.insert({ring.begin(), ring.end()});
      } while (std::next_permutation(ring.begin(), ring.end()));
    }
  }

  bool waits(Sequence sequence, EventId e) const {
    const EventKind kind = trace_.kind(e);
    if (kind != EventKind::acquire && kind != EventKind::reader_acquire) return false;
    if (trace_.detail(e) != 0) return false;
    sequence.push_back(e);
    const auto violation = check_reordering(trace_, sequence, {.values = values_});
    return violation && violation->rule == ReorderingRule::lock;
  }

  bool is_ring(const Sequence& sequence, const std::vector<EventId>& ring) const {
    if (ring.size() < 2) return false;
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const EventId next = ring[(i + 1) % ring.size()];
      const int held = times_held(trace_, sequence, trace_.thread(next), trace_.lock(ring[i]),
                                  trace_.kind(ring[i]) == EventKind::reader_acquire);
      if (held == 0) return false;
    }
    return true;
  }

  const Trace& trace_;
  bool values_;
  Sequence original_;
  Answers answers_;
};

}  // namespace

Answers answers_of(const Oracle& oracle) {
  Answers answers;
  answers.nondeterminism = keys(oracle.nondeterminism);
  for (std::size_t i = 0; i < kTripletKindCount; ++i) {
    answers.triplets[i] = keys(oracle.triplets[i]);
  }
  answers.adjacent_races = keys(oracle.adjacent_races);
  answers.unordered_races = keys(oracle.unordered_races);
  answers.deadlocks = keys(oracle.deadlocks);
  answers.atomicity = keys(oracle.atomicity);
  return answers;
}

Answers twin_answers(const Trace& trace, bool values) { return Twin(trace, values).run(); }

}  // namespace heddle
