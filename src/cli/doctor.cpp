// heddle doctor: what of this machine works for Heddle, what does not, and what to do.
#include "cli/doctor.h"

#include <algorithm>
#include <memory>

#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/version.h"

namespace heddle {
namespace {

struct DoctorOptions {
  bool json = false;
};

Checks all_checks() {
  Checks checks;
  for (const auto make :
       {check_runtime, check_compilers, check_debugger, check_kernel, check_libraries}) {
    Checks more = make();
    std::move(more.begin(), more.end(), std::back_inserter(checks));
  }
  return checks;
}

std::ptrdiff_t count(const Checks& checks, Verdict verdict) {
  return std::count_if(checks.begin(), checks.end(),
                       [=](const Check& check) { return check.verdict == verdict; });
}

Colour colour_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::ok: return Colour::green;
    case Verdict::warn: return Colour::yellow;
    case Verdict::fail: return Colour::red;
  }
  return Colour::none;
}

void print_check(const Check& check) {
  const std::string verdict = fmt::format("{:<4}", name_of(check.verdict));
  print("{}  {}: {}\n", coloured(colour_of(check.verdict), verdict), check.what, check.found);
  if (!check.remedy.empty()) print("      remedy: {}\n", check.remedy);
}

void print_for_people(const Checks& checks) {
  for (const Check& check : checks) print_check(check);
  print("\n{} ok, {} to look at, {} failed\n", count(checks, Verdict::ok),
        count(checks, Verdict::warn), count(checks, Verdict::fail));
}

void print_json(const Checks& checks) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Check& check : checks) {
    list.push_back({{"what", check.what},
                    {"verdict", name_of(check.verdict)},
                    {"found", check.found},
                    {"remedy", check.remedy}});
  }
  const nlohmann::ordered_json report = {
      {"version", version_number()}, {"ok", count(checks, Verdict::fail) == 0}, {"checks", list}};
  const auto replace = nlohmann::ordered_json::error_handler_t::replace;  // what is not UTF-8
  print("{}\n", report.dump(2, ' ', false, replace));
}

ExitStatus run_doctor(const DoctorOptions& options) {
  const Checks checks = all_checks();
  if (options.json) {
    print_json(checks);
  } else {
    print_for_people(checks);
  }
  return count(checks, Verdict::fail) == 0 ? ExitStatus::ok : ExitStatus::unavailable;
}

Action declare(CLI::App& app) {
  const auto options = std::make_shared<DoctorOptions>();
  app.add_flag("--json", options->json, "print one JSON object");
  return [options] { return run_doctor(*options); };
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::ok: return "ok";
    case Verdict::warn: return "warn";
    case Verdict::fail: return "fail";
  }
  return "";
}

constinit const Command kDoctorCommand = {
    .name = "doctor",
    .summary = "check what of this machine works for Heddle, and what does not",
    .help =
        "Tries the compilers and their instrumentation, the debugger, and what the kernel\n"
        "allows, and lists the libraries in use. What is not all right comes with a remedy.\n"
        "\n"
        "Each line starts with 'ok', 'warn' (Heddle works, with something missing) or 'fail'\n"
        "(a part of Heddle cannot work). Exit status: 0 if nothing failed, 69 otherwise.",
    .declare = declare,
};

}  // namespace heddle
