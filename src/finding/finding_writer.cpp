#include <algorithm>

#include "base/output.h"
#include "finding/finding_file.h"

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const FindingEvent& event) {
  Json json = {{"thread", event.thread}, {"site", event.site}, {"operation", event.operation}};
  json["values"] = event.values;
  if (event.step) json["step"] = *event.step;
  if (!event.stack.empty()) json["stack"] = event.stack;
  return json;
}

bool same_run(const ScheduleStep& a, const ScheduleStep& b) {
  return a.operation.empty() && a.choice == 0 && a == b;
}

// Steps of one thread that say nothing else are written as one entry.
Json schedule_json(const Finding& finding) {
  Json schedule = Json::array();
  for (auto step = finding.schedule.begin(); step != finding.schedule.end();) {
    const auto end = std::find_if(step + 1, finding.schedule.end(),
                                  [&](const ScheduleStep& next) { return !same_run(*step, next); });
    Json entry = {{"thread", finding.threads[step->thread]}};
    if (step->choice != 0) entry["choice"] = step->choice;
    if (!step->operation.empty()) entry["operation"] = step->operation;
    if (end - step > 1) entry["steps"] = end - step;
    schedule.push_back(std::move(entry));
    step = end;
  }
  return schedule;
}

Json json_of(const ModelSubject& model) {
  Json definitions = Json::object();
  for (const auto& [name, value] : model.definitions) definitions[name] = value;
  return {{"path", model.path},
          {"xxh3", model.text_hash},
          {"definitions", definitions},
          {"granularity", model.granularity}};
}

Json json_of(const ProgramSubject& program) {
  Json json = {{"command", program.command}, {"build_id", program.build_id}};
  json["threads"] = program.threads;
  if (program.shared) json["shared"] = *program.shared;
  if (program.nondet) json["nondet"] = *program.nondet;
  if (program.prints) json["prints"] = true;
  if (!program.source_folder.empty()) json["source_folder"] = program.source_folder;
  return json;
}

}  // namespace

Json json_of(const Finding& finding) {
  Json json;
  json["heddle_finding"] = kFindingVersion;
  json["kind"] = name_of(finding.kind);
  json["message"] = finding.message;
  json["confirmed"] = finding.confirmed == Confirmation::replay ? "replay" : "no";
  json["found_by"] = finding.found_by;
  if (!finding.id.empty()) json["id"] = finding.id;
  if (const auto* model = std::get_if<ModelSubject>(&finding.subject)) {
    json["model"] = json_of(*model);
  } else {
    json["program"] = json_of(std::get<ProgramSubject>(finding.subject));
  }
  json["events"] = Json::array();
  for (const FindingEvent& event : finding.events) json["events"].push_back(json_of(event));
  json["schedule"] = schedule_json(finding);
  return json;
}

Result<void> write_finding(const std::string& path, const Finding& finding) {
  TRY(const auto output, Output::create(path));
  TRY_VOID(output->write(json_of(finding).dump(2, ' ', false, Json::error_handler_t::replace)));
  TRY_VOID(output->write("\n"));
  return output->close();
}

}  // namespace heddle
