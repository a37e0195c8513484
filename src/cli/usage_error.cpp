#include "cli/usage_error.h"

#include <fmt/format.h>

#include "base/nearest.h"

namespace heddle {
namespace {

std::string suggestion(std::string_view word, const std::vector<std::string>& candidates,
                       std::string_view before = "") {
  constexpr std::size_t kTooShort = 2;  // every option of one letter is near every other
  const auto meant = word.size() > kTooShort ? nearest(word, candidates) : std::nullopt;
  return meant ? fmt::format("; did you mean '{}{}'?", before, *meant) : "";
}

std::vector<std::string> option_names(const CommandNode& node) {
  std::vector<std::string> names;
  for (const CLI::Option* option : node.app->get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

std::vector<std::string> child_names(const CommandNode& node) {
  std::vector<std::string> names;
  for (const auto& child : node.children) names.emplace_back(child->command->name);
  return names;
}

std::string unknown_option(const CommandNode& node, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  const std::string of = node.path.empty() ? "" : fmt::format(" of '{}'", node.path);
  return fmt::format("unknown option '{}'{}{}", name, of, suggestion(name, option_names(node)));
}

std::string unknown_command(const CommandNode& node, const std::string& word) {
  const std::string before = node.path.empty() ? "" : node.path + " ";
  return fmt::format("unknown command '{}{}'{}", before, word,
                     suggestion(word, child_names(node), before));
}

}  // namespace

std::string help_command_for(const CommandNode& node) {
  return node.path.empty() ? "heddle help" : "heddle help " + node.path;
}

bool looks_like_option(std::string_view word) { return word.size() > 1 && word.starts_with('-'); }

std::string unexpected_word(const CommandNode& node, const std::string& word) {
  std::string problem;
  if (looks_like_option(word)) {
    problem = unknown_option(node, word);
  } else if (!node.children.empty()) {
    problem = unknown_command(node, word);
  } else {
    problem = fmt::format("unexpected argument '{}' of '{}'", word, node.path);
  }
  return fmt::format("{}  ({})", problem, help_command_for(node));
}

}  // namespace heddle
