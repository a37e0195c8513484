// heddle check: from source file to proven findings in one command.
#include "check/check.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

#include <unistd.h>

#include "base/output.h"
#include "base/subprocess.h"
#include "check/build.h"
#include "cli/check_report.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/version.h"
#include "finding/output_folder.h"
#include "report/junit.h"
#include "report/sarif.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct CheckCommandOptions {
  std::vector<std::string> words;  // sources, or a program; then its arguments
  std::string arguments;           // stays empty
  std::string flags;
  std::string build;
  std::vector<std::string> suppressions;
  std::string baseline;
  std::string sarif;
  std::string junit;
  bool json = false;
  CheckOptions check;
};

std::vector<std::string> split(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

// One line on standard error that is drawn over, where that is a terminal.
void draw_progress(const std::string& text) {
  if (::isatty(STDERR_FILENO) == 1) fmt::print(stderr, "\r\x1b[Kheddle: {}", text);
}
void erase_progress() {
  if (::isatty(STDERR_FILENO) == 1) fmt::print(stderr, "\r\x1b[K");
}

// Numbers of findings in an earlier report: --json or --sarif.
Result<std::vector<std::string>> read_baseline(const std::string& path) {
  std::ifstream input(path);
  if (!input) return make_error("cannot read {}", path);
  const Json report = Json::parse(input, nullptr, false);
  if (!report.is_object()) return make_error("{}: no report of heddle check", path);
  std::vector<std::string> ids;
  for (const Json& finding : report.value("findings", Json::array())) {
    if (finding.is_object()) ids.push_back(finding.value("id", ""));
  }
  for (const Json& run : report.value("runs", Json::array())) {
    if (!run.is_object()) continue;
    for (const Json& result : run.value("results", Json::array())) {
      const Json prints = result.value("partialFingerprints", Json::object());
      ids.push_back(prints.value("heddle/v1", ""));
    }
  }
  return ids;
}

Result<void> write_file(const std::string& path, const std::string& text) {
  TRY(const auto output, Output::create(path));
  TRY_VOID(output->write(text));
  return output->close();
}

struct Subject {
  std::string name;
  std::vector<std::string> command;
  std::string built;  // the program, where this command made it
};

ExitStatus show_compiler(const BuiltProgram& built) {
  std::fwrite(built.messages.data(), 1, built.messages.size(), stderr);
  return fail(ExitStatus::bad_input, "the sources do not compile");
}

ExitStatus run_build_command(const std::string& build) {
  const auto program = fs::read_symlink("/proc/self/exe").string();
  const auto result = run_subprocess({program, "build", "--", "/bin/sh", "-c", build});
  if (!result.ok()) return fail(ExitStatus::bad_input, result.error());
  if (result->exit_status == 0) return ExitStatus::ok;
  std::fwrite(result->output.data(), 1, result->output.size(), stderr);
  std::fwrite(result->errors.data(), 1, result->errors.size(), stderr);
  return fail(ExitStatus::bad_input,
              fmt::format("'{}' failed with exit status {}", build, result->exit_status));
}

// Finds or makes the program to check.
ExitStatus find_subject(const CheckCommandOptions& options, Subject& subject) {
  const auto& words = options.words;
  const auto first_other = std::find_if_not(words.begin(), words.end(), is_source);
  const std::vector<std::string> sources(words.begin(), first_other);
  if (!options.build.empty()) {
    const ExitStatus status = run_build_command(options.build);
    if (status != ExitStatus::ok) return status;
  }
  subject.command.assign(first_other, words.end());
  if (sources.empty()) {
    if (words.empty()) {
      return fail(ExitStatus::usage, "check: give a source file, or a program after --");
    }
    subject.name = fs::path(words.front()).filename().string();
    if (!fs::exists(words.front()) && !find_program(words.front())) {
      return fail(ExitStatus::bad_input, fmt::format("{}: no such program", words.front()));
    }
    return ExitStatus::ok;
  }
  draw_progress("compiling");
  const auto built = build_program(sources, split(options.flags), options.check.folder);
  erase_progress();
  if (!built.ok()) return fail(ExitStatus::bad_input, built.error());
  if (!built->ok) {
    std::error_code ignored;
    fs::remove(options.check.folder, ignored);  // if it is empty
    return show_compiler(*built);
  }
  subject.name = fmt::format("{}", fmt::join(sources, " "));
  subject.built = built->path;
  subject.command.insert(subject.command.begin(), fs::absolute(built->path).string());
  return ExitStatus::ok;
}

Result<void> write_reports(const CheckCommandOptions& options, const CheckResult& result,
                           const std::string& subject, double seconds) {
  if (!options.sarif.empty()) {
    const Json sarif = sarif_of(result.findings, version_number());
    TRY_VOID(write_file(options.sarif,
                        sarif.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"));
  }
  if (!options.junit.empty()) {
    TRY_VOID(write_file(options.junit, junit_of(result.findings, subject, seconds)));
  }
  return {};
}

// What was made only for the check goes away unless a finding needs it.
void clean_up(const CheckCommandOptions& options, const Subject& subject, bool needed) {
  if (needed || subject.built.empty()) return;
  std::error_code ignored;
  fs::remove(subject.built, ignored);
  fs::remove(options.check.folder, ignored);  // if it is empty
}

ExitStatus check(CheckCommandOptions& options, const Subject& subject) {
  Suppressions suppressions;
  for (const std::string& path : options.suppressions) {
    const auto read = suppressions.read(path);
    if (!read.ok()) return fail(ExitStatus::bad_input, read.error());
  }
  if (!options.baseline.empty()) {
    auto known = read_baseline(options.baseline);
    if (!known.ok()) return fail(ExitStatus::bad_input, known.error());
    options.check.known = *std::move(known);
  }
  options.check.command = subject.command;
  options.check.progress = draw_progress;
  const auto start = std::chrono::steady_clock::now();
  const auto result = check_program(options.check, suppressions);
  erase_progress();
  if (!result.ok()) {
    clean_up(options, subject, false);
    return fail(ExitStatus::bad_input, result.error());
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  clean_up(options, subject, !result->findings.empty());
  const auto written = write_reports(options, *result, subject.name, seconds);
  if (!written.ok()) return fail(ExitStatus::output_failed, written.error());
  if (options.json) {
    print("{}\n", json_of(*result).dump(2, ' ', false, Json::error_handler_t::replace));
  } else {
    print_text(
        check_in_words(*result, suppressions, subject.name, {terminal_width(), colour_wanted()}));
  }
  return result->anything_found() ? ExitStatus::found : ExitStatus::ok;
}

ExitStatus run(CheckCommandOptions& options) {
  const auto usable = check_output_folder(options.check.folder);
  if (!usable.ok()) return fail(ExitStatus::output_failed, usable.error());
  Subject subject;
  const ExitStatus status = find_subject(options, subject);
  return status == ExitStatus::ok ? check(options, subject) : status;
}

Action declare(CLI::App& app) {
  const auto options = std::make_shared<CheckCommandOptions>();
  app.add_option("SUBJECT", options->words,
                 "source files, or after -- a program built with heddle-c++");
  // All words end up in SUBJECT; without a second one CLI11 would take a "--" that follows an
  // option for the end of this command.
  app.add_option("ARGUMENTS", options->arguments, "of the program, after --");
  app.add_option("--flags", options->flags, "options for the compiler, such as \"-Iinclude\"")
      ->type_name("WORDS");
  app.add_option("--build", options->build,
                 "a command to run first, with Heddle's wrappers as its compilers")
      ->type_name("COMMAND");
  app.add_option("--time", options->check.seconds, "seconds that the check may take (default 60)")
      ->check(CLI::PositiveNumber);
  app.add_option("--runs", options->check.runs, "runs to record (default 40)")
      ->check(CLI::PositiveNumber);
  app.add_option("--executions", options->check.executions,
                 "interleavings to search where nothing was found (default 20000)");
  app.add_option("--seed", options->check.seed, "seed of the first run (default 1)");
  app.add_flag("--deterministic{*}", options->check.deterministic,
               "reads that can see another write count as found; with =NAME those of a variable or "
               "in a function")
      ->disable_flag_override(false);
  app.add_option("--atomic", options->check.predict.atomic_functions,
                 "a function whose calls have to be atomic; may be given several times")
      ->type_name("FUNCTION")
      ->allow_extra_args(false);
  app.add_option("--suppressions", options->suppressions,
                 "findings to leave out, in the format of the thread sanitizer; may be repeated")
      ->type_name("FILE")
      ->allow_extra_args(false);
  app.add_option("--baseline", options->baseline,
                 "an earlier report (--json or --sarif): only what is new is reported")
      ->type_name("FILE");
  app.add_option("--out", options->check.folder, "the folder for findings (default heddle-out)")
      ->type_name("DIR");
  app.add_option("--sarif", options->sarif, "write a SARIF 2.1.0 file, too")->type_name("FILE");
  app.add_option("--junit", options->junit, "write a JUnit file, too")->type_name("FILE");
  app.add_flag("--json", options->json, "print one JSON object");
  return [options] { return run(*options); };
}

}  // namespace

constinit const Command kCheckCommand = {
    .name = "check",
    .summary = "from source files or a program to findings that were seen to happen",
    .help =
        "Compiles the sources with heddle-c++, records some runs with different seeds, predicts\n"
        "from them what else could have happened, searches where nothing was found, and replays\n"
        "every finding on the program:\n"
        "\n"
        "  heddle check bank.cpp                  heddle check bank.cpp queue.cpp -- 3 4\n"
        "  heddle check -- ./build/bank_test      heddle check --build \"make\" -- ./bank\n"
        "\n"
        "Races, deadlocks, failed assertions, crashes and exit statuses other than 0 count as\n"
        "found. Each has a file in heddle-out for `heddle replay`. The same program and seed give\n"
        "the same report.\n"
        "\n"
        "Exit status: 0 nothing found, 42 something found and confirmed, 64 wrong usage, 65 the\n"
        "sources do not compile or the program cannot be run, 74 a report could not be written.",
    .declare = declare,
};

}  // namespace heddle
