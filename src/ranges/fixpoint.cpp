#include "ranges/fixpoint.h"

#include <algorithm>
#include <map>

#include "ranges/ages.h"
#include "ranges/walk.h"

namespace heddle::ranges {
namespace {

// The graph's nodes, and where ways meet.
Table<PointId, bool> halts_of(const Graph& graph) {
  const Flow& flow = graph.program().flow;
  Table<PointId, bool> entered(flow.size(), false), halts(flow.size(), false);
  for (const PointId point : indices(halts)) {
    if (graph.is_node(point)) halts[point] = true;
    for (const Edge& edge : flow.edges(point)) {
      if (entered[edge.target]) halts[edge.target] = true;
      entered[edge.target] = true;
    }
  }
  return halts;
}

class Fixpoint {
 public:
  explicit Fixpoint(const Graph& graph)
      : graph_(graph),
        flow_(graph.program().flow),
        ages_(flow_),
        walk_(flow_, halts_of(graph)),
        record_(graph.program()),
        places_(flow_.size()) {
    for (const NodeId node : indices<NodeId>(graph.node_count())) {
      for (const NodeId target : graph.switches_from(node)) {
        places_[graph.point(target)].sources.push_back(graph.point(node));
      }
    }
  }

  Propagation run() {
    start();
    carry_on(0);
    Time last = 0;
    while (!pending_.empty()) {
      last = pending_.begin()->first;
      arrive(last);
      carry_on(last);
    }
    return {tell_record(), std::move(begun_), last};
  }

 private:
  struct Place {
    Arrival arrived;
    Environment here;
    bool started = false;          // something has arrived, or need not
    bool changed = false;          // since it was last carried on
    bool waits_for_fork = false;   // a thread that others fork begins here
    std::vector<PointId> sources;  // from where control may be switched here
  };
  using Arrivals = std::map<PointId, Arrival>;

  // All threads stand at their beginnings; those that nobody has to fork may go.
  void start() {
    for (const ThreadId thread : indices(flow_.model().threads)) {
      const PointId first = flow_.first(thread);
      Environment& here = places_[first].here;
      here = Environment::initial(flow_.model(), thread);
      here.take_local(flow_.constants(first));
      record_.arrive(first, here);
      if (flow_.model().threads[thread].forked) {
        here.forget_shared();
        places_[first].waits_for_fork = true;
      } else {
        begin_at(first);
      }
    }
  }

  void note_change(PointId point) {
    if (places_[point].changed) return;
    places_[point].changed = true;
    changed_.push_back(point);
  }

  void carry_on(Time time) {
    for (const PointId point : changed_) {
      Place& place = places_[point];
      place.changed = false;
      walk_.run(point, place.here, place.arrived.wrote, nullptr, ends_);
      for (Walk::End& end : ends_) {
        deliver(end.point, std::move(end.arrival), time + ages_.age[end.point] - ages_.age[point]);
      }
    }
    changed_.clear();
  }

  void deliver(PointId point, Arrival arrival, Time time) {
    if (arrival.within(places_[point].arrived)) return;
    Arrivals& then = pending_[time];
    const auto [known, fresh] = then.try_emplace(point);
    fresh ? void(known->second = std::move(arrival)) : known->second.join(arrival);
  }

  void arrive(Time time) {
    const Arrivals arrivals = std::move(pending_.begin()->second);
    pending_.erase(pending_.begin());
    for (const auto& [point, arrival] : arrivals) {
      Place& place = places_[point];
      list_news(place, arrival);
      const bool wrote = place.arrived.wrote.join(arrival.wrote);
      const bool grew = place.arrived.environment.join(arrival.environment);
      if (!wrote && !grew) continue;
      if (wrote) note_change(point);
      settle(point, arrival.environment);
      if (graph_.is_node(point)) tell(point, time);
    }
  }

  // The shared words that others have to hear of, now or again.
  void list_news(const Place& place, const Arrival& arrival) {
    news_.clear();
    const Arrival& known = place.arrived;
    known.wrote.for_each([&](std::uint32_t word) {
      const Interval value = arrival.environment.shared(word);
      if (!value.within(known.environment.shared(word))) news_.push_back(word);
    });
    arrival.wrote.for_each([&](std::uint32_t word) {
      if (!known.wrote.contains(word)) news_.push_back(word);
    });
  }

  // The point's own thread has come there, with all that it knows.
  void settle(PointId point, const Environment& environment) {
    Place& place = places_[point];
    if (place.started) {
      if (place.here.join(environment)) note_change(point);
      return;
    }
    place.here = environment;
    begin_at(point);
  }

  void begin_at(PointId point) {
    places_[point].started = true;
    note_change(point);
    for (const PointId source : places_[point].sources) hear(places_[source], places_[point]);
  }

  // What another one had to tell before.
  static void hear(const Place& source, Place& target) {
    source.arrived.wrote.for_each([&](std::uint32_t word) {
      target.here.add(word, source.arrived.environment.shared(word));
    });
  }

  void tell(PointId source, Time time) {
    for (const NodeId node : graph_.switches_from(graph_.node_at(source))) {
      const PointId target = graph_.point(node);
      if (time <= ages_.latest[target]) receive(source, target);
    }
  }

  void receive(PointId source, PointId target) {
    const Environment& told = places_[source].arrived.environment;
    Place& place = places_[target];
    const bool forks = has_forked(source, target);
    if (!place.started && !forks) return;
    if (!place.started) begin_at(target);
    const bool untouched = forks && join_untouched(told, place.here);
    if (place.here.join_words(told, news_) || untouched) note_change(target);
  }

  // For whom a thread forks, what it may have left as it was in the beginning is so.
  bool join_untouched(const Environment& told, Environment& here) const {
    bool grew = false;
    for (std::uint32_t word = 0; word < told.shared_count(); ++word) {
      const Interval initial = Interval::of(flow_.model().initial_words[word]);
      if (!initial.within(told.shared(word)) || initial.within(here.shared(word))) continue;
      here.add(word, initial);
      grew = true;
    }
    return grew;
  }

  bool has_forked(PointId source, PointId target) const {
    return places_[target].waits_for_fork &&
           graph_.program().meeting.may_have_forked(source, flow_[target].thread);
  }

  Record tell_record() {
    begun_.resize(graph_.node_count());
    for (const PointId point : indices(places_)) {
      if (!places_[point].started) continue;
      walk_.run(point, places_[point].here, places_[point].arrived.wrote, &record_, ends_);
      if (graph_.is_node(point)) begun_[graph_.node_at(point)] = places_[point].here;
    }
    return std::move(record_);
  }

  const Graph& graph_;
  const Flow& flow_;
  Ages ages_;
  Walk walk_;
  Record record_;
  Table<PointId, Place> places_;  // those where walks halt
  std::vector<PointId> changed_;
  std::map<Time, Arrivals> pending_;
  Walk::Ends ends_;
  std::vector<std::uint32_t> news_;
  Table<NodeId, Environment> begun_;
};

}  // namespace

Propagation find_fixpoint(const Graph& graph) { return Fixpoint(graph).run(); }

}  // namespace heddle::ranges
