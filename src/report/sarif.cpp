#include "report/sarif.h"

#include <algorithm>

#include <fmt/format.h>

#include "finding/source_place.h"
#include "report/kind_words.h"
#include "report/short_names.h"

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kSchema = "https://json.schemastore.org/sarif-2.1.0.json";

Json text(std::string_view words) { return {{"text", words}}; }

Json rules() {
  Json rules = Json::array();
  for (std::size_t i = 0; i < kFindingKindNames.size(); ++i) {
    const KindWords& words = words_of(static_cast<FindingKind>(i));
    rules.push_back({{"id", kFindingKindNames[i]},
                     {"name", words.title},
                     {"shortDescription", text(words.meaning)},
                     {"help", text(words.cure)}});
  }
  return rules;
}

// Characters that a URI cannot have as they are.
std::string uri_of(std::string_view path) {
  constexpr std::string_view kPlain = "-._~/";
  std::string uri;
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       kPlain.find(c) != std::string_view::npos;
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return path.starts_with('/') ? fmt::format("file://{}", uri) : uri;
}

Json location(const std::string& site, std::string_view message) {
  Json location = Json::object();
  if (const auto place = parse_place(site)) {
    Json region = {{"startLine", place->line}};
    if (place->column > 0) region["startColumn"] = place->column;
    location["physicalLocation"] = {{"artifactLocation", {{"uri", uri_of(place->file)}}},
                                    {"region", region}};
  }
  if (!message.empty()) location["message"] = text(message);
  return location;
}

std::string in_words(const FindingEvent& event) {
  std::string words = fmt::format("{}: {}", event.thread, event.operation);
  if (!event.values.empty()) words += fmt::format(" ({})", event.values);
  return words;
}

Json locations(const Finding& finding) {
  Json locations = Json::array();
  if (!finding.events.empty()) {
    const FindingEvent& last = finding.events.back();
    locations.push_back(location(last.site, in_words(last)));
  }
  return locations;
}

Json related(const Finding& finding) {
  Json related = Json::array();
  for (const FindingEvent& event : finding.events) {
    Json one = location(event.site, in_words(event));
    one["id"] = related.size() + 1;
    related.push_back(std::move(one));
  }
  return related;
}

Json flow_location(const RunStep& step, std::size_t order) {
  const std::string& words = step.values.empty() ? step.operation : step.values;
  return {{"location", location(step.site, words)}, {"executionOrder", order}};
}

Json code_flow(const Run& run) {
  std::vector<Json> flows(run.threads.size(), Json::array());
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    flows[run.steps[i].thread].push_back(flow_location(run.steps[i], i + 1));
  }
  Json thread_flows = Json::array();
  for (std::size_t i = 0; i < flows.size(); ++i) {
    if (flows[i].empty()) continue;
    thread_flows.push_back({{"id", run.threads[i]}, {"locations", flows[i]}});
  }
  return {{"threadFlows", thread_flows}};
}

std::string_view level_of(const Reported& reported) {
  if (!reported.counts) return "note";
  return reported.standing == Standing::confirmed ? "error" : "warning";
}

Json result_of(const Reported& with_long_names) {
  const Reported reported = with_short_names(with_long_names);
  const Finding& finding = reported.finding;
  Json result = {{"ruleId", name_of(finding.kind)},
                 {"ruleIndex", static_cast<std::size_t>(finding.kind)},
                 {"level", level_of(reported)},
                 {"message", text(title_of(finding))},
                 {"locations", locations(finding)}};
  if (finding.events.size() > 1) result["relatedLocations"] = related(finding);
  if (!reported.run.steps.empty()) result["codeFlows"] = Json::array({code_flow(reported.run)});
  result["partialFingerprints"] = {{"heddle/v1", reported.id}};
  result["properties"] = {{"standing", name_of(reported.standing)}};
  return result;
}

}  // namespace

Json sarif_of(std::span<const Reported> findings, std::string_view version) {
  Json results = Json::array();
  for (const Reported& reported : findings) results.push_back(result_of(reported));
  const Json driver = {{"name", "Heddle"}, {"version", version}, {"rules", rules()}};
  const Json run = {
      {"tool", {{"driver", driver}}}, {"columnKind", "unicodeCodePoints"}, {"results", results}};
  return {{"$schema", kSchema}, {"version", "2.1.0"}, {"runs", Json::array({run})}};
}

}  // namespace heddle
