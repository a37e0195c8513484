// heddle build: runs a build command in which CC and CXX are Heddle's wrappers.
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/subprocess.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "compile/build_environment.h"
#include "compile/toolchain.h"

namespace heddle {
namespace {

struct BuildOptions {
  BuildSettings settings;
  std::vector<std::string> command;
};

Result<std::vector<std::string>> environment_for(const BuildSettings& settings) {
  TRY(const std::string wrapper, own_program("heddle-c++"));
  const char* const path = std::getenv("PATH");
  return build_environment(settings, std::filesystem::path(wrapper).parent_path().string(),
                           path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin");
}

ExitStatus run_build(const BuildOptions& options) {
  const auto environment = environment_for(options.settings);
  if (!environment.ok()) return fail(ExitStatus::cannot_run, environment.error());
  return fail(ExitStatus::cannot_run, become_program(options.command, *environment));
}

Action declare(CLI::App& app) {
  const auto options = std::make_shared<BuildOptions>();
  app.add_option("--compiler", options->settings.compiler,
                 "the compiler to use, such as gcc; default: clang")
      ->type_name("NAME");
  app.add_option("--ignore", options->settings.ignore_lists,
                 "do not instrument the files and functions in this list; may be repeated")
      ->type_name("FILE")
      ->allow_extra_args(false);  // or it would take the "--" that follows
  app.add_option("--only", options->settings.only_lists,
                 "instrument only the files in this list; may be repeated")
      ->type_name("FILE")
      ->allow_extra_args(false);
  app.add_option("COMMAND", options->command, "the build command and its arguments, after --")
      ->required();
  return [options] { return run_build(*options); };
}

}  // namespace

constinit const Command kBuildCommand = {
    .name = "build",
    .summary = "run a build command with Heddle's wrappers as its compilers",
    .help =
        "Sets CC and CXX for the command, which make's own rules, CMake, autotools and Meson\n"
        "read when a project is configured, and puts the wrappers into PATH:\n"
        "\n"
        "  heddle build -- make                    heddle build -- make CC=heddle-cc\n"
        "  heddle build -- cmake -B build-heddle   heddle build -- ./configure\n"
        "\n"
        "The second form is for a Makefile that sets CC itself. Exit status: the command's\n"
        "own; 125 if it could not be started. See docs/compiling.md.",
    .declare = declare,
};

}  // namespace heddle
