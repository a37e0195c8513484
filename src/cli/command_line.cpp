#include "cli/command_line.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include <fmt/format.h>

#include "cli/help_text.h"
#include "cli/output.h"
#include "cli/usage_error.h"
#include "cli/version.h"

namespace heddle {
namespace {

void prepare(CLI::App& app) {
  app.set_help_flag("-h,--help", "print this help");
  app.option_defaults()->disable_flag_override();  // no --json=3
}

void add_commands(CommandNode& parent, std::span<const Command* const> commands);

std::unique_ptr<CommandNode> make_node(CommandNode& parent, const Command& command) {
  auto node = std::make_unique<CommandNode>();
  node->command = &command;
  node->path = parent.path.empty() ? std::string(command.name)
                                   : fmt::format("{} {}", parent.path, command.name);
  node->app = parent.app->add_subcommand(std::string(command.name), std::string(command.summary));
  prepare(*node->app);
  if (command.is_group()) {
    add_commands(*node, command.children);
  } else {
    node->action = command.declare(*node->app);
  }
  return node;
}

void add_commands(CommandNode& parent, std::span<const Command* const> commands) {
  parent.app->require_subcommand(0, 1);
  for (const Command* command : commands) parent.children.push_back(make_node(parent, *command));
}

struct Leftover {
  const CommandNode* node;
  std::string word;
};

// A word that some command on the way to the chosen one did not take. Behind an option that nobody
// knows, other words are taken for what they are not, so such an option comes first.
std::optional<Leftover> leftover(const CommandNode& root) {
  std::optional<Leftover> first;
  for (const CommandNode* node = &root; node != nullptr;) {
    for (const std::string& word : node->app->remaining()) {
      if (looks_like_option(word)) return Leftover{node, word};
      if (!first) first = Leftover{node, word};
    }
    const auto parsed = [](const auto& child) { return child->app->parsed(); };
    const auto next = std::find_if(node->children.begin(), node->children.end(), parsed);
    node = next == node->children.end() ? nullptr : next->get();
  }
  return first;
}

// What CLI11 says, as part of one line.
std::string one_line(std::string text) {
  constexpr std::string_view kFlagWithValue = " was given a disallowed flag override";
  if (text.ends_with(kFlagWithValue)) {
    return fmt::format("--{} takes no value", text.substr(0, text.size() - kFlagWithValue.size()));
  }
  std::replace(text.begin(), text.end(), '\n', ' ');
  const bool sentence = text.size() > 1 && std::islower(static_cast<unsigned char>(text[1])) != 0;
  if (sentence) text[0] = static_cast<char>(std::tolower(text[0]));  // but FILE stays as it is
  return text;
}

}  // namespace

const CommandNode* CommandNode::child(std::string_view name) const {
  for (const auto& node : children) {
    if (node->command->name == name) return node.get();
  }
  return nullptr;
}

CommandLine::CommandLine(std::span<const Command* const> commands) : app_("", "heddle") {
  root_.app = &app_;
  prepare(app_);
  app_.set_version_flag("--version", version_text(), "print the version");
  add_commands(root_, commands);
}

Result<const CommandNode*> CommandLine::find(std::span<const std::string> words) const {
  const CommandNode* node = &root_;
  for (const std::string& word : words) {
    const CommandNode* child = node->child(word);
    if (child == nullptr) return Error{unexpected_word(*node, word)};
    node = child;
  }
  return node;
}

ExitStatus CommandLine::run(std::span<const std::string> words) {
  const CommandNode* const first = words.empty() ? nullptr : root_.child(words[0]);
  if (first != nullptr && first->command->take_words != nullptr) {
    return first->command->take_words(words.subspan(1));
  }
  std::vector<std::string> reversed(words.rbegin(), words.rend());  // as CLI11 wants them
  try {
    app_.parse(reversed);
    return act();
  } catch (const CLI::ParseError& error) {
    if (const auto unexpected = leftover(root_)) {
      return fail(ExitStatus::usage, unexpected_word(*unexpected->node, unexpected->word));
    }
    if (error.get_exit_code() != 0) return fail(ExitStatus::usage, usage_error(error));
    if (dynamic_cast<const CLI::CallForVersion*>(&error) == nullptr) return print_help();
    print("{}\n", version_text());
    return ExitStatus::ok;
  }
}

const CommandNode& CommandLine::chosen() const {
  const CommandNode* node = &root_;
  for (const CommandNode* next = node; next != nullptr;) {
    node = next;
    const auto parsed = [](const auto& child) { return child->app->parsed(); };
    const auto found = std::find_if(node->children.begin(), node->children.end(), parsed);
    next = found == node->children.end() ? nullptr : found->get();
  }
  return *node;
}

ExitStatus CommandLine::act() const {
  const CommandNode& node = chosen();
  if (node.action) return node.action();
  if (&node == &root_) return print_help();
  std::string names;
  for (const auto& child : node.children) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", child->command->name);
  }
  return fail(ExitStatus::usage, fmt::format("'{}' needs one of its commands: {}  ({})", node.path,
                                             names, help_command_for(node)));
}

ExitStatus CommandLine::print_help() const {
  print("{}", help_text(chosen()));
  return ExitStatus::ok;
}

std::string CommandLine::usage_error(const CLI::ParseError& error) const {
  const CommandNode& node = chosen();
  return fmt::format("{}: {}  ({})", node.path.empty() ? "heddle" : node.path,
                     one_line(error.what()), help_command_for(node));
}

}  // namespace heddle
