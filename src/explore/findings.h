// Findings of an exploration: what went wrong, and the schedule that shows it.
//
// The collector listens to a search, keeps each distinct finding once (the same failure at
// the same statements by another schedule is the same finding), and stops the search at
// the first one unless it is told to go on.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "explore/explorer.h"

namespace heddle {

enum class FindingKind : std::uint8_t { assertion, out_of_range, misuse, deadlock };

std::string_view name_of(FindingKind kind);

struct Finding {
  FindingKind kind;
  std::string message;               // "assertion x == 1 fails (x = 2)"
  std::vector<Transition> schedule;  // up to and including what went wrong
};

class FindingCollector final : public ExplorationListener {
 public:
  struct Options {
    bool keep_going = false;
    std::optional<std::chrono::steady_clock::time_point> deadline;
  };
  FindingCollector(System& system, Options options) : system_(system), options_(options) {}

  bool on_execution(const Execution& execution) override;
  bool on_failure(const Execution& execution, Failure failure) override;

  const std::vector<Finding>& findings() const { return findings_; }
  bool out_of_time() const { return out_of_time_; }

 private:
  bool add(const Execution& execution, FindingKind kind, const std::string& message);
  bool in_time();
  std::string describe_deadlock() const;

  System& system_;
  Options options_;
  std::vector<Finding> findings_;
  std::set<std::string> known_;
  std::uint64_t executions_ = 0;
  bool out_of_time_ = false;
};

}  // namespace heddle
