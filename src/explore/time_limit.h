// Stops a search at a point in time.
#pragma once

#include <chrono>

#include "explore/explorer.h"

namespace heddle {

class TimeLimit final : public ExplorationListener {
 public:
  explicit TimeLimit(std::chrono::steady_clock::time_point deadline) : deadline_(deadline) {}

  bool on_execution(const Execution&) override { return in_time(); }
  bool on_dropped(const Execution&) override { return in_time(); }
  bool on_failure(const Execution&, Failure) override { return true; }

  bool is_over() const { return over_; }

 private:
  // Asking the clock costs more than a small execution, so not every time.
  bool in_time() {
    if (++executions_ % 64 != 0) return true;
    over_ = over_ || std::chrono::steady_clock::now() > deadline_;
    return !over_;
  }

  std::chrono::steady_clock::time_point deadline_;
  std::uint64_t executions_ = 0;
  bool over_ = false;
};

}  // namespace heddle
