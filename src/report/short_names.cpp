#include "report/short_names.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace heddle {
namespace {

// "write total in main" -> "total in main"
std::string object_of(std::string_view operation) {
  const std::size_t space = operation.find(' ');
  return std::string(space == std::string_view::npos ? "" : operation.substr(space + 1));
}

std::set<std::string> objects_of(const Finding& finding, const Run& run) {
  std::set<std::string> objects;
  for (const FindingEvent& event : finding.events) objects.insert(object_of(event.operation));
  for (const RunStep& step : run.steps) objects.insert(object_of(step.operation));
  objects.erase("");
  return objects;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

// "heap block #1 of main, allocated at bank.cpp:8" -> "heap block #1 of main (from bank.cpp:8)"
void put_origin_in_brackets(std::string& name) {
  constexpr std::string_view kOrigin = ", allocated at ";
  const std::size_t at = name.find(kOrigin);
  if (at == std::string::npos) return;
  const std::size_t end = std::min(name.find(' ', at + kOrigin.size()), name.size());
  name.insert(end, ")");
  name.replace(at, kOrigin.size(), " (from ");
}

std::string shortened(std::string name) {
  replace_all(name, "(anonymous namespace)::", "");
  put_origin_in_brackets(name);
  const std::size_t function = name.find(" in ");
  return function == std::string::npos ? name : name.substr(0, function);
}

}  // namespace

ShortNames::ShortNames(const Finding& finding, const Run& run) {
  std::map<std::string, std::vector<std::string>> by_short_name;
  for (const std::string& name : objects_of(finding, run)) {
    by_short_name[shortened(name)].push_back(name);
  }
  for (const auto& [brief, names] : by_short_name) {
    if (names.size() == 1 && names.front() != brief) {
      replacements_.emplace_back(names.front(), brief);
    }
  }
  std::sort(replacements_.begin(), replacements_.end(), [](const auto& a, const auto& b) {
    return std::pair(b.first.size(), a.first) < std::pair(a.first.size(), b.first);
  });
}

std::string ShortNames::in(std::string text) const {
  for (const auto& [name, brief] : replacements_) replace_all(text, name, brief);
  return text;
}

Run ShortNames::in(Run run) const {
  for (RunStep& step : run.steps) {
    step.operation = in(std::move(step.operation));
    step.values = in(std::move(step.values));
    step.switch_reason = in(std::move(step.switch_reason));
  }
  if (!run.end) return run;
  run.end->message = in(std::move(run.end->message));
  for (FindingEvent& event : run.end->events) {
    event.operation = in(std::move(event.operation));
    event.values = in(std::move(event.values));
  }
  return run;
}

Reported with_short_names(Reported reported) {
  const ShortNames names(reported.finding, reported.run);
  reported.run = names.in(std::move(reported.run));
  reported.finding.message = names.in(std::move(reported.finding.message));
  for (FindingEvent& event : reported.finding.events) {
    event.operation = names.in(std::move(event.operation));
    event.values = names.in(std::move(event.values));
  }
  return reported;
}

}  // namespace heddle
