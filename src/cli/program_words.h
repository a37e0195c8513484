// Whether the words of a command are a model, or a program with its arguments.
#pragma once

#include <array>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

inline bool is_executable(const std::string& path) {
  std::array<char, 4> start{};
  std::ifstream file(path, std::ios::binary);
  file.read(start.data(), start.size());
  return std::string_view(start.data(), start.size()) ==
         "\x7f"
         "ELF";
}

inline bool is_program(const std::vector<std::string>& words) {
  return words.size() > 1 || is_executable(words[0]);
}

}  // namespace heddle
