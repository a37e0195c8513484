#include "cli/explore_program.h"

#include <chrono>
#include <cstdio>
#include <sstream>

#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include "cli/output.h"
#include "cli/program_finding.h"
#include "finding/finding_file.h"
#include "finding/output_folder.h"
#include "record/search.h"
#include "runtime/explored_program.h"

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

struct ProgramReport {
  const ExploreProgramOptions& options;
  const Strategy& strategy;
  SearchResult result;
  ExploreCounters counters;
  double seconds = 0;
  std::uint64_t peak_bytes = 0;
  bool by_fork = false;
  std::vector<ShownFinding> findings = {};
  std::vector<std::string> files = {};

  bool complete() const {
    return result.end == "finished" && counters.cut == 0 && strategy.limit(counters).empty();
  }
};

ExploreCounters counters_of(const SearchResult& result) {
  const auto get = [&](const char* name) {
    const auto found = result.counters.find(name);
    return found != result.counters.end() ? found->second : 0;
  };
  ExploreCounters counters;
  counters.traces = get("traces");
  counters.blocked = get("blocked");
  counters.cut = get("cut");
  counters.spinning = get("spinning");
  counters.transitions = get("transitions");
  counters.race_checks = get("race_checks");
  counters.dependency_checks = get("dependency_checks");
  counters.unsatisfiable_systems = get("unsatisfiable_systems");
  counters.sections = get("sections");
  counters.refused = get("refused");
  counters.longest = get("longest");
  return counters;
}

wire::SearchSettings settings_of(const ExploreProgramOptions& options, const Strategy& strategy) {
  wire::SearchSettings settings;
  strategy.name().copy(settings.strategy, sizeof settings.strategy - 1);
  settings.executions = options.strategy.random.value_or(0);
  settings.seed = options.strategy.seed.value_or(0);
  settings.depth = options.strategy.pct.value_or(0);
  settings.max_preemptions = options.strategy.max_preemptions.value_or(0);
  settings.max_steps = options.max_steps;
  settings.max_executions = options.max_executions.value_or(0);
  settings.seconds = options.seconds.value_or(0);
  settings.keep_going = options.keep_going ? 1 : 0;
  settings.collects_outputs = options.outputs ? 1 : 0;
  settings.resets_by_fork = options.reset == "fork" ? 1 : 0;
  return settings;
}

StepSettings steps_in(const ExploreProgramOptions& options) {
  return {.nondet = options.nondet, .prints = options.outputs};
}

// Of the program: its process was the only child.
std::uint64_t peak_bytes() {
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

std::string how_it_ended(const ProgramReport& report) {
  if (report.complete()) return "the search was complete";
  if (report.result.end == "time") return "the search ran out of time (--time)";
  if (report.result.end == "executions") return "the search was bounded by --max-executions";
  if (report.result.end == "found") {
    return "the search stopped at the first finding (--keep-going goes on)";
  }
  const std::string limit = report.strategy.limit(report.counters);
  if (report.counters.cut == 0) return fmt::format("the search was {}", limit);
  return fmt::format("the search was {}{}bounded by --max-steps", limit,
                     limit.empty() ? "" : ", and ");
}

Result<void> report_findings(ProgramReport& report) {
  std::vector<Finding> findings;
  for (const SearchWitness& witness : report.result.witnesses) {
    TRY(ShownFinding shown, confirm(witness, {.command = report.options.command,
                                              .out = report.options.out,
                                              .number = report.findings.size() + 1,
                                              .found_by = "explore",
                                              .steps = steps_in(report.options)}));
    findings.push_back(shown.finding);
    report.findings.push_back(std::move(shown));
  }
  TRY(report.files, write_findings(report.options.out, findings));
  return {};
}

std::string plural(std::uint64_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

bool has_note(const ProgramReport& report, explored::Note note) {
  const auto bits = report.result.counters.find("notes");
  return bits != report.result.counters.end() &&
         (bits->second & static_cast<std::uint32_t>(note)) != 0;
}

std::vector<std::string> not_seen(const ProgramReport& report) {
  const auto bits = report.result.counters.find("unseen");
  const std::uint64_t set = bits != report.result.counters.end() ? bits->second : 0;
  const auto has = [&](wire::Unseen what) {
    return (set >> static_cast<std::uint32_t>(what) & 1) != 0;
  };
  std::vector<std::string> lines;
  if (has(wire::Unseen::weak_order)) {
    lines.emplace_back("atomics weaker than seq_cst were carried out as seq_cst");
  }
  if (has(wire::Unseen::forced_timeout)) {
    lines.emplace_back("timed waits time out only when no thread can go on");
  }
  if (has_note(report, explored::Note::operation_in_section)) {
    lines.emplace_back("in what order operations inside atomic sections and outside of them come");
  }
  if (has(wire::Unseen::signal_handler)) lines.emplace_back("signals from outside");
  return lines;
}

void print_output(const SearchOutput& output) {
  print("output    of {}:\n", plural(output.executions, "execution"));
  std::istringstream lines(output.text);
  for (std::string line; std::getline(lines, line);) print("          {}\n", line);
}

void print_outputs(const ProgramReport& report) {
  for (const SearchOutput& output : report.result.outputs) print_output(output);
  const auto left_out = report.result.counters.find("outputs_left_out");
  if (left_out != report.result.counters.end() && left_out->second > 0) {
    print("output    of {}: still others, not listed\n", plural(left_out->second, "execution"));
  }
}

// Threads that wait for each other are best looked at as threads of the operating system, along the
// trace; everything else is stopped at where it happens.
const std::string& file_to_debug(const ProgramReport& report, std::size_t i) {
  const FindingKind kind = report.findings[i].finding.kind;
  const bool waits = kind == FindingKind::deadlock || kind == FindingKind::livelock;
  return waits ? report.findings[i].trace : report.files[i];
}

void print_for_people(const ProgramReport& report) {
  for (const ShownFinding& finding : report.findings) print_finding(finding);
  const ExploreCounters& counters = report.counters;
  print_text(fmt::format("searched  {}{}\n", fmt::join(report.options.command, " "),
                         report.by_fork ? ", every execution in a fork" : ""));
  std::string extra;
  if (counters.blocked > 0) {
    extra += fmt::format("; {} begun in vain", plural(counters.blocked, "execution"));
  }
  if (counters.spinning > 0) {
    extra +=
        fmt::format("; {} left in a loop that only waits", plural(counters.spinning, "execution"));
  }
  if (counters.cut > 0) extra += fmt::format("; {} cut short", plural(counters.cut, "execution"));
  print("by        {}: {}, {}, {:.3f} s{}\n", report.strategy.name(),
        plural(counters.traces, report.strategy.unit()), plural(counters.transitions, "transition"),
        report.seconds, extra);
  const std::string promise =
      report.strategy.promise(counters, report.result.counters.at("threads"));
  if (!promise.empty()) print("promise   {}\n", promise);
  const std::size_t found = report.findings.size();
  print("result    {}; {}\n", found == 0 ? "nothing found" : plural(found, "finding"),
        how_it_ended(report));
  print_outputs(report);
  if (has_note(report, explored::Note::unjoined_thread)) {
    print("note      a thread was neither joined nor detached when the program ended\n");
  }
  for (const std::string& line : not_seen(report)) print("not seen  {}\n", line);
  for (std::size_t i = 0; i < found; ++i) {
    print("replay    heddle replay {}\n", report.files[i]);
    print("debug     heddle replay --gdb {}\n", file_to_debug(report, i));
  }
}

Json json_of_outputs(const SearchResult& result) {
  Json outputs = Json::array();
  for (const SearchOutput& output : result.outputs) {
    outputs.push_back({{"text", output.text}, {"executions", output.executions}});
  }
  return outputs;
}

void print_json(const ProgramReport& report) {
  const ExploreCounters& counters = report.counters;
  Json json;
  json["algorithm"] = report.strategy.name();
  json["traces"] = counters.traces;
  json["blocked"] = counters.blocked;
  json["cut"] = counters.cut;
  json["spinning"] = counters.spinning;
  json["transitions"] = counters.transitions;
  json["race_checks"] = counters.race_checks;
  json["dependency_checks"] = counters.dependency_checks;
  json["unsatisfiable_systems"] = counters.unsatisfiable_systems;
  json["sections"] = counters.sections;
  report.strategy.add_to(json, counters, report.result.counters.at("threads"));
  json["findings"] = Json::array();
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    Json finding = json_of(report.findings[i].finding);
    finding["file"] = report.files[i];
    finding["trace"] = report.findings[i].trace;
    json["findings"].push_back(std::move(finding));
  }
  json["unjoined_threads"] = has_note(report, explored::Note::unjoined_thread);
  json["not_seen"] = not_seen(report);
  if (report.options.outputs) json["outputs"] = json_of_outputs(report.result);
  json["complete"] = report.complete();
  json["reset"] = report.by_fork ? "fork" : "memory";
  json["seconds"] = report.seconds;
  json["peak_bytes"] = report.peak_bytes;
  print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

// Draws the progress line over and over again, where it is wanted.
class Line {
 public:
  explicit Line(bool shows) : shows_(shows) {}
  ~Line() {
    if (drawn_) print_to_terminal("\r\033[K");
  }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;

  void draw(const SearchProgress& progress) {
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start_;
    if (!shows_ || seconds.count() < 1) return;
    std::string text = fmt::format("\r\033[K{} executions, {:.0f} per second", progress.executions,
                                   static_cast<double>(progress.executions) / seconds.count());
    if (progress.estimate > 0) text += fmt::format(", about {:.0f} in all", progress.estimate);
    print_to_terminal(text);
    drawn_ = true;
  }

 private:
  static void print_to_terminal(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
  }
  bool shows_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

Result<SearchResult> search(const ExploreProgramOptions& options, const Strategy& strategy,
                            bool& by_fork) {
  Line line(options.progress.shows());
  SearchOptions search{.launch = {.command = options.command},
                       .settings = settings_of(options, strategy),
                       .steps = steps_in(options),
                       .step_seconds = options.step_seconds.value_or(30),
                       .progress = [&](const SearchProgress& now) { line.draw(now); }};
  TRY(SearchResult result, run_search(search));
  if (result.divergence.empty() || by_fork) return result;
  warn(
      fmt::format("the program cannot be put back to its start in memory (step {}); every "
                  "execution is a fork now, as with --reset=fork",
                  result.divergence.substr(0, result.divergence.find('\t'))));
  by_fork = true;
  search.settings.resets_by_fork = 1;
  return run_search(search);
}

std::string words_of_divergence(const std::string& divergence) {
  const std::vector<std::string> fields = fields_in(divergence, 3);
  return fmt::format(
      "the program does not do the same again, so it cannot be explored: at step {}, {} was "
      "expected, and {} came; does it depend on time, addresses or input?",
      fields[0], fields[1], fields[2]);
}

}  // namespace

ExitStatus explore_program(const ExploreProgramOptions& options, const Strategy& strategy) {
  const auto start = std::chrono::steady_clock::now();
  bool by_fork = options.reset == "fork";
  const auto result = search(options, strategy, by_fork);
  if (!result.ok()) return fail(ExitStatus::cannot_run, result.error());
  if (!result->divergence.empty()) {
    return fail(ExitStatus::cannot_run, words_of_divergence(result->divergence));
  }
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  ProgramReport report{options,       strategy,     *result, counters_of(*result),
                       taken.count(), peak_bytes(), by_fork};
  const auto written = report_findings(report);
  if (!written.ok()) return fail(ExitStatus::output_failed, written.error());
  options.json ? print_json(report) : print_for_people(report);
  if (!report.findings.empty()) return ExitStatus::found;
  return !report.complete() && options.require_complete ? ExitStatus::incomplete : ExitStatus::ok;
}

}  // namespace heddle
