// Stops a search at a point in time.
#pragma once

#include <chrono>

#include "explore/explorer.h"
#include "explore/work_meter.h"

namespace heddle {

class TimeLimit final : public ExplorationListener {
 public:
  explicit TimeLimit(std::chrono::steady_clock::time_point deadline) : deadline_(deadline) {}

  bool on_execution(const Execution& execution) override { return in_time(execution); }
  bool on_dropped(const Execution& execution) override { return in_time(execution); }
  bool on_failure(const Execution&, Failure) override { return true; }

  bool is_over() const { return over_; }

 private:
  bool in_time(const Execution& execution) {
    if (!meter_.is_due(execution.size())) return true;
    over_ = over_ || std::chrono::steady_clock::now() > deadline_;
    return !over_;
  }

  std::chrono::steady_clock::time_point deadline_;
  WorkMeter meter_;
  bool over_ = false;
};

}  // namespace heddle
