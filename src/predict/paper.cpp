#include "predict/paper.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>
#include <optional>

#include "predict/challengers.h"
#include "predict/paper_graph.h"
#include "predict/tasks.h"

namespace heddle::predict {
namespace {

using order::Section;
using order::SectionId;
using order::VersionId;

// A read and a write that it saw, with the other writes of the memory that it saw it in.
struct Couple {
  EventId read;
  EventId writer;
  std::vector<EventId> challengers;  // sorted
};

std::vector<Couple> couples_of(const Facts& facts, EventId read) {
  std::vector<Couple> result;
  const auto cells = facts.cells(read);
  for (CellId cell : cells) {
    const EventId writer = facts.writer(facts.seen(read, cell));
    auto couple = std::find_if(result.begin(), result.end(),
                               [&](const Couple& c) { return c.writer == writer; });
    if (couple == result.end()) couple = result.insert(result.end(), {read, writer, {}});
    for_each_challenger(facts, read, cell, [&](VersionId version) {
      couple->challengers.push_back(facts.writer(version));
    });
  }
  for (Couple& couple : result) {
    std::sort(couple.challengers.begin(), couple.challengers.end());
    const auto last = std::unique(couple.challengers.begin(), couple.challengers.end());
    couple.challengers.erase(last, couple.challengers.end());
  }
  return result;
}

std::vector<Couple> all_couples(const Facts& facts, bool with_final_reads) {
  std::vector<Couple> result;
  const auto add = [&](EventId read) {
    for (Couple& couple : couples_of(facts, read)) result.push_back(std::move(couple));
  };
  for (EventId e : facts.trace().events()) {
    if (reads(facts.trace().kind(e))) add(e);
  }
  if (with_final_reads) {
    for (EventId read : final_reads(facts)) add(read);
  }
  return result;
}

class PaperMode {
 public:
  PaperMode(const PaperTrace& trace, const std::vector<Couple>& couples,
            const PaperOptions& options, const PaperWitnesses& tell)
      : trace_(trace),
        facts_(trace.facts()),
        couples_(couples),
        options_(options),
        tell_(tell),
        graph_(trace, PaperGraph::Start::complete) {}

  // The first two kinds for the couples [first, last), all of the others being in the order.
  void run(std::size_t first, std::size_t last) {
    const auto mark = graph_.mark();
    insert(0, first);
    insert(last, couples_.size());
    auto pairs = graph_.forget_ordered_pairs();
    halve(first, last);
    graph_.undo(mark);
    graph_.restore_pairs(std::move(pairs));
  }

  // The third kind for the couples whose writer is in the thread, or is an initial write (none).
  void run_without_writers(ThreadId thread) {
    std::vector<const Couple*> couples;
    for (const Couple& couple : couples_) {
      const ThreadId writer =
          couple.writer == kInitialWrite ? ThreadId::none() : facts_.trace().thread(couple.writer);
      if (writer == thread) couples.push_back(&couple);
    }
    std::stable_sort(couples.begin(), couples.end(),
                     [](const Couple* a, const Couple* b) { return a->writer < b->writer; });
    PaperGraph without(trace_, PaperGraph::Start::empty);
    for (const Couple* couple : couples) judge_without(*couple, without);
  }

  const PaperResult& result() const { return result_; }

 private:
  bool has_edge(const Couple& couple) const {
    return couple.writer != kInitialWrite && !facts_.trace().is_final_read(couple.read);
  }

  void insert(std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      if (has_edge(couples_[i])) {
        graph_.add(facts_.node(couples_[i].writer), facts_.node(couples_[i].read));
      }
    }
  }

  void halve(std::size_t first, std::size_t last) {
    if (last - first == 0) return;
    if (last - first == 1) {
      run_with_writer(couples_[first]);
      return;
    }
    const std::size_t middle = first + (last - first) / 2;
    const auto mark = graph_.mark();
    insert(middle, last);
    auto pairs = graph_.forget_ordered_pairs();
    halve(first, middle);
    graph_.undo(mark);
    graph_.restore_pairs(std::move(pairs));
    insert(first, middle);
    pairs = graph_.forget_ordered_pairs();
    halve(middle, last);
    graph_.undo(mark);
    graph_.restore_pairs(std::move(pairs));
  }

  // --- The first and the second kind: c r w, and w c r ---

  void run_with_writer(const Couple& couple) {
    for (EventId challenger : couple.challengers) {
      const Triplet triplet{couple.writer, couple.read, challenger};
      judge(graph_, triplet, TripletKind::read_before_writer,
            {{challenger, couple.read}, {couple.read, couple.writer}, {challenger, couple.writer}});
      judge(graph_, triplet, TripletKind::challenger_between,
            {{couple.writer, challenger}, {challenger, couple.read}, {couple.writer, couple.read}});
    }
  }

  // --- The third kind: c r without w ---

  // The later a writer stands in its thread, the more is left without it.
  void judge_without(const Couple& couple, PaperGraph& without) {
    const bool read_is_out = couple.writer == kInitialWrite ||
                             facts_.trace().is_final_read(couple.read) ||
                             reaches(couple.writer, couple.read);
    if (!read_is_out) grow(without, facts_.node(couple.writer));
    for (EventId challenger : couple.challengers) {
      const Triplet triplet{couple.writer, couple.read, challenger};
      const bool out = read_is_out ||
                       (challenger != kInitialWrite && !without.contains(facts_.node(challenger)));
      if (out) {
        note({triplet, TripletKind::without_writer});
      } else {
        judge(without, triplet, TripletKind::without_writer, {{challenger, couple.read}});
      }
    }
  }

  void grow(PaperGraph& without, Node writer) {
    for (ThreadId t : indices<ThreadId>(facts_.thread_count())) {
      const std::uint32_t first =
          t == writer.thread ? writer.index : partial_order().after(writer, t);
      without.grow(t, std::min(first, facts_.length(t)));
    }
  }

  // In the partial order of the trace alone.
  bool reaches(EventId from, EventId to) {
    return partial_order().precedes(facts_.node(from), facts_.node(to));
  }

  const order::ChainOrder& partial_order() {
    if (!partial_order_) {
      std::vector<std::uint32_t> lengths;
      for (ThreadId t : indices<ThreadId>(facts_.thread_count())) {
        lengths.push_back(facts_.length(t));
      }
      partial_order_.emplace(std::move(lengths));
      for (const auto& [a, b] : trace_.sync_edges()) partial_order_->add(a, b);
    }
    return *partial_order_;
  }

  // --- One witness ---

  using Order = std::pair<EventId, EventId>;

  void judge(PaperGraph& graph, const Triplet& triplet, TripletKind kind,
             std::initializer_list<Order> orders) {
    PaperWitness witness{triplet, kind};
    if (!is_refuted_at_once(graph, orders)) {
      const auto mark = graph.mark();
      judge_in(graph, orders, witness);
      graph.undo(mark);
    }
    note(witness);
  }

  bool is_initial(EventId e) const { return e == kInitialWrite; }
  bool is_final(EventId e) const { return e != kInitialWrite && facts_.trace().is_final_read(e); }

  bool is_refuted_at_once(const PaperGraph& graph, std::initializer_list<Order> orders) const {
    return std::any_of(orders.begin(), orders.end(), [&](const Order& order) {
      const auto& [a, b] = order;
      if (is_initial(b) || is_final(a)) return true;
      if (is_initial(a) || is_final(b)) return false;
      return graph.order().precedes(facts_.node(b), facts_.node(a));
    });
  }

  void judge_in(PaperGraph& graph, std::initializer_list<Order> orders, PaperWitness& witness) {
    edges_.clear();
    for (const auto& [a, b] : orders) {
      if (!is_initial(a) && !is_final(b)) find_edges(graph, facts_.node(a), facts_.node(b));
    }
    for (const auto& [a, b] : edges_) {
      if (!graph.add(a, b)) return;
    }
    const std::vector<PaperGraph::Choice> choices = graph.choices(edges_);
    witness.choices = static_cast<std::uint32_t>(choices.size());
    witness.verdict = PaperVerdict::no_choice;
    if (choices.empty()) return;
    const Answer acyclic =
        graph.has_acyclic_choice(choices, options_.most_graphs, witness.explored);
    witness.verdict = acyclic == Answer::yes  ? PaperVerdict::feasible_by_choice
                      : acyclic == Answer::no ? PaperVerdict::infeasible_by_choice
                                              : PaperVerdict::undecided;
  }

  // The witness order edges for a before b: for every pair of scopes that they are in.
  void find_edges(const PaperGraph& graph, Node a, Node b) {
    bool any = false;
    bool plain = false;
    facts_.for_each_held(a.thread, a.index, [&](SectionId first) {
      facts_.for_each_held(b.thread, b.index, [&](SectionId second) {
        any = true;
        const Section& one = facts_.section(first);
        const Section& two = facts_.section(second);
        if (first == second) return;
        if (one.lock == two.lock && !(one.reader && two.reader)) {
          edges_.emplace_back(graph.end_of(one), PaperGraph::begin_of(two));
        } else {
          plain = true;
        }
      });
    });
    if (plain || !any) edges_.emplace_back(a, b);
  }

  void note(const PaperWitness& witness) {
    result_.add(witness);
    if (tell_) tell_(witness);
  }

  const PaperTrace& trace_;
  const Facts& facts_;
  const std::vector<Couple>& couples_;
  PaperOptions options_;
  const PaperWitnesses& tell_;
  PaperGraph graph_;
  std::optional<order::ChainOrder> partial_order_;
  std::vector<Edge> edges_;
  PaperResult result_;
};

}  // namespace

void PaperResult::add(const PaperWitness& witness) {
  ++possible;
  switch (witness.verdict) {
    case PaperVerdict::cyclic:
      ++cyclic;
      ++infeasible;
      return;
    case PaperVerdict::no_choice:
      ++no_choice;
      ++feasible;
      return;
    case PaperVerdict::feasible_by_choice: ++feasible; break;
    case PaperVerdict::infeasible_by_choice: ++infeasible; break;
    case PaperVerdict::undecided: ++undecided; break;
  }
  ++with_choice;
  graphs_possible += std::exp2(witness.choices);
  graphs_explored += witness.explored;
}

void PaperResult::add(const PaperResult& other) {
  possible += other.possible;
  cyclic += other.cyclic;
  no_choice += other.no_choice;
  with_choice += other.with_choice;
  graphs_possible += other.graphs_possible;
  graphs_explored += other.graphs_explored;
  feasible += other.feasible;
  infeasible += other.infeasible;
  undecided += other.undecided;
}

double PaperResult::graphs_possible_per_witness() const {
  return with_choice == 0 ? 0 : graphs_possible / static_cast<double>(with_choice);
}

double PaperResult::graphs_explored_per_witness() const {
  return with_choice == 0 ? 0
                          : static_cast<double>(graphs_explored) / static_cast<double>(with_choice);
}

PaperResult run_paper_mode(const Facts& facts, const PaperOptions& options,
                           const PaperWitnesses& tell) {
  const auto start = std::chrono::steady_clock::now();
  const PaperTrace trace(facts);
  const std::vector<Couple> couples = all_couples(facts, options.final_reads);
  // Portions of couples for the first two kinds; the third kind goes thread by thread.
  const std::size_t portions = std::clamp<std::size_t>(couples.size() / 500, 1, 16);
  PaperResult result;
  std::mutex mutex;
  Tasks tasks(portions + facts.thread_count() + 1);
  Tasks::run(tell ? 1 : options.threads, [&] {
    PaperMode mode(trace, couples, options, tell);
    while (const auto i = tasks.take()) {
      if (*i < portions) {
        mode.run(couples.size() * *i / portions, couples.size() * (*i + 1) / portions);
      } else if (*i < portions + facts.thread_count()) {
        mode.run_without_writers(ThreadId(static_cast<std::uint32_t>(*i - portions)));
      } else {
        mode.run_without_writers(ThreadId::none());
      }
    }
    const std::lock_guard lock(mutex);
    result.add(mode.result());
  });
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace heddle::predict
