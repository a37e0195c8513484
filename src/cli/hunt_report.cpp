#include "cli/hunt_report.h"

#include <algorithm>

#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include "cli/output.h"
#include "finding/finding_file.h"

namespace heddle {
namespace {

using hybrid::Verdict;
using hybrid::WarningReport;
using Json = nlohmann::ordered_json;

std::string plural(std::uint64_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string what_was_tried(const WarningReport& warning) {
  return fmt::format("{}, {}, {:.3f} s", plural(warning.pairs, "pair"),
                     plural(warning.executions, "execution"), warning.seconds);
}

std::string words_of(const WarningReport& warning) {
  switch (warning.verdict) {
    case Verdict::witness:
      return fmt::format(
          "a race; prefix of {}{}, suffix of {}; {}", plural(warning.prefix_events, "step"),
          warning.extended_by > 0 ? fmt::format(" (grown by {})", warning.extended_by)
                                  : std::string(),
          plural(warning.suffix_events, "step"), what_was_tried(warning));
    case Verdict::spurious:
      return fmt::format("spurious, all was searched; {}", what_was_tried(warning));
    case Verdict::open: return fmt::format("open, {}; {}", warning.why, what_was_tried(warning));
    case Verdict::no_partner: break;
  }
  return "no other access could race with it";
}

// Of this process, and of the largest of those that it started.
std::uint64_t peak_bytes() {
  rusage own{}, children{};
  ::getrusage(RUSAGE_SELF, &own);
  ::getrusage(RUSAGE_CHILDREN, &children);
  return static_cast<std::uint64_t>(std::max(own.ru_maxrss, children.ru_maxrss)) * 1024;
}

void print_warning(const WarningReport& warning) {
  print("{}  {}\n    {}\n", warning.location, fmt::to_string(fmt::join(warning.sites, " and ")),
        words_of(warning));
}

Json json_of(const WarningReport& warning) {
  Json json = {{"location", warning.location},
               {"sites", warning.sites},
               {"prefix_events", warning.prefix_events},
               {"extended_by", warning.extended_by},
               {"suffix_events", warning.suffix_events},
               {"pairs", warning.pairs},
               {"executions", warning.executions},
               {"overflows", warning.overflows},
               {"seconds", warning.seconds},
               {"peak_bytes", warning.peak_bytes},
               {"result", hybrid::name_of(warning.verdict)}};
  if (warning.verdict == Verdict::open) json["why"] = warning.why;
  return json;
}

std::size_t partners_of(const HuntOutcome& outcome) {
  return outcome.report.warnings.size() - outcome.report.count(Verdict::no_partner);
}

}  // namespace

void print_for_people(const HuntOutcome& outcome) {
  for (std::size_t i = 0; i < outcome.findings.size(); ++i) outcome.show(i);
  const hybrid::HuntReport& report = outcome.report;
  for (const WarningReport& warning : report.warnings) print_warning(warning);
  if (!report.warnings.empty()) print("\n");
  print("searched  {}\n", outcome.subject);
  print("runs      {} with {}\n", outcome.runs, plural(report.run_events, "step"));
  print("warnings  {}, {} with a partner: {}, {} spurious, {} open; {:.3f} s\n",
        report.warnings.size(), partners_of(outcome),
        plural(report.count(Verdict::witness), "race"), report.count(Verdict::spurious),
        report.count(Verdict::open), outcome.seconds);
  for (const std::string& file : outcome.files) print("replay    heddle replay {}\n", file);
}

void print_json(const HuntOutcome& outcome) {
  const hybrid::HuntReport& report = outcome.report;
  Json json;
  json["warnings"] = report.warnings.size();
  json["partners"] = partners_of(outcome);
  json["witnesses"] = report.count(Verdict::witness);
  json["spurious"] = report.count(Verdict::spurious);
  json["open"] = report.count(Verdict::open);
  json["per_warning"] = Json::array();
  for (const WarningReport& warning : report.warnings) {
    json["per_warning"].push_back(json_of(warning));
  }
  json["findings"] = Json::array();
  for (std::size_t i = 0; i < outcome.findings.size(); ++i) {
    Json finding = heddle::json_of(outcome.findings[i]);
    finding["file"] = outcome.files[i];
    json["findings"].push_back(std::move(finding));
  }
  json["runs"] = outcome.runs;
  json["run_events"] = report.run_events;
  json["seconds"] = outcome.seconds;
  json["peak_bytes"] = peak_bytes();
  print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

}  // namespace heddle
