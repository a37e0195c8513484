#include "finding/source_lines.h"

#include <filesystem>
#include <fstream>

namespace heddle {
namespace {

std::vector<std::string> read_lines(const std::filesystem::path& path) {
  std::vector<std::string> lines;
  std::ifstream input(path);
  for (std::string line; std::getline(input, line);) {
    if (line.ends_with('\r')) line.pop_back();
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace

std::optional<std::string> SourceLines::line(const std::string& file, std::uint32_t number) {
  const auto& lines = lines_of(file);
  if (number == 0 || number > lines.size()) return std::nullopt;
  return lines[number - 1];
}

const std::vector<std::string>& SourceLines::lines_of(const std::string& file) {
  const auto known = files_.find(file);
  if (known != files_.end()) return known->second;
  std::vector<std::string>& lines = files_[file];
  for (const std::string& folder : folders_) {
    const auto path = std::filesystem::path(folder) / file;
    std::error_code problem;
    if (!std::filesystem::is_regular_file(path, problem)) continue;
    lines = read_lines(path);
    break;
  }
  return lines;
}

}  // namespace heddle
