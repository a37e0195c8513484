#include "explore/findings.h"

#include <array>

#include <fmt/format.h>

namespace heddle {
namespace {

constexpr std::array<std::string_view, 4> kNames = {"assertion", "out-of-range", "misuse",
                                                    "deadlock"};

FindingKind kind_of(Failure failure) {
  switch (failure) {
    case Failure::out_of_range: return FindingKind::out_of_range;
    case Failure::misuse: return FindingKind::misuse;
    default: return FindingKind::assertion;
  }
}

}  // namespace

std::string_view name_of(FindingKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

bool FindingCollector::on_execution(const Execution& execution) {
  for (ThreadId thread : indices<ThreadId>(system_.thread_count())) {
    if (system_.readiness(thread) != Readiness::blocked) continue;
    if (!add(execution, FindingKind::deadlock, describe_deadlock())) return false;
    break;
  }
  return in_time();
}

bool FindingCollector::on_failure(const Execution& execution, Failure failure) {
  return add(execution, kind_of(failure), system_.describe_last_step());
}

bool FindingCollector::add(const Execution& execution, FindingKind kind,
                           const std::string& message) {
  if (!known_.insert(fmt::format("{}: {}", name_of(kind), message)).second) return true;
  Finding finding{kind, message, {}};
  for (Execution::EventIndex e = 0; e < execution.size(); ++e) {
    finding.schedule.push_back(execution.transition(e));
  }
  findings_.push_back(std::move(finding));
  return options_.keep_going;
}

// Asking the clock costs more than a small execution, so not every time.
bool FindingCollector::in_time() {
  if (!options_.deadline || ++executions_ % 256 != 0) return true;
  out_of_time_ = std::chrono::steady_clock::now() > *options_.deadline;
  return !out_of_time_;
}

std::string FindingCollector::describe_deadlock() const {
  std::string text;
  for (ThreadId thread : indices<ThreadId>(system_.thread_count())) {
    if (system_.readiness(thread) != Readiness::blocked) continue;
    text +=
        fmt::format("{}{} waits at {}: {}", text.empty() ? "" : "; ", system_.thread_name(thread),
                    system_.where_next(thread), system_.describe_next(thread));
  }
  return text;
}

}  // namespace heddle
