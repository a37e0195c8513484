#include <algorithm>

#include "base/input.h"
#include "base/printable.h"
#include "finding/finding_file.h"
#include "trace/json_fields.h"

namespace heddle {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxFileSize = std::size_t{1} << 28;
constexpr std::uint64_t kMaxSteps = std::uint64_t{1} << 32;

Result<std::string> needed_string(JsonFields& fields, std::string_view key) {
  if (!fields.has(key)) return make_error("\"{}\" is missing", key);
  return fields.string(key);
}

Result<FindingKind> needed_kind(const std::string& name) {
  if (const auto kind = finding_kind_named(name)) return *kind;
  return make_error("unknown kind {}; known are {}", printable(name),
                    fmt::join(kFindingKindNames, ", "));
}

Result<Confirmation> confirmation_named(const std::string& name) {
  if (name == "replay") return Confirmation::replay;
  if (name == "no") return Confirmation::none;
  return make_error(R"("confirmed" should be "replay" or "no", not {})", printable(name));
}

Result<FindingEvent> event_of(const json& object) {
  JsonFields fields(object);
  FindingEvent event;
  TRY(event.thread, needed_string(fields, "thread"));
  TRY(event.site, needed_string(fields, "site"));
  TRY(event.operation, needed_string(fields, "operation"));
  TRY(event.values, needed_string(fields, "values"));
  TRY(event.step, fields.number<std::uint64_t>("step"));
  if (fields.has("stack")) {
    TRY(event.stack, fields.strings("stack"));
  }
  TRY_VOID(fields.finish());
  return event;
}

Result<void> add_steps(const json& object, Finding& finding) {
  JsonFields fields(object);
  TRY(const std::string thread, needed_string(fields, "thread"));
  TRY(const auto choice, fields.number_or<std::uint32_t>("choice", 0));
  TRY(const std::string operation, fields.string("operation"));
  TRY(const auto steps, fields.number_or<std::uint32_t>("steps", 1));
  TRY_VOID(fields.finish());
  if (finding.schedule.size() + steps > kMaxSteps) {
    return make_error("the schedule has more than {} steps", kMaxSteps);
  }
  for (std::uint32_t i = 0; i < steps; ++i) finding.add_step(thread, choice, operation);
  return {};
}

Result<ModelSubject> model_of(const json& object) {
  JsonFields fields(object);
  ModelSubject model;
  TRY(model.path, needed_string(fields, "path"));
  TRY(model.text_hash, needed_string(fields, "xxh3"));
  TRY(model.granularity, needed_string(fields, "granularity"));
  if (model.granularity != "statement" && model.granularity != "access") {
    return make_error(R"("granularity" should be "statement" or "access", not {})",
                      printable(model.granularity));
  }
  TRY(const json* definitions, fields.object("definitions"));
  JsonFields values(*definitions);
  for (const auto& [name, value] : definitions->items()) {
    TRY(const auto number, values.number<std::int64_t>(name));
    model.definitions.emplace_back(name, *number);
  }
  TRY_VOID(fields.finish());
  return model;
}

Result<ProgramSubject> program_of(const json& object) {
  JsonFields fields(object);
  ProgramSubject program;
  TRY(program.command, fields.strings("command"));
  TRY(program.build_id, needed_string(fields, "build_id"));
  TRY(program.threads, fields.strings("threads"));
  if (fields.has("shared")) {
    TRY(program.shared, fields.string("shared"));
  }
  if (fields.has("nondet")) {
    TRY(program.nondet, fields.string("nondet"));
  }
  TRY(program.prints, fields.flag("prints"));
  TRY(program.source_folder, fields.string("source_folder"));
  TRY_VOID(fields.finish());
  return program;
}

Result<void> read_subject(JsonFields& fields, Finding& finding) {
  if (fields.has("model") == fields.has("program")) {
    return make_error(R"(one of "model" and "program" should be there)");
  }
  if (fields.has("model")) {
    TRY(const json* object, fields.object("model"));
    TRY(finding.subject, model_of(*object));
  } else {
    TRY(const json* object, fields.object("program"));
    TRY(finding.subject, program_of(*object));
  }
  return {};
}

Result<void> check_version(JsonFields& fields) {
  TRY(const auto version, fields.number<std::uint32_t>("heddle_finding"));
  if (!version) return make_error("no finding of Heddle: \"heddle_finding\" is missing");
  if (*version >= 1 && *version <= kFindingVersion) return {};
  return make_error("a finding of version {}; this Heddle reads versions 1 to {}", *version,
                    kFindingVersion);
}

Result<void> read_lists(JsonFields& fields, Finding& finding) {
  TRY(const json* events, fields.objects("events"));
  for (const json& item : *events) {
    TRY(FindingEvent event, event_of(item));
    finding.events.push_back(std::move(event));
  }
  TRY(const json* schedule, fields.objects("schedule"));
  for (const json& item : *schedule) TRY_VOID(add_steps(item, finding));
  return {};
}

Result<std::string> read_text(const std::string& path) {
  TRY(const auto input, Input::open(path));
  std::string text;
  std::vector<char> buffer(1 << 16);
  for (std::size_t got = buffer.size(); got == buffer.size();) {
    TRY(got, input->read(buffer));
    text.append(buffer.data(), got);
    if (text.size() > kMaxFileSize) {
      return make_error("{}: longer than {} bytes; that is no finding", path, kMaxFileSize);
    }
  }
  return text;
}

}  // namespace

Result<Finding> parse_finding(std::string_view text) {
  TRY(const json object, parse_json_line(text));
  JsonFields fields(object);
  TRY_VOID(check_version(fields));
  Finding finding;
  TRY(const std::string kind, needed_string(fields, "kind"));
  TRY(finding.kind, needed_kind(kind));
  TRY(finding.message, needed_string(fields, "message"));
  TRY(const std::string confirmed, needed_string(fields, "confirmed"));
  TRY(finding.confirmed, confirmation_named(confirmed));
  TRY(finding.found_by, needed_string(fields, "found_by"));
  TRY(finding.id, fields.string("id"));
  TRY_VOID(read_subject(fields, finding));
  TRY_VOID(read_lists(fields, finding));
  TRY_VOID(fields.finish());
  return finding;
}

Result<Finding> read_finding(const std::string& path) {
  TRY(const std::string text, read_text(path));
  Result<Finding> finding = parse_finding(text);
  if (!finding.ok()) return make_error("{}: {}", path, finding.error().message);
  return finding;
}

}  // namespace heddle
