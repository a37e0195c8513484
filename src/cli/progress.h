// The progress line of a long search: how many traces, how fast, about how many in all.
//
// On a terminal it is one line on standard error that is drawn over and over again, and
// erased in the end. Elsewhere, if it was asked for, it is a line from time to time.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "cli/command.h"
#include "explore/estimate.h"
#include "explore/explorer.h"
#include "explore/work_meter.h"

namespace heddle {

// --progress, --no-progress; without either, a terminal gets a progress line.
struct ProgressOptions {
  std::optional<bool> wanted;

  void declare(CLI::App& app);
  bool shows() const;
};

class ProgressLine final : public ExplorationListener {
 public:
  // The estimate must listen to the same search.
  explicit ProgressLine(TraceEstimate& estimate);
  ~ProgressLine() override;
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  bool on_execution(const Execution& execution) override;
  bool on_dropped(const Execution& execution) override;
  bool on_failure(const Execution&, Failure) override { return true; }

 private:
  using Clock = std::chrono::steady_clock;

  void look_at_clock(const Execution& execution);
  void draw(Clock::time_point now);
  std::string text(double seconds) const;

  TraceEstimate& estimate_;
  bool on_terminal_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_;
  std::uint64_t traces_ = 0;
  WorkMeter meter_;
  bool drawn_ = false;
};

}  // namespace heddle
