#include "check/failed_run.h"

#include <algorithm>
#include <csignal>

#include "predict/witness.h"
#include "report/columns.h"

namespace heddle {
namespace {

// "a.cpp:26: void f(): Assertion `x > 0' failed." -> "x > 0"
std::string asserted(std::string_view errors) {
  constexpr std::string_view kFront = "Assertion `";
  constexpr std::string_view kBack = "' failed.";
  const std::size_t front = errors.find(kFront);
  if (front == std::string_view::npos) return {};
  const std::size_t begin = front + kFront.size();
  const std::size_t end = errors.find(kBack, begin);
  if (end == std::string_view::npos) return {};
  return std::string(errors.substr(begin, end - begin));
}

// "  what():  out of range" of an exception that nobody caught.
std::string uncaught(std::string_view errors) {
  constexpr std::string_view kFront = "terminate called after throwing an instance of '";
  const std::size_t front = errors.find(kFront);
  if (front == std::string_view::npos) return {};
  const std::size_t begin = front + kFront.size();
  return std::string(errors.substr(begin, errors.find('\'', begin) - begin));
}

struct Failure {
  FindingKind kind = FindingKind::crash;
  std::string message;
};

Failure failure_of_signal(const RunResult& result, std::string_view errors) {
  if (result.status != SIGABRT) return {FindingKind::crash, result.words};
  if (const std::string text = asserted(errors); !text.empty()) {
    return {FindingKind::assertion, text};
  }
  if (const std::string type = uncaught(errors); !type.empty()) {
    return {FindingKind::crash, fmt::format("nobody caught an exception of type {}", type)};
  }
  return {FindingKind::crash, fmt::format("the program gave up ({})", result.words)};
}

std::optional<Failure> failure_of(const RunResult& result, std::string_view errors) {
  switch (result.ending) {
    case Ending::killed: return failure_of_signal(result, errors);
    case Ending::deadlock: return Failure{FindingKind::deadlock, {}};
    case Ending::exited:
      if (result.status == 0) return std::nullopt;
      return Failure{FindingKind::exit_status, fmt::format("exit status {}", result.status)};
    default: return std::nullopt;
  }
}

// The whole run, which ends with the last thing that the thread did.
Finding whole_run(const order::Facts& facts) {
  predict::PredictedFinding run;
  for (EventId e : facts.trace().events()) run.shown.sequence.push_back(e);
  std::size_t last = run.shown.sequence.size();
  while (last > 0 && facts.trace().kind(run.shown.sequence[last - 1]) == EventKind::exit) --last;
  if (last > 0) run.events = {run.shown.sequence[last - 1]};
  return predict::make_finding(facts, run);
}

// Those that wait for locks of each other; where there are none, all that wait.
std::vector<WaitingThread> ring_of(const std::vector<WaitingThread>& waiting) {
  std::vector<WaitingThread> ring;
  for (const WaitingThread& thread : waiting) {
    const auto is_holder = [&](const WaitingThread& other) {
      return !thread.holder.empty() && other.thread == thread.holder;
    };
    if (std::any_of(waiting.begin(), waiting.end(), is_holder)) ring.push_back(thread);
  }
  return ring.empty() ? waiting : ring;
}

// In the words of a prediction, so that the two are one finding.
void take_waiting(const RunResult& result, Finding& finding) {
  finding.events.clear();
  std::string message;
  for (const WaitingThread& thread : ring_of(result.waiting)) {
    finding.events.push_back({thread.thread, thread.site, thread.operation, ""});
    message += fmt::format("{}{}", message.empty() ? "" : ", ", thread.words);
  }
  finding.message = message;
}

}  // namespace

std::optional<Finding> finding_of_run(const order::Facts& facts, const RunResult& result,
                                      std::string_view errors) {
  const std::optional<Failure> failure = failure_of(result, errors);
  if (!failure) return std::nullopt;
  Finding finding = whole_run(facts);
  finding.kind = failure->kind;
  finding.message = failure->message;
  finding.found_by = "check";
  if (failure->kind == FindingKind::deadlock) take_waiting(result, finding);
  return finding;
}

Finding finding_of_search(const order::Facts& facts, FindingKind kind, const std::string& message) {
  Finding finding = whole_run(facts);
  finding.kind = kind;
  finding.message = message;
  finding.found_by = "check";
  return finding;
}

}  // namespace heddle
