#include "cli/program_finding.h"

#include "cli/finding_title.h"
#include "cli/output.h"

namespace heddle {
namespace {

std::string words_of_deadlock(const StepsRun& run) {
  return fmt::format("no thread can go on: {}", fmt::join(run.result.details, "; "));
}

std::string message_of(const ShownFinding& shown, bool confirmed, const std::string& message) {
  if (shown.finding.kind == FindingKind::deadlock && confirmed) return words_of_deadlock(shown.run);
  if (shown.finding.kind == FindingKind::livelock) {
    return "a thread goes round in a loop for ever, and nobody can end it";
  }
  return message;
}

ProgramSubject subject_of(const ConfirmOptions& options) {
  ProgramSubject subject{options.command, {}};
  if (options.steps.nondet != NondetRange()) subject.nondet = text_of(options.steps.nondet);
  subject.prints = options.steps.prints;
  return subject;
}

}  // namespace

Result<ShownFinding> confirm(const SearchWitness& witness, const ConfirmOptions& options) {
  ShownFinding shown;
  shown.trace = fmt::format("{}/finding-{}.heddle", options.out, options.number);
  TRY(shown.run, run_steps(options.command, witness.schedule, shown.trace, options.steps));
  Finding& finding = shown.finding;
  finding.kind = finding_kind_named(witness.kind).value_or(FindingKind::crash);
  shown.thread = witness.thread;
  shown.other_thread = witness.other_thread;
  const bool confirmed = shows(shown.run, finding.kind, witness.message);
  finding.confirmed = confirmed ? Confirmation::replay : Confirmation::none;
  finding.message = message_of(shown, confirmed, witness.message);
  finding.events = events_of(shown.run, finding.kind, shown.thread, shown.other_thread);
  finding.subject = subject_of(options);
  finding.found_by = options.found_by;
  for (const SearchStep& step : witness.schedule) {
    finding.add_step(step_thread_name(step.thread), step.choice);
  }
  return shown;
}

void print_finding(const ShownFinding& shown) {
  print_title(shown.finding);
  const bool confirmed = shown.finding.confirmed == Confirmation::replay;
  print("{}\n\n", confirmed ? "confirmed by replay" : "NOT confirmed by replay");
  print_run(shown.run, shown.finding.kind, shown.thread, shown.other_thread);
  print("\n");
}

}  // namespace heddle
