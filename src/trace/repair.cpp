#include "trace/repair.h"

#include <fmt/format.h>

namespace heddle {

std::string RepairReport::summary() const {
  if (total == 0) return "nothing to repair";
  std::string text = fmt::format("{} change{}", total, total == 1 ? "" : "s");
  std::string_view separator = ": ";
  for (const RuleInfo& rule : kRules) {
    const std::uint64_t count = counts[static_cast<std::size_t>(rule.rule)];
    if (count == 0) continue;
    text += fmt::format("{}{} for {}", separator, count, rule.name);
    separator = ", ";
  }
  return text;
}

RepairingSource::RepairingSource(std::unique_ptr<EventSource> inner, std::size_t entries_kept)
    : inner_(std::move(inner)), entries_kept_(entries_kept), repairer_(inner_->tables()) {}

// An original batch of which nothing is left must not look like the end.
Result<void> RepairingSource::next(std::vector<EventRecord>& batch) {
  batch.clear();
  origins_.clear();
  do {
    events_before_ += original_.size();
    TRY_VOID(inner_->next(original_));
    repairer_.follow_tables();
    for (std::size_t i = 0; i < original_.size(); ++i) repair(i, batch);
  } while (batch.empty() && !original_.empty());
  return {};
}

void RepairingSource::repair(std::size_t i, std::vector<EventRecord>& batch) {
  repairer_.explain(report_.first.size() < entries_kept_);
  repairer_.take(original_[i], batch);
  origins_.resize(batch.size(), static_cast<std::uint32_t>(i));
  for (const Change& change : repairer_.changes()) {
    ++report_.total;
    ++report_.counts[static_cast<std::size_t>(change.rule)];
    if (report_.first.size() >= entries_kept_) continue;
    report_.first.push_back({inner_->where(i), events_before_ + i, change});
  }
}

std::string RepairingSource::where(std::size_t i) const { return inner_->where(origins_[i]); }

}  // namespace heddle
