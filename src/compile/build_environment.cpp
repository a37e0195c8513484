#include "compile/build_environment.h"

#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace heddle {
namespace {

namespace fs = std::filesystem;

// Replaces the last `from` in a program's name, if there is one.
std::string renamed(const std::string& name, std::string_view from, std::string_view to) {
  const std::size_t at = name.rfind(from);
  if (at == std::string::npos || name.find('/', at) != std::string::npos) return name;
  return fmt::format("{}{}{}", name.substr(0, at), to, name.substr(at + from.size()));
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// Commands may change directory before they compile.
Result<std::string> absolute_lists(const std::vector<std::string>& lists) {
  std::vector<std::string> paths;
  for (const std::string& list : lists) {
    std::error_code error;
    const fs::path path = fs::absolute(list, error);
    if (error || !fs::exists(path, error)) {
      return make_error("cannot read the list '{}'", list);
    }
    if (contains(path.string(), ":")) {
      return make_error("the list '{}' must have no ':' in its path", path.string());
    }
    paths.push_back(path.string());
  }
  return fmt::format("{}", fmt::join(paths, ":"));
}

}  // namespace

std::string c_compiler_of(const std::string& name) {
  return contains(name, "clang++") ? renamed(name, "clang++", "clang")
                                   : renamed(name, "g++", "gcc");
}

std::string cplusplus_compiler_of(const std::string& name) {
  if (contains(name, "++")) return name;
  return contains(name, "clang") ? renamed(name, "clang", "clang++") : renamed(name, "gcc", "g++");
}

Result<std::vector<std::string>> build_environment(const BuildSettings& settings,
                                                   const std::string& folder,
                                                   const std::string& path) {
  std::vector<std::string> environment = {fmt::format("CC={}/heddle-cc", folder),
                                          fmt::format("CXX={}/heddle-c++", folder),
                                          fmt::format("PATH={}:{}", folder, path)};
  if (!settings.compiler.empty()) {
    environment.push_back(fmt::format("HEDDLE_CC={}", c_compiler_of(settings.compiler)));
    environment.push_back(fmt::format("HEDDLE_CXX={}", cplusplus_compiler_of(settings.compiler)));
  }
  if (!settings.ignore_lists.empty()) {
    TRY(const std::string lists, absolute_lists(settings.ignore_lists));
    environment.push_back(fmt::format("HEDDLE_IGNORE={}", lists));
  }
  if (!settings.only_lists.empty()) {
    TRY(const std::string lists, absolute_lists(settings.only_lists));
    environment.push_back(fmt::format("HEDDLE_ONLY={}", lists));
  }
  return environment;
}

}  // namespace heddle
