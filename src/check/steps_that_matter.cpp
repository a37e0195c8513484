#include "check/steps_that_matter.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include <fmt/format.h>

namespace heddle {
namespace {

// "write balance" -> "balance"
std::string_view object_of(std::string_view operation) {
  const std::size_t space = operation.find(' ');
  return space == std::string_view::npos ? std::string_view() : operation.substr(space + 1);
}

std::set<std::string_view> objects_of(const Finding& finding) {
  std::set<std::string_view> objects;
  for (const FindingEvent& event : finding.events) objects.insert(object_of(event.operation));
  return objects;
}

bool is_fork_or_join(std::string_view operation) {
  return operation.starts_with("fork ") || operation.starts_with("join ");
}

bool synchronises(std::string_view operation) {
  return operation.starts_with("acquire ") || operation.starts_with("release ") ||
         operation.starts_with("wait ") || operation.starts_with("wake ");
}

bool notifies(std::string_view operation) { return operation.starts_with("notify"); }

std::string_view verb_of(std::string_view operation) {
  return operation.substr(0, operation.find(' '));
}

bool is_access(std::string_view operation) {
  const std::string_view verb = verb_of(operation);
  return verb == "read" || verb == "write" || verb == "free" || verb.starts_with("atomic");
}

// The last step that does what the event does at its place. In another run the object may have
// another name: memory that was freed has none.
void keep_step_of(const FindingEvent& event, const Run& run, std::vector<bool>& keep) {
  for (std::size_t i = run.steps.size(); i-- > 0;) {
    const RunStep& step = run.steps[i];
    const bool same = event.thread == run.threads[step.thread] && event.site == step.site &&
                      verb_of(event.operation) == verb_of(step.operation);
    if (!same) continue;
    keep[i] = true;
    return;
  }
}

// What several threads access, one of which writes.
std::set<std::string_view> shared_objects(const Run& run) {
  std::map<std::string_view, std::set<std::uint32_t>> threads;
  std::set<std::string_view> written, shared;
  for (const RunStep& step : run.steps) {
    if (!is_access(step.operation)) continue;
    const std::string_view object = object_of(step.operation);
    threads[object].insert(step.thread);
    if (verb_of(step.operation) != "read") written.insert(object);
  }
  for (const auto& [object, who] : threads) {
    if (who.size() > 1 && written.contains(object)) shared.insert(object);
  }
  return shared;
}

bool one_thread_accesses(const Run& run, const std::set<std::string_view>& objects) {
  std::set<std::uint32_t> threads;
  for (const RunStep& step : run.steps) {
    if (objects.contains(object_of(step.operation))) threads.insert(step.thread);
  }
  return threads.size() <= 1;
}

// Where a program crashes is often something that one thread alone has: then what the threads
// share tells how it came to that.
std::set<std::string_view> objects_that_matter(const Run& run, const Finding& finding) {
  std::set<std::string_view> objects = objects_of(finding);
  const bool is_end =
      finding.kind == FindingKind::crash || finding.kind == FindingKind::assertion ||
      finding.kind == FindingKind::exit_status || finding.kind == FindingKind::memory;
  if (is_end && one_thread_accesses(run, objects)) objects.merge(shared_objects(run));
  return objects;
}

// Which steps to keep.
std::vector<bool> chosen(const Run& run, const Finding& finding) {
  const auto objects = objects_that_matter(run, finding);
  std::set<std::string> threads;
  for (const FindingEvent& event : finding.events) threads.insert(event.thread);
  std::vector<bool> keep;
  for (const RunStep& step : run.steps) {
    const bool involved = threads.contains(run.threads[step.thread]);
    keep.push_back(objects.contains(object_of(step.operation)) ||
                   (is_fork_or_join(step.operation) &&
                    threads.contains(std::string(object_of(step.operation)))) ||
                   (involved && synchronises(step.operation)) || notifies(step.operation));
  }
  for (const FindingEvent& event : finding.events) {
    const bool kept = std::any_of(run.steps.begin(), run.steps.end(), [&](const RunStep& step) {
      return object_of(step.operation) == object_of(event.operation) && step.site == event.site;
    });
    if (!kept) keep_step_of(event, run, keep);
  }
  return keep;
}

void keep_last(std::vector<bool>& keep, std::size_t most) {
  std::size_t kept = 0;
  for (std::size_t i = keep.size(); i-- > 0;) {
    if (keep[i] && ++kept > most) keep[i] = false;
  }
}

// What the thread does next, after step `i`; none: nothing that is known.
const std::string* next_operation(const Run& run, std::size_t i, std::uint32_t thread) {
  for (std::size_t k = i; k < run.steps.size(); ++k) {
    if (run.steps[k].thread == thread) return &run.steps[k].operation;
  }
  if (!run.end || run.end->kind == FindingKind::race) return nullptr;
  for (const FindingEvent& event : run.end->events) {
    if (event.thread == run.threads[thread] && !event.step) return &event.operation;
  }
  return nullptr;
}

// Why another thread than before goes on at step `i`.
std::string reason(const Run& run, std::size_t i, std::uint32_t before) {
  const std::string& name = run.threads[before];
  const std::string* next = next_operation(run, i, before);
  if (next == nullptr) return fmt::format("{} has done its part", name);
  if (next->starts_with("join ")) return fmt::format("{} waits for {}", name, object_of(*next));
  if (*next == "end") return fmt::format("{} is about to end", name);
  return fmt::format("{} is held before `{}`", name, *next);
}

// Columns only for threads that do something, as they were born: main.1, main.2, main.10.
void arrange_columns(Run& run) {
  const auto born_before = [](const std::string& a, const std::string& b) {
    return ::strverscmp(a.c_str(), b.c_str()) < 0;
  };
  std::map<std::string, std::uint32_t, decltype(born_before)> columns(born_before);
  for (const RunStep& step : run.steps) columns.emplace(run.threads[step.thread], 0);
  std::vector<std::string> threads;
  for (auto& [name, column] : columns) {
    column = static_cast<std::uint32_t>(threads.size());
    threads.push_back(name);
  }
  for (RunStep& step : run.steps) step.thread = columns.at(run.threads[step.thread]);
  run.threads = std::move(threads);
}

}  // namespace

Run steps_that_matter(const Run& run, const Finding& finding, std::size_t most) {
  std::vector<bool> keep = chosen(run, finding);
  keep_last(keep, most);
  Run few;
  few.threads = run.threads;
  // The two accesses of a race are the last steps.
  if (finding.kind != FindingKind::race) few.end = run.end;
  std::uint32_t before = 0;
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    if (!keep[i]) continue;
    few.steps.push_back(run.steps[i]);
    RunStep& step = few.steps.back();
    step.switch_reason.clear();
    if (few.steps.size() > 1 && step.thread != before) step.switch_reason = reason(run, i, before);
    before = step.thread;
  }
  arrange_columns(few);
  return few;
}

}  // namespace heddle
