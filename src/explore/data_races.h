// Data races: two plain accesses of different threads to the same object, one of them a
// write, that can both be next.
//
// Every such pair stands side by side in some execution, so it is a race (races.h) of some
// Mazurkiewicz trace, and every trace is visited. In each of them the pairs of directly
// dependent plain accesses are looked at; what happens before one of the two leads to the
// state in which both are next, and that schedule is tried before the pair counts.
//
// Two executions that follow each other have most of their events in common. The listener
// keeps an ordered copy of the last one and looks only at what is new, so that it costs about
// as much as the steps do. Only meaningful where an operation is one access.
#pragma once

#include <memory_resource>
#include <vector>

#include "explore/explorer.h"
#include "explore/findings.h"
#include "explore/races.h"

namespace heddle {

class DataRaceListener final : public ExplorationListener {
 public:
  // Witnesses go to the collector, one for each pair of sites.
  DataRaceListener(System& system, FindingCollector& collector);

  bool on_execution(const Execution& execution) override { return look_at(execution); }
  bool on_dropped(const Execution& execution) override { return look_at(execution); }
  bool on_failure(const Execution&, Failure) override { return true; }

 private:
  using EventIndex = Execution::EventIndex;
  struct Pair {
    EventIndex earlier;
    EventIndex later;
    std::vector<std::string> sites;
  };

  bool look_at(const Execution& execution);
  std::size_t follow(const Execution& execution);
  void find_pairs(EventIndex later);
  void find_sites(const Execution& execution);
  void try_pair(const Execution& execution, const Pair& pair);

  System& system_;
  FindingCollector& collector_;
  Execution last_;  // the execution before, ordered
  std::pmr::vector<Race> races_;
  std::vector<Pair> pairs_;
  CheckCounters counters_;  // not those of the search
};

}  // namespace heddle
