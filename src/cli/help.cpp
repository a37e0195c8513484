// heddle help: the overview, or what one command does.
#include <memory>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/help_text.h"
#include "cli/output.h"

namespace heddle {
namespace {

ExitStatus print_help(const std::vector<std::string>& words) {
  const CommandLine command_line(all_commands());
  const auto node = command_line.find(words);
  if (!node.ok()) return fail(ExitStatus::usage, node.error());
  print("{}", help_text(**node));
  return ExitStatus::ok;
}

Action declare(CLI::App& app) {
  const auto words = std::make_shared<std::vector<std::string>>();
  app.add_option("COMMAND", *words, "the command to explain, such as: doctor");
  return [words] { return print_help(*words); };
}

}  // namespace

constinit const Command kHelpCommand = {
    .name = "help",
    .summary = "print this overview, or the help of one command",
    .help = "",
    .declare = declare,
};

}  // namespace heddle
