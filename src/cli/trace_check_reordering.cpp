// heddle trace check-reordering: could this sequence of a trace's events have happened too?
#include <charconv>
#include <memory>
#include <vector>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "base/input.h"
#include "cli/output.h"
#include "cli/trace.h"
#include "cli/trace_input.h"
#include "trace/reordering.h"

namespace heddle {
namespace {

struct CheckOptions {
  TraceInput input;
  std::string sequence;
  ReorderingOptions reordering;
  bool json = false;
};

// "3 1 4-6", separated by commas or white space.
Result<void> parse_events(std::string_view text, std::vector<EventId>& sequence) {
  const char* at = text.data();
  const char* end = at + text.size();
  const auto number = [&](std::uint32_t& value) {
    const auto [next, error] = std::from_chars(at, end, value);
    at = next;
    return error == std::errc();
  };
  while (at != end) {
    if (*at == ' ' || *at == ',' || *at == '\t') {
      ++at;
      continue;
    }
    std::uint32_t first = 0;
    if (!number(first))
      return make_error("expected an event number at '{}'", std::string_view(at, end));
    std::uint32_t last = first;
    if (at != end && *at == '-') {
      ++at;
      if (!number(last) || last < first) return make_error("bad range that starts at {}", first);
    }
    if (last >= kMaxEvents) return make_error("no trace has an event {}", last);
    for (std::uint32_t e = first; e <= last; ++e) sequence.emplace_back(e);
  }
  return {};
}

// The argument itself, or the lines of the file of that name; # starts a comment.
Result<std::vector<EventId>> read_sequence(const std::string& argument) {
  std::vector<EventId> sequence;
  if (argument != "-" && ::access(argument.c_str(), F_OK) != 0) {
    const auto parsed = parse_events(argument, sequence);
    if (!parsed.ok()) {
      return make_error("'{}' is neither a file nor a sequence of events: {}", argument,
                        parsed.error().message);
    }
    return sequence;
  }
  TRY(auto input, Input::open(argument));
  LineReader lines(std::move(input));
  std::string_view line;
  for (;;) {
    TRY(const bool more, lines.next(line));
    if (!more) return sequence;
    const auto parsed = parse_events(line.substr(0, line.find('#')), sequence);
    if (!parsed.ok()) {
      return make_error("{}:{}: {}", argument, lines.line_number(), parsed.error().message);
    }
  }
}

void print_for_people(const std::optional<ReorderingViolation>& violation, std::size_t size) {
  if (!violation) {
    print("yes: a reordering of {} events\n", size);
    return;
  }
  print("no: at position {}, event {}: {} (rule {}: {})\n", violation->position,
        violation->event.value(), violation->explanation, name_of(violation->rule),
        info(violation->rule).sentence);
}

void print_json(const std::optional<ReorderingViolation>& violation) {
  nlohmann::ordered_json json;
  json["reordering"] = !violation;
  if (violation) {
    json["position"] = violation->position;
    json["event"] = violation->event.value();
    json["rule"] = name_of(violation->rule);
    json["explanation"] = violation->explanation;
  }
  print("{}\n", json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

ExitStatus run(const CheckOptions& options) {
  auto opened = OpenedTrace::open(options.input);
  if (!opened.ok()) return fail(ExitStatus::bad_input, opened.error());
  const auto trace = opened->collect();
  if (!trace.ok()) return fail(ExitStatus::bad_input, trace.error());
  const auto sequence = read_sequence(options.sequence);
  if (!sequence.ok()) return fail(ExitStatus::bad_input, sequence.error());
  const auto violation = check_reordering(*trace, *sequence, options.reordering);
  options.json ? print_json(violation) : print_for_people(violation, sequence->size());
  return violation ? ExitStatus::found : ExitStatus::ok;
}

Action declare(CLI::App& app) {
  const auto options = std::make_shared<CheckOptions>();
  options->input.declare(app, "TRACE");
  app.add_option("SEQUENCE", options->sequence,
                 "event numbers such as 0,1,4-6, or a file with them; - is standard input")
      ->required();
  app.add_flag("--values", options->reordering.values,
               "a read may see another write of the same value");
  app.add_flag("--last-is-question", options->reordering.last_is_question,
               "the outcome of the last event is free");
  app.add_flag("--json", options->json, "print one JSON object");
  return [options] { return run(*options); };
}

}  // namespace

constinit const Command kTraceCheckReorderingCommand = {
    .name = "check-reordering",
    .summary = "say whether a sequence of a trace's events could have happened too",
    .help =
        "Prints yes, or the first event that breaks a rule, and which. Exit status 0 for yes,\n"
        "42 for no. docs/semantics.md defines what a reordering is.",
    .declare = declare,
};

}  // namespace heddle
