#include "cli/explore_report.h"

#include <nlohmann/json.hpp>

#include "cli/finding_title.h"
#include "cli/output.h"
#include "finding/finding_file.h"
#include "report/run_columns.h"

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

std::string how_it_ended(const ExploreReport& report) {
  if (report.complete) return "the search was complete";
  if (report.out_of_time) return "the search ran out of time (--time)";
  if (!report.finished) return "the search stopped at the first finding (--keep-going goes on)";
  const std::string limit = report.strategy.limit(report.counters);
  if (report.counters.cut == 0) return fmt::format("the search was {}", limit);
  return fmt::format("the search was {}{}bounded by --max-steps", limit,
                     limit.empty() ? "" : ", and ");
}

std::string plural(std::uint64_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// "bank.hm with N = 3, granularity access; 4 threads"
std::string what_was_searched(const ExploreReport& report) {
  std::string text = report.subject.path == "-" ? "standard input" : report.subject.path;
  std::vector<std::string> settings;
  for (const model::Parameter& parameter : report.model.parameters) {
    settings.push_back(fmt::format("{} = {}", parameter.name, parameter.value));
  }
  if (report.subject.granularity != "statement") {
    settings.push_back("granularity " + report.subject.granularity);
  }
  if (!settings.empty()) text += fmt::format(" with {}", fmt::join(settings, ", "));
  return fmt::format("{}; {}", text, plural(report.model.threads.size(), "thread"));
}

std::string how_it_was_searched(const ExploreReport& report) {
  const ExploreCounters& counters = report.counters;
  std::string text = fmt::format("{}: {}, {}, {:.3f} s", report.strategy.name(),
                                 plural(counters.traces, report.strategy.unit()),
                                 plural(counters.transitions, "transition"), report.seconds);
  if (counters.blocked > 0) {
    text += fmt::format("; {} begun in vain", plural(counters.blocked, "execution"));
  }
  if (counters.spinning > 0) {
    text +=
        fmt::format("; {} left in a loop that only waits", plural(counters.spinning, "execution"));
  }
  if (counters.cut > 0) text += fmt::format("; {} cut short", plural(counters.cut, "execution"));
  return text;
}

void print_finding(const ReplayedFinding& replayed) {
  const Finding& finding = replayed.finding;
  const bool confirmed = finding.confirmed == Confirmation::replay;
  print_title(finding);
  print("{}\n\n", confirmed ? "confirmed by replay" : "NOT confirmed by replay");
  print_text(run_in_columns(replayed.run, {terminal_width(), colour_wanted()}));
  print("\n");
}

// With a space or the like in it, a path needs quotes to be typed.
std::string typed(const std::string& path) {
  const bool plain = path.find_first_of(" \t'\"\\$&|;<>()*?[]#~`!{}") == std::string::npos;
  return plain ? path : fmt::format("'{}'", path);
}

}  // namespace

void print_for_people(const ExploreReport& report) {
  for (const ReplayedFinding& finding : report.findings) print_finding(finding);
  print("searched  {}\n", what_was_searched(report));
  print("by        {}\n", how_it_was_searched(report));
  const ExploreCounters& counters = report.counters;
  print("checks    {}, {}, {}\n", plural(counters.race_checks, "race"),
        plural(counters.dependency_checks, "dependency pair"),
        plural(counters.sections, "section"));
  const std::string promise = report.strategy.promise(counters, report.model.threads.size());
  if (!promise.empty()) print("promise   {}\n", promise);
  const std::size_t found = report.findings.size();
  print("result    {}; {}\n", found == 0 ? "nothing found" : plural(found, "finding"),
        how_it_ended(report));
  for (const std::string& file : report.files) print("replay    heddle replay {}\n", typed(file));
}

void print_json(const ExploreReport& report) {
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
  report.strategy.add_to(json, counters, report.model.threads.size());
  json["findings"] = Json::array();
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    Json finding = json_of(report.findings[i].finding);
    finding["file"] = report.files[i];
    json["findings"].push_back(std::move(finding));
  }
  json["complete"] = report.complete;
  json["seconds"] = report.seconds;
  json["peak_bytes"] = report.peak_bytes;
  print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

}  // namespace heddle
