// Lines of source files, by name and number, read when they are asked for.
//
// The name is one of a finding: as the compiler was given it, relative to the folder it ran
// in. So a file is looked for in a few folders, and one that is not found (the program was
// built elsewhere) has no lines.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heddle {

class SourceLines {
 public:
  explicit SourceLines(std::vector<std::string> folders = {"."}) : folders_(std::move(folders)) {}

  // Numbered from 1.
  std::optional<std::string> line(const std::string& file, std::uint32_t number);

 private:
  const std::vector<std::string>& lines_of(const std::string& file);

  std::vector<std::string> folders_;
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace heddle
