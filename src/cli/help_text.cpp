#include "cli/help_text.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace heddle {
namespace {

using Rows = std::vector<std::pair<std::string, std::string>>;

std::string two_columns(std::string_view title, const Rows& rows) {
  if (rows.empty()) return "";
  std::size_t width = 0;
  for (const auto& [left, right] : rows) width = std::max(width, left.size());
  std::string text = fmt::format("\n{}:\n", title);
  for (const auto& [left, right] : rows) {
    text += fmt::format("  {:<{}}  {}\n", left, width, right);
  }
  return text;
}

Rows command_rows(const CommandNode& node) {
  Rows rows;
  for (const auto& child : node.children) {
    rows.emplace_back(child->command->name, child->command->summary);
  }
  return rows;
}

std::vector<const CLI::Option*> positionals(const CommandNode& node) {
  return static_cast<const CLI::App*>(node.app)->get_options(
      [](const CLI::Option* option) { return option->get_positional(); });
}

std::vector<const CLI::Option*> options(const CommandNode& node) {
  return static_cast<const CLI::App*>(node.app)->get_options(
      [](const CLI::Option* option) { return option->nonpositional(); });
}

// "-n, --lines NUMBER": the short names first, then the long ones, then what it takes.
std::string option_names(const CLI::Option& option) {
  std::string text;
  const auto add = [&](const std::string& name) { text += (text.empty() ? "" : ", ") + name; };
  for (const std::string& name : option.get_snames()) add("-" + name);
  for (const std::string& name : option.get_lnames()) add("--" + name);
  if (option.get_items_expected_max() > 0) text += " " + option.get_type_name();
  return text;
}

std::string argument_name(const CLI::Option& option) {
  const bool many = option.get_items_expected_max() > 1;
  const std::string name = option.get_name(true) + (many ? "..." : "");
  return option.get_required() ? name : fmt::format("[{}]", name);
}

std::string usage_of(const CommandNode& node) {
  std::string text = "usage: heddle " + node.path + (node.children.empty() ? "" : " COMMAND");
  if (options(node).size() > 1) text += " [options]";  // more than --help alone
  for (const CLI::Option* option : positionals(node)) text += " " + argument_name(*option);
  return text + "\n";
}

Rows argument_rows(const CommandNode& node) {
  Rows rows;
  for (const CLI::Option* option : positionals(node)) {
    rows.emplace_back(option->get_name(true), option->get_description());
  }
  return rows;
}

Rows option_rows(const CommandNode& node) {
  Rows rows;
  for (const CLI::Option* option : options(node)) {
    rows.emplace_back(option_names(*option), option->get_description());
  }
  std::rotate(rows.begin(), rows.begin() + 1, rows.end());  // --help, declared first, goes last
  return rows;
}

std::string overview(const CommandNode& root) {
  return "heddle: shows what the other interleavings of a multithreaded program can do\n\n"
         "usage: heddle COMMAND [arguments]\n" +
         two_columns("commands", command_rows(root)) + two_columns("options", option_rows(root)) +
         "\n'heddle help COMMAND' tells more about one of them.\n";
}

}  // namespace

std::string help_text(const CommandNode& node) {
  if (node.command == nullptr) return overview(node);
  std::string text = fmt::format("heddle {}: {}\n\n", node.path, node.command->summary);
  text += usage_of(node);
  if (!node.command->help.empty()) text += fmt::format("\n{}\n", node.command->help);
  text += two_columns("commands", command_rows(node));
  text += two_columns("arguments", argument_rows(node));
  text += two_columns("options", option_rows(node));
  return text;
}

}  // namespace heddle
