// heddle trace show: events in columns, one per thread.
#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/nearest.h"
#include "cli/output.h"
#include "cli/trace.h"
#include "cli/trace_input.h"
#include "report/columns.h"

namespace heddle {
namespace {

struct ShowOptions {
  TraceInput input;
  std::uint64_t from = 0;
  std::optional<std::uint64_t> to;
  std::vector<std::string> threads;
  std::vector<std::string> objects;
  std::optional<std::size_t> width;
  bool stacks = false;
  bool json = false;
};

std::string object_name(const Trace& trace, EventId e) {
  const ObjectType type = object_type(trace.kind(e));
  return type == ObjectType::none ? std::string() : trace.tables.describe(type, trace.object(e));
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_wanted(const Trace& trace, EventId e, const ShowOptions& options) {
  if (!options.threads.empty() &&
      !contains(options.threads, trace.tables.describe(trace.thread(e)))) {
    return false;
  }
  if (options.objects.empty() || contains(options.objects, object_name(trace, e))) return true;
  if (trace.kind(e) != EventKind::wait) return false;
  const std::uint32_t lock = trace.lock_of_wait(e).value();
  return contains(options.objects, trace.tables.describe(ObjectType::lock, lock));
}

// Names that nothing in the trace has are a slip of the user's, not an empty answer.
Result<void> check_names(const std::vector<std::string>& asked,
                         const std::vector<std::string>& known, std::string_view what) {
  for (const std::string& name : asked) {
    if (contains(known, name)) continue;
    const auto suggestion = nearest(name, known);
    return make_error("the trace has no {} '{}'{}", what, name,
                      suggestion ? fmt::format("; did you mean '{}'?", *suggestion) : "");
  }
  return {};
}

Result<void> check_names(const Trace& trace, const ShowOptions& options) {
  std::vector<std::string> threads;
  std::vector<std::string> objects;
  for (std::size_t i = 1; i < kObjectTypeCount; ++i) {
    const auto type = static_cast<ObjectType>(i);
    for (std::uint32_t id = 0; id < trace.tables.object_count(type); ++id) {
      objects.push_back(trace.tables.describe(type, id));
      if (type == ObjectType::thread) threads.push_back(objects.back());
    }
  }
  TRY_VOID(check_names(options.threads, threads, "thread"));
  return check_names(options.objects, objects, "object");
}

std::vector<EventId> select(const Trace& trace, const ShowOptions& options) {
  std::vector<EventId> selected;
  for (EventId e : trace.events()) {
    const bool in_range = e.value() >= options.from && (!options.to || e.value() <= *options.to);
    if (in_range && is_wanted(trace, e, options)) selected.push_back(e);
  }
  return selected;
}

void print_columns(const Trace& trace, const std::vector<EventId>& events,
                   const ShowOptions& options) {
  const std::size_t width = options.width.value_or(terminal_width());
  const Columns columns(trace, events, {.width = width, .colour = colour_wanted()});
  print("{}\n", columns.header());
  for (EventId e : events) {
    print("{}\n", columns.line(e));
    if (!options.stacks) continue;
    for (const std::string& line : stack_of(trace, e)) print("      at {}\n", line);
  }
}

void print_json(const Trace& trace, const std::vector<EventId>& events) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (EventId e : events) {
    nlohmann::ordered_json event;
    event["index"] = e.value();
    event["thread"] = trace.tables.describe(trace.thread(e));
    event["kind"] = name_of(trace.kind(e));
    if (const std::string object = object_name(trace, e); !object.empty()) event["object"] = object;
    if (const auto value = trace.value(e)) event["value"] = *value;
    if (trace.site(e).valid()) event["site"] = trace.tables.describe(trace.site(e));
    if (const auto stack = stack_of(trace, e); !stack.empty()) event["stack"] = stack;
    event["text"] = describe(trace, e);
    list.push_back(std::move(event));
  }
  const nlohmann::ordered_json json = {{"events", std::move(list)}};
  print("{}\n", json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

ExitStatus run(const ShowOptions& options) {
  auto opened = OpenedTrace::open(options.input);
  if (!opened.ok()) return fail(ExitStatus::bad_input, opened.error());
  const auto trace = opened->collect();
  if (!trace.ok()) return fail(ExitStatus::bad_input, trace.error());
  if (const auto names = check_names(*trace, options); !names.ok()) {
    return fail(ExitStatus::usage, names.error());
  }
  const std::vector<EventId> events = select(*trace, options);
  if (options.json) {
    print_json(*trace, events);
  } else {
    print_columns(*trace, events, options);
  }
  return ExitStatus::ok;
}

Action declare(CLI::App& app) {
  const auto options = std::make_shared<ShowOptions>();
  options->input.declare(app);
  app.add_option("--from", options->from, "first event to show, counted from 0");
  app.add_option("--to", options->to, "last event to show");
  app.add_option("--thread", options->threads, "only events of this thread; may be repeated")
      ->allow_extra_args(false);
  app.add_option("--object", options->objects,
                 "only events about this variable, lock, ...; may be repeated")
      ->allow_extra_args(false);
  app.add_option("--width", options->width, "width of a line (default: the terminal's, or 100)");
  app.add_flag("--stacks", options->stacks, "below each event the calls that led to it");
  app.add_flag("--json", options->json, "print one JSON object");
  return [options] { return run(*options); };
}

}  // namespace

constinit const Command kTraceShowCommand = {
    .name = "show",
    .summary = "print events in columns, one per thread",
    .help = "",
    .declare = declare,
};

}  // namespace heddle
