#include "cli/trace_input.h"

#include "cli/output.h"
#include "trace/open.h"
#include "trace/validate.h"

namespace heddle {

void TraceInput::declare(CLI::App& app, const std::string& name) {
  app.add_option(name, path,
                 "a trace in any format, perhaps gzip'ed or zstd'ed; - is standard input")
      ->required();
  app.add_flag("--repair", repair, "make an untidy trace well-formed, and say what was changed");
}

Result<OpenedTrace> OpenedTrace::open(const TraceInput& input) {
  TRY(auto source, open_trace(input.path));
  OpenedTrace opened;
  opened.path_ = input.path;
  if (input.repair) {
    auto repairing = std::make_unique<RepairingSource>(std::move(source));
    opened.repairing_ = repairing.get();
    opened.source_ = std::move(repairing);
  } else {
    opened.source_ = std::make_unique<ValidatingSource>(std::move(source));
  }
  return opened;
}

Result<Trace> OpenedTrace::collect() {
  TRY(Trace trace, heddle::collect(*source_));
  report_changes();
  return trace;
}

void OpenedTrace::report_changes() const {
  if (const auto& damage = source_->damage()) warn(damage->message);
  if (repairing_ == nullptr || repairing_->report().total == 0) return;
  const RepairReport& report = repairing_->report();
  for (const RepairReport::Entry& entry : report.first) {
    warn(fmt::format("{}: {}: {}", entry.where, entry.change.problem, entry.change.remedy));
  }
  warn(fmt::format("{}: {}", path_, report.summary()));
}

}  // namespace heddle
