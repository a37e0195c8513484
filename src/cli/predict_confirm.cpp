#include "cli/predict_confirm.h"

#include "record/build.h"

namespace heddle {
namespace {

// "" when the program is there and still the same.
std::string problem_with(const ProgramSubject& program) {
  const Result<std::string> build = build_of(program.command[0]);
  if (!build.ok()) return build.error().message;
  if (program.build_id.empty() || program.build_id == *build) return {};
  return fmt::format("'{}' has changed since the run was recorded; record it again",
                     program.command[0]);
}

Result<ReplayOutcome> replay(Finding& finding) {
  FindingRunOptions options;
  options.launch.discard_output = true;
  TRY(const FindingRun run, run_finding(finding, options));
  if (run.verdict == ReplayVerdict::confirmed) finding.confirmed = Confirmation::replay;
  return ReplayOutcome{run.verdict, run.why};
}

}  // namespace

Replays confirm(std::vector<Finding>& findings) {
  Replays replays;
  replays.outcomes.resize(findings.size());
  if (findings.empty()) return replays;
  const auto& program = std::get<ProgramSubject>(findings.front().subject);
  replays.has_program = !program.command.empty();
  if (!replays.has_program) return replays;
  replays.problem = problem_with(program);
  for (std::size_t i = 0; i < findings.size() && replays.problem.empty(); ++i) {
    const Result<ReplayOutcome> outcome = replay(findings[i]);
    outcome.ok() ? void(replays.outcomes[i] = *outcome)
                 : void(replays.problem = outcome.error().message);
  }
  return replays;
}

}  // namespace heddle
