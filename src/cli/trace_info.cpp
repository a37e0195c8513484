// heddle trace info: how large a trace is, and what is known of its run.
#include <memory>

#include <nlohmann/json.hpp>

#include "cli/output.h"
#include "cli/trace.h"
#include "cli/trace_input.h"
#include "trace/counts.h"

namespace heddle {
namespace {

struct InfoOptions {
  TraceInput input;
  bool json = false;
};

Result<TraceCounts> count(EventSource& source) {
  TraceCounts counts;
  std::vector<EventRecord> batch;
  for (;;) {
    TRY_VOID(source.next(batch));
    if (batch.empty()) return counts;
    for (const EventRecord& event : batch) counts.add(event);
  }
}

// Of many threads the first few names are enough here.
void print_notes(const Metadata& run) {
  constexpr std::size_t kShown = 16;
  std::size_t threads = 0;
  for (const auto& [name, text] : run.notes) {
    if (name == "shared memory") continue;  // addresses, for replay alone
    const bool is_thread = name.starts_with("thread ");
    if (is_thread && ++threads > kShown) continue;
    print("{:<14} {}\n", name, text);
  }
  if (threads > kShown) print("thread ...     {} more have names\n", threads - kShown);
}

void print_run(const Metadata& run) {
  if (!run.command_line.empty()) {
    print_text(fmt::format("command        {}\n", fmt::join(run.command_line, " ")));
  }
  if (run.exit_status) print("exit status    {}\n", *run.exit_status);
  if (run.seed) print("seed           {}\n", *run.seed);
  if (!run.clock.empty()) print("clock          {}\n", run.clock);
  if (run.duration_nanoseconds) {
    print("duration       {:.3f} s\n", static_cast<double>(*run.duration_nanoseconds) / 1e9);
  }
  print_notes(run);
}

void print_for_people(const TraceCounts& counts, const Metadata& run) {
  print("threads        {}\n", counts.threads());
  print("events         {}\n", counts.events());
  print("lock events    {} on {} locks\n", counts.lock_events(), counts.locks());
  print("accesses       {} of {} variables, {} of them shared\n", counts.accesses(),
        counts.variables(), counts.shared_variables());
  print("wait/notify    {}\n", counts.wait_notify_events());
  print_run(run);
}

nlohmann::ordered_json json_of(const Metadata& run) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  if (!run.command_line.empty()) json["command_line"] = run.command_line;
  if (run.exit_status) json["exit_status"] = *run.exit_status;
  if (run.seed) json["seed"] = *run.seed;
  if (!run.clock.empty()) json["clock"] = run.clock;
  if (run.started_nanoseconds) json["started_nanoseconds"] = *run.started_nanoseconds;
  if (run.duration_nanoseconds) json["duration_nanoseconds"] = *run.duration_nanoseconds;
  if (!run.notes.empty()) json["notes"] = run.notes;
  return json;
}

void print_json(const TraceCounts& counts, const Metadata& run) {
  nlohmann::ordered_json json;
  json["threads"] = counts.threads();
  json["events"] = counts.events();
  json["lock_events"] = counts.lock_events();
  json["locks"] = counts.locks();
  json["accesses"] = counts.accesses();
  json["variables"] = counts.variables();
  json["shared_variables"] = counts.shared_variables();
  json["wait_notify_events"] = counts.wait_notify_events();
  for (const EventKindInfo& row : kEventKinds) {
    if (counts.of(row.kind) > 0) json["by_kind"][std::string(row.name)] = counts.of(row.kind);
  }
  json["run"] = json_of(run);
  print("{}\n", json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

ExitStatus run(const InfoOptions& options) {
  auto opened = OpenedTrace::open(options.input);
  if (!opened.ok()) return fail(ExitStatus::bad_input, opened.error());
  const auto counts = count(opened->events());
  if (!counts.ok()) return fail(ExitStatus::bad_input, counts.error());
  opened->report_changes();
  const Metadata& metadata = opened->events().metadata();
  options.json ? print_json(*counts, metadata) : print_for_people(*counts, metadata);
  return ExitStatus::ok;
}

Action declare(CLI::App& app) {
  const auto options = std::make_shared<InfoOptions>();
  options->input.declare(app);
  app.add_flag("--json", options->json, "print one JSON object");
  return [options] { return run(*options); };
}

}  // namespace

constinit const Command kTraceInfoCommand = {
    .name = "info",
    .summary = "count threads, events, locks, variables",
    .help =
        "The counts are those of the first column of the NDET paper's Table A1, and how many\n"
        "variables two threads or more access.",
    .declare = declare,
};

}  // namespace heddle
