// The command line: the table of commands as a tree that can be parsed and described.
//
// Every command becomes a node with a CLI11 parser of its own. Parsing walks down the
// tree; help texts and shell completion read the same nodes, so they cannot disagree
// with what is accepted.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/command.h"

namespace heddle {

struct CommandNode {
  const Command* command = nullptr;  // null for the root, `heddle` itself
  CLI::App* app = nullptr;
  std::string path;  // "trace info"; empty for the root
  Action action;     // empty for groups
  std::vector<std::unique_ptr<CommandNode>> children;

  const CommandNode* child(std::string_view name) const;
};

class CommandLine {
 public:
  explicit CommandLine(std::span<const Command* const> commands);

  const CommandNode& root() const { return root_; }
  // The command that these words name, or an error that suggests the nearest one.
  Result<const CommandNode*> find(std::span<const std::string> words) const;

  // Parses the words after the program's name, and runs the command that they ask for.
  ExitStatus run(std::span<const std::string> words);

 private:
  const CommandNode& chosen() const;
  ExitStatus act() const;
  ExitStatus print_help() const;
  std::string usage_error(const CLI::ParseError& error) const;

  CLI::App app_;
  CommandNode root_;
};

}  // namespace heddle
