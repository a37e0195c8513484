#include "cli/predict_confirm.h"

#include <algorithm>
#include <chrono>

#include "record/build.h"
#include "record/record.h"

namespace heddle {
namespace {

using Clock = std::chrono::steady_clock;

// "" when the program is there and still the same.
std::string problem_with(const ProgramSubject& program) {
  const Result<std::string> build = build_of(program.command[0]);
  if (!build.ok()) return build.error().message;
  if (program.build_id.empty() || program.build_id == *build) return {};
  return fmt::format("'{}' has changed since the run was recorded; record it again",
                     program.command[0]);
}

// The recorded run as a user saw it, and what it took.
struct RecordedRunAgain {
  SeenRun seen;
  std::uint64_t events = 0;
  Clock::duration time = {};
};

Launch launch_into(const PrintedText& printed) {
  Launch launch;
  launch.discard_output = true;
  launch.output = printed.descriptor();
  return launch;
}

// None: it did not come to its end, or not in the same way.
Result<std::optional<RecordedRunAgain>> run_again(const std::string& trace_path) {
  TRY(const PrintedText printed, PrintedText::create());
  const auto start = Clock::now();
  TRY(const ReplayedRun run, replay_run(trace_path, {.launch = launch_into(printed)}));
  std::optional<RecordedRunAgain> again;
  if (!run.divergence && ended_by_itself(run.result)) {
    again = {{printed.text(), run.result.words}, run.events, Clock::now() - start};
  }
  return again;
}

// A program may go on for ever after what it never did before.
void limit(const RecordedRunAgain& recorded, const Finding& finding, FindingRunOptions& options) {
  options.most_events = finding.schedule.size() + 2 * recorded.events + 10'000;
  options.until = Clock::now() + 10 * recorded.time + std::chrono::seconds(5);
}

Result<ReplayOutcome> replay(Finding& finding, const std::optional<RecordedRunAgain>& recorded) {
  TRY(const PrintedText printed, PrintedText::create());
  FindingRunOptions options;
  options.launch = launch_into(printed);
  options.go_on = recorded && finding.kind != FindingKind::deadlock;
  if (options.go_on) limit(*recorded, finding, options);
  TRY(const FindingRun run, run_finding(finding, options));
  ReplayOutcome outcome{run.verdict, run.why};
  if (run.verdict != ReplayVerdict::confirmed) return outcome;
  finding.confirmed = Confirmation::replay;
  if (options.go_on && ended_by_itself(run.result)) {
    outcome.seen = seen_change({printed.text(), run.result.words}, recorded->seen);
  }
  return outcome;
}

}  // namespace

Replays confirm(std::vector<Finding>& findings, const std::string& trace_path) {
  Replays replays;
  replays.outcomes.resize(findings.size());
  if (findings.empty()) return replays;
  const auto& program = std::get<ProgramSubject>(findings.front().subject);
  replays.has_program = !program.command.empty();
  if (!replays.has_program) return replays;
  replays.problem = problem_with(program);
  if (!replays.problem.empty()) return replays;
  const auto recorded = run_again(trace_path);
  for (std::size_t i = 0; i < findings.size() && replays.problem.empty(); ++i) {
    const Result<ReplayOutcome> outcome =
        replay(findings[i], recorded.ok() ? *recorded : std::nullopt);
    outcome.ok() ? void(replays.outcomes[i] = *outcome)
                 : void(replays.problem = outcome.error().message);
  }
  return replays;
}

}  // namespace heddle
