// heddle trace validate: which events break which rule of a well-formed trace.
#include <memory>

#include <nlohmann/json.hpp>

#include "cli/output.h"
#include "cli/trace.h"
#include "trace/open.h"
#include "trace/validate.h"

namespace heddle {
namespace {

struct ValidateOptions {
  std::string path;
  std::size_t at_most = 20;
  bool json = false;
};

void print_for_people(const Validation& validation) {
  for (const Violation& violation : validation.first) {
    print("{}: {} (rule {})\n", violation.where, violation.offence.explanation,
          name_of(violation.offence.rule));
  }
  if (validation.total > validation.first.size()) {
    print("... and {} more\n", validation.total - validation.first.size());
  }
  if (validation.total == 0) {
    print("well-formed: {} events\n", validation.events);
  } else {
    print(
        "not well-formed: {} of {} events break a rule; --repair of the other commands can mend "
        "them\n",
        validation.total, validation.events);
  }
}

void print_json(const Validation& validation, const std::optional<Damage>& damage) {
  nlohmann::ordered_json json;
  json["well_formed"] = validation.total == 0;
  json["events"] = validation.events;
  json["offences"] = validation.total;
  json["first"] = nlohmann::ordered_json::array();
  for (const Violation& violation : validation.first) {
    json["first"].push_back({{"where", violation.where},
                             {"event", violation.event},
                             {"rule", name_of(violation.offence.rule)},
                             {"explanation", violation.offence.explanation}});
  }
  if (damage) json["damage"] = damage->message;
  print("{}\n", json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

ExitStatus run(const ValidateOptions& options) {
  auto source = open_trace(options.path);
  if (!source.ok()) return fail(ExitStatus::bad_input, source.error());
  const auto validation = validate(**source, options.at_most);
  if (!validation.ok()) return fail(ExitStatus::bad_input, validation.error());
  const auto& damage = (*source)->damage();
  if (damage) warn(damage->message);
  options.json ? print_json(*validation, damage) : print_for_people(*validation);
  return validation->total == 0 && !damage ? ExitStatus::ok : ExitStatus::bad_input;
}

Action declare(CLI::App& app) {
  const auto options = std::make_shared<ValidateOptions>();
  app.add_option("FILE", options->path, "a trace; - is standard input")->required();
  app.add_option("--at-most", options->at_most, "how many offences to list (default 20)");
  app.add_flag("--json", options->json, "print one JSON object");
  return [options] { return run(*options); };
}

}  // namespace

constinit const Command kTraceValidateCommand = {
    .name = "validate",
    .summary = "say which events break which rule",
    .help =
        "Exit status 0 if the trace is well-formed and whole, 65 if not. The rules are in\n"
        "docs/well-formed.md.",
    .declare = declare,
};

}  // namespace heddle
