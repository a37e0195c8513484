#include "cli/run_json.h"

namespace heddle {

using Json = nlohmann::ordered_json;

Json steps_json(const Run& run) {
  Json steps = Json::array();
  for (const RunStep& step : run.steps) {
    Json entry = {{"thread", run.threads[step.thread]},
                  {"site", step.site},
                  {"operation", step.operation},
                  {"values", step.values}};
    if (!step.switch_reason.empty()) entry["switch"] = step.switch_reason;
    steps.push_back(std::move(entry));
  }
  return steps;
}

Json json_of(const Divergence& divergence) {
  return {{"step", divergence.step}, {"expected", divergence.expected}, {"came", divergence.came}};
}

}  // namespace heddle
