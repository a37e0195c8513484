// heddle completion: shell completion, written by the program itself.
//
// The script is generated from the same nodes that parse the command line, so it knows
// every command and every option. It finds the command that the words so far lead to
// (its path, such as "trace info") and looks up in one table what may follow.
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/output.h"

namespace heddle {
namespace {

constexpr std::string_view kScriptStart =
    R"(# bash completion for heddle, made by: heddle completion bash
# shellcheck shell=bash disable=SC2034

# What may follow command $1; fails if there is no such command.
_heddle_look_up() {
  case "$1" in
)";

constexpr std::string_view kScriptEnd = R"(    *) return 1 ;;
  esac
}

_heddle() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
  local commands options options_with_value path="" words="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ $i == 1 && ${COMP_WORDS[i]} == help ]]; then continue; fi
    if _heddle_look_up "${path:+$path }${COMP_WORDS[i]}"; then
      path=${path:+$path }${COMP_WORDS[i]}
    fi
  done
  _heddle_look_up "$path"
  if [[ " $options_with_value " != *" $previous "* ]]; then
    if [[ $current == -* ]]; then words=$options; else words=$commands; fi
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  if [[ -z $words ]]; then compopt -o default || true; fi  # file names
  return 0
}

complete -F _heddle heddle
)";

std::string join(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

template <typename Wanted>
std::string option_words(const CommandNode& node, Wanted wanted) {
  std::vector<std::string> words;
  for (const CLI::Option* option : node.app->get_options()) {
    if (!wanted(*option)) continue;
    for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
    for (const std::string& name : option->get_snames()) words.push_back("-" + name);
  }
  return join(words);
}

std::string command_words(const CommandNode& node) {
  std::vector<std::string> words;
  for (const auto& child : node.children) words.emplace_back(child->command->name);
  return join(words);
}

// One line of the table for this command, and for each one below it.
void add_rows(const CommandNode& node, std::string& script) {
  const auto any = [](const CLI::Option&) { return true; };
  const auto with_value = [](const CLI::Option& o) { return o.get_items_expected_max() > 0; };
  script +=
      fmt::format("    '{}') commands='{}' options='{}' options_with_value='{}' ;;\n", node.path,
                  command_words(node), option_words(node, any), option_words(node, with_value));
  for (const auto& child : node.children) add_rows(*child, script);
}

ExitStatus print_bash_script() {
  const CommandLine command_line(all_commands());
  std::string script(kScriptStart);
  add_rows(command_line.root(), script);
  script += kScriptEnd;
  print("{}", script);
  return ExitStatus::ok;
}

constexpr Command kBashCommand = {
    .name = "bash",
    .summary = "print a completion script for bash",
    .help =
        "To use it in this shell:    source <(heddle completion bash)\n"
        "To keep it:                 heddle completion bash "
        "> ~/.local/share/bash-completion/completions/heddle",
    .declare = [](CLI::App&) -> Action { return print_bash_script; },
};
constexpr const Command* kShells[] = {&kBashCommand};

}  // namespace

constinit const Command kCompletionCommand = {
    .name = "completion",
    .summary = "print a script that completes heddle's commands and options in your shell",
    .help = "",
    .children = kShells,
};

}  // namespace heddle
