// A filter that makes a trace well-formed and says what it changed.
//
// repairer.h has the idea, docs/well-formed.md the remedy for each rule.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "trace/repairer.h"
#include "trace/rules.h"
#include "trace/stream.h"

namespace heddle {

struct RepairReport {
  struct Entry {
    std::string where;
    std::uint64_t event;  // its number in the original trace, from 0
    Change change;
  };
  std::vector<Entry> first;                        // as many as were asked for
  std::array<std::uint64_t, kRuleCount> counts{};  // of all changes, by rule
  std::uint64_t total = 0;

  // "3 changes: 2 for reentrant-acquire, 1 for late-fork", or "nothing to repair".
  std::string summary() const;
};

class RepairingSource final : public EventSource {
 public:
  explicit RepairingSource(std::unique_ptr<EventSource> inner, std::size_t entries_kept = 20);

  Result<void> next(std::vector<EventRecord>& batch) override;
  // An event that was put in stands where the one stands that it was put before.
  std::string where(std::size_t i) const override;
  Tables& tables() override { return repairer_.tables(); }
  Metadata& metadata() override { return inner_->metadata(); }
  const std::optional<Damage>& damage() const override { return inner_->damage(); }

  // Of what was read so far.
  const RepairReport& report() const { return report_; }

 private:
  void repair(std::size_t i, std::vector<EventRecord>& batch);

  std::unique_ptr<EventSource> inner_;
  std::size_t entries_kept_;
  Repairer repairer_;
  std::vector<EventRecord> original_;   // the last batch of the inner source
  std::vector<std::uint32_t> origins_;  // by event of our last batch: its index in original_
  std::uint64_t events_before_ = 0;     // in the batches before the last one
  RepairReport report_;
};

}  // namespace heddle
