// A subcommand: its name, its help, its options, and what it does.
//
// Each subcommand is one file that defines one Command, and one line in commands.cpp.
// A command either declares options and acts, or is a group of further commands
// (`heddle trace info`), never both.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/exit_status.h"

namespace heddle {

// What runs once the command line is understood. It owns the parsed options.
using Action = std::function<ExitStatus()>;

struct Command {
  std::string_view name;
  std::string_view summary;  // one line, without a full stop
  std::string_view help;     // paragraphs below the usage line; may be empty

  // Declares the options on `app` and returns the action that will use them; null for a
  // group. Whether an input file exists is for the action to say (exit status 65), so
  // leave CLI::ExistingFile and its like alone.
  Action (*declare)(CLI::App& app) = nullptr;
  std::span<const Command* const> children = {};
  // For a command that stands in for another program and leaves its words alone, even
  // --help; what it declares is for the help text and completion only.
  ExitStatus (*take_words)(std::span<const std::string> words) = nullptr;

  bool is_group() const { return declare == nullptr; }
};

}  // namespace heddle
