// Findings of an exploration: what went wrong, and the schedule that shows it.
//
// The collector listens to a search, keeps each distinct witness once (the same failure at
// the same statements by another schedule is the same one), and stops the search at the
// first unless it is told to go on. A step that fails ends its thread only, and the search
// goes on with the others; what goes wrong behind a failure and because of it, a lock that
// is never released, is nothing that was found. So every witness is tried, without the
// failures before it.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "explore/explorer.h"
#include "finding/run.h"

namespace heddle {

struct Witness {
  FindingKind kind = FindingKind::assertion;
  std::string message;
  std::vector<std::string> sites;     // of the statements concerned, sorted
  std::vector<Transition> schedule;   // up to and including what went wrong
  std::vector<ThreadId> racing = {};  // the two threads whose next accesses race
};

class FindingCollector final : public ExplorationListener {
 public:
  struct Options {
    bool keep_going = false;
  };
  FindingCollector(System& system, Options options) : system_(system), options_(options) {}

  bool on_execution(const Execution& execution) override;
  bool on_failure(const Execution& execution, Failure failure) override;

  // Whether such a witness is already there: a race by its sites, others also by what
  // they say.
  bool knows(FindingKind kind, const std::string& message,
             const std::vector<std::string>& sites) const;
  void add(Witness witness);
  // Whether the search should go on.
  bool wants_more() const { return options_.keep_going || witnesses_.empty(); }

  const std::vector<Witness>& witnesses() const { return witnesses_; }

 private:
  std::string site_of_last(const Execution& execution);
  bool fails_alone(const Execution& execution, const std::string& message, Witness& witness);

  System& system_;
  Options options_;
  std::vector<Witness> witnesses_;
  std::set<std::string> known_;
};

}  // namespace heddle
