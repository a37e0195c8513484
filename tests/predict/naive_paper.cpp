#include "tests/predict/naive_paper.h"

#include <algorithm>
#include <map>
#include <set>

#include "trace/original_run.h"

namespace heddle::predict {
namespace {

using Vertex = std::size_t;  // an event

struct Scope {
  LockId lock;
  ThreadId thread;
  bool reader;
  std::vector<Vertex> events;  // from the acquire to the release, both in
};

bool exclusive(const Scope& a, const Scope& b) {
  return a.lock == b.lock && !(a.reader && b.reader);
}

// Reachability as a matrix that is made anew after every edge.
class Graph {
 public:
  explicit Graph(std::size_t size) : edges_(size, std::vector<bool>(size, false)) {}

  void add(Vertex a, Vertex b) { edges_[a][b] = true; }
  std::size_t size() const { return edges_.size(); }

  std::vector<std::vector<bool>> paths() const {
    auto path = edges_;
    for (Vertex k = 0; k < size(); ++k) {
      for (Vertex i = 0; i < size(); ++i) {
        for (Vertex j = 0; j < size(); ++j) {
          if (path[i][k] && path[k][j]) path[i][j] = true;
        }
      }
    }
    return path;
  }
  bool cyclic() const {
    const auto path = paths();
    for (Vertex i = 0; i < size(); ++i) {
      if (path[i][i]) return true;
    }
    return false;
  }
  bool has(Vertex a, Vertex b) const { return edges_[a][b]; }

 private:
  std::vector<std::vector<bool>> edges_;
};

class NaivePaper {
 public:
  explicit NaivePaper(const Trace& trace) : trace_(trace), run_(trace), base_(trace.size()) {
    add_program_order();
    add_sync_edges();
    find_scopes();
  }

  std::vector<PaperWitness> run() {
    for (EventId e : trace_.events()) {
      if (reads(trace_.kind(e))) ask(e);
    }
    for (LocationId l : indices(trace_.tables.locations)) {
      const RegionId region = trace_.tables.locations[l].region;
      if (!region.valid() || !run_.free_of(region).valid()) ask(trace_.final_read(l));
    }
    return result_;
  }

 private:
  // --- The partial order graph ---

  void add_program_order() {
    for (ThreadId t : indices<ThreadId>(run_.thread_count())) {
      const auto& events = run_.events_of(t);
      for (std::size_t i = 1; i < events.size(); ++i) add(events[i - 1], events[i]);
    }
  }

  void add(EventId a, EventId b) { base_.add(a.value(), b.value()); }

  void add_sync_edges() {
    std::map<std::pair<ObjectType, std::uint32_t>, EventId> last;
    std::map<std::pair<std::uint32_t, ThreadId>, std::vector<EventId>> notified;
    for (EventId e : trace_.events()) {
      const EventKind kind = trace_.kind(e);
      const ObjectType type = object_type(kind);
      if (type == ObjectType::thread) {
        const auto& events = run_.events_of(trace_.other_thread(e));
        if (events.empty()) continue;
        kind == EventKind::fork ? add(e, events.front()) : add(events.back(), e);
      } else if (type == ObjectType::condition) {
        const std::pair key(trace_.object(e), trace_.thread(e));
        if (kind == EventKind::wait) {
          notified[key];
        } else if (kind == EventKind::wake || kind == EventKind::timeout) {
          for (EventId n : notified[key]) {
            if (kind == EventKind::wake) add(n, e);
          }
          notified.erase(key);
        } else {
          for (auto& [waiter, notifies] : notified) {
            if (waiter.first == trace_.object(e)) notifies.push_back(e);
          }
        }
      } else if (type != ObjectType::none && type != ObjectType::lock &&
                 type != ObjectType::location) {
        const auto before = last.find({type, trace_.object(e)});
        if (before != last.end()) add(before->second, e);
        last[{type, trace_.object(e)}] = e;
      }
    }
  }

  void find_scopes() {
    for (ThreadId t : indices<ThreadId>(run_.thread_count())) {
      std::map<LockId, std::pair<std::size_t, int>> open;  // scope, depth
      for (EventId e : run_.events_of(t)) {
        const EventKind kind = trace_.kind(e);
        const bool opens = kind == EventKind::acquire || kind == EventKind::reader_acquire;
        if (opens && open[trace_.lock(e)].second++ == 0) {
          open[trace_.lock(e)].first = scopes_.size();
          scopes_.push_back({trace_.lock(e), t, kind == EventKind::reader_acquire, {}});
        }
        for (auto& [lock, scope] : open) scopes_[scope.first].events.push_back(e.value());
        const LockId closed = kind == EventKind::wait ? trace_.lock_of_wait(e)
                              : kind == EventKind::release || kind == EventKind::reader_release
                                  ? trace_.lock(e)
                                  : LockId::none();
        if (closed.valid() && --open.at(closed).second == 0) open.erase(closed);
      }
    }
  }

  // --- Triplets ---

  void ask(EventId read) {
    std::set<Triplet> triplets;
    const auto& pieces = run_.pieces_of(run_.location_of(read));
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const EventId writer = run_.seen(read, i);
      if (writer != kInitialWrite) triplets.insert({writer, read, kInitialWrite});
      for (EventId c : trace_.events()) {
        if (!writes(trace_.kind(c)) || c == writer || c == read) continue;
        const auto& written = run_.pieces_of(trace_.location(c));
        if (std::count(written.begin(), written.end(), pieces[i]) != 0) {
          triplets.insert({writer, read, c});
        }
      }
    }
    for (const Triplet& triplet : triplets) ask(triplet);
  }

  using Order = std::pair<EventId, EventId>;

  void ask(const Triplet& t) {
    const std::set<Vertex> nothing;
    ask(t, TripletKind::read_before_writer,
        {{t.challenger, t.read}, {t.read, t.writer}, {t.challenger, t.writer}}, nothing);
    ask(t, TripletKind::challenger_between,
        {{t.writer, t.challenger}, {t.challenger, t.read}, {t.writer, t.read}}, nothing);
    ask_without_writer(t);
  }

  void ask_without_writer(const Triplet& t) {
    PaperWitness witness{t, TripletKind::without_writer};
    if (t.writer == kInitialWrite || trace_.is_final_read(t.read)) {
      result_.push_back(witness);
      return;
    }
    std::set<Vertex> removed = {t.writer.value()};
    const auto path = base_.paths();
    for (Vertex v = 0; v < base_.size(); ++v) {
      if (path[t.writer.value()][v]) removed.insert(v);
    }
    if (removed.contains(t.read.value()) ||
        (t.challenger != kInitialWrite && removed.contains(t.challenger.value()))) {
      result_.push_back(witness);
      return;
    }
    ask(t, TripletKind::without_writer, {{t.challenger, t.read}}, removed);
  }

  // --- One witness ---

  std::vector<Scope> scopes_without(const std::set<Vertex>& removed) const {
    std::vector<Scope> result;
    for (Scope scope : scopes_) {
      std::erase_if(scope.events, [&](Vertex v) { return removed.contains(v); });
      if (!scope.events.empty()) result.push_back(scope);
    }
    return result;
  }

  void ask(const Triplet& triplet, TripletKind kind, const std::vector<Order>& orders,
           const std::set<Vertex>& removed) {
    PaperWitness witness{triplet, kind};
    const std::vector<Scope> scopes = scopes_without(removed);
    Graph graph = graph_without(removed, triplet);
    std::vector<std::pair<Vertex, Vertex>> witness_edges;
    for (const auto& [a, b] : orders) {
      if (b == kInitialWrite || (a != kInitialWrite && trace_.is_final_read(a))) {
        result_.push_back(witness);
        return;
      }
      if (a == kInitialWrite || trace_.is_final_read(b)) continue;
      add_witness_edges(scopes, a.value(), b.value(), witness_edges);
      // "Program order already captures" an order within a scope; the opposite one is a cycle.
      graph.add(a.value(), b.value());
    }
    for (const auto& [a, b] : witness_edges) graph.add(a, b);
    add_induced_edges(scopes, graph);
    if (!graph.cyclic()) decide(scopes, graph, witness_edges, witness);
    result_.push_back(witness);
  }

  Graph graph_without(const std::set<Vertex>& removed, const Triplet& triplet) const {
    Graph graph(base_.size());
    const auto add_edge = [&](Vertex a, Vertex b) {
      if (!removed.contains(a) && !removed.contains(b)) graph.add(a, b);
    };
    for (Vertex a = 0; a < base_.size(); ++a) {
      for (Vertex b = 0; b < base_.size(); ++b) {
        if (base_.has(a, b)) add_edge(a, b);
      }
    }
    for (EventId e : trace_.events()) {
      if (!reads(trace_.kind(e))) continue;
      const auto& pieces = run_.pieces_of(trace_.location(e));
      for (std::size_t i = 0; i < pieces.size(); ++i) {
        const EventId writer = run_.seen(e, i);
        if (writer == kInitialWrite) continue;
        if (writer == triplet.writer && e == triplet.read) continue;
        add_edge(writer.value(), e.value());
      }
    }
    return graph;
  }

  void add_witness_edges(const std::vector<Scope>& scopes, Vertex a, Vertex b,
                         std::vector<std::pair<Vertex, Vertex>>& edges) const {
    const auto contains = [](const Scope& scope, Vertex v) {
      return std::count(scope.events.begin(), scope.events.end(), v) != 0;
    };
    bool any = false;
    bool plain = false;
    for (const Scope& one : scopes) {
      for (const Scope& two : scopes) {
        if (!contains(one, a) || !contains(two, b)) continue;
        any = true;
        if (&one == &two) continue;
        if (exclusive(one, two)) {
          edges.emplace_back(one.events.back(), two.events.front());
        } else {
          plain = true;
        }
      }
    }
    if (plain || !any) edges.emplace_back(a, b);
  }

  static void add_induced_edges(const std::vector<Scope>& scopes, Graph& graph) {
    bool again = true;
    while (again) {
      again = false;
      const auto path = graph.paths();
      for (const Scope& one : scopes) {
        for (const Scope& two : scopes) {
          if (one.thread == two.thread || !exclusive(one, two)) continue;
          const Vertex v = one.events.back();
          const Vertex x = two.events.front();
          if (!path[one.events.front()][two.events.back()] || graph.has(v, x)) continue;
          graph.add(v, x);
          again = true;
        }
      }
    }
  }

  // --- Choices ---

  void decide(const std::vector<Scope>& scopes, const Graph& graph,
              const std::vector<std::pair<Vertex, Vertex>>& witness_edges, PaperWitness& witness) {
    const auto choices = find_choices(scopes, graph, witness_edges);
    witness.choices = static_cast<std::uint32_t>(choices.size());
    witness.verdict = PaperVerdict::no_choice;
    if (choices.empty()) return;
    witness.verdict = is_possible(graph, choices, 0, witness.explored)
                          ? PaperVerdict::feasible_by_choice
                          : PaperVerdict::infeasible_by_choice;
  }

  using Choice = std::pair<const Scope*, const Scope*>;  // the observed order

  // Whether the choices from the given one on can be made without a cycle.
  static bool is_possible(const Graph& graph, const std::vector<Choice>& choices, std::size_t from,
                          std::uint64_t& explored) {
    if (graph.cyclic() || from == choices.size()) {
      ++explored;
      return !graph.cyclic();
    }
    Graph observed = graph;
    observed.add(choices[from].first->events.back(), choices[from].second->events.front());
    if (is_possible(observed, choices, from + 1, explored)) return true;
    Graph turned = graph;
    turned.add(choices[from].second->events.back(), choices[from].first->events.front());
    return is_possible(turned, choices, from + 1, explored);
  }

  std::vector<Choice> find_choices(
      const std::vector<Scope>& scopes, const Graph& graph,
      const std::vector<std::pair<Vertex, Vertex>>& witness_edges) const {
    const auto path = graph.paths();
    std::vector<Choice> unordered;
    for (const Scope& one : scopes) {
      for (const Scope& two : scopes) {
        if (one.thread == two.thread || !exclusive(one, two)) continue;
        if (one.events.front() > two.events.front()) continue;
        if (path[one.events.front()][two.events.back()]) continue;
        if (path[two.events.front()][one.events.back()]) continue;
        unordered.emplace_back(&one, &two);
      }
    }
    // The lock abstraction graph: the events of a scope are one vertex.
    Graph abstraction = graph;
    for (const Scope& scope : scopes) {
      for (Vertex a : scope.events) {
        for (Vertex b : scope.events) {
          if (a != b) abstraction.add(a, b);
        }
      }
    }
    for (const auto& [one, two] : unordered) {
      abstraction.add(one->events.front(), two->events.front());
      abstraction.add(two->events.front(), one->events.front());
    }
    const auto way = abstraction.paths();
    const auto reaches = [&](Vertex a, Vertex b) { return a == b || way[a][b]; };
    std::vector<Choice> result;
    for (const Choice& choice : unordered) {
      const Vertex one = choice.first->events.front();
      const Vertex two = choice.second->events.front();
      const bool counts =
          std::any_of(witness_edges.begin(), witness_edges.end(), [&](const auto& edge) {
            const auto& [y, x] = edge;
            return (reaches(x, one) && reaches(two, y)) || (reaches(x, two) && reaches(one, y));
          });
      if (counts) result.push_back(choice);
    }
    // In the order of the trace, the nearest scope first.
    std::sort(result.begin(), result.end(), [](const Choice& a, const Choice& b) {
      const Vertex later_a = a.second->events.front();
      const Vertex later_b = b.second->events.front();
      if (later_a != later_b) return later_a < later_b;
      return a.first->events.front() > b.first->events.front();
    });
    return result;
  }

  const Trace& trace_;
  OriginalRun run_;
  Graph base_;
  std::vector<Scope> scopes_;
  std::vector<PaperWitness> result_;
};

}  // namespace

std::vector<PaperWitness> naive_paper_witnesses(const Trace& trace) {
  return NaivePaper(trace).run();
}

}  // namespace heddle::predict
