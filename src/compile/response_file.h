// Response files: "@file" on a compiler's command line stands for the words in that file.
//
// Quoting follows GNU's libiberty, as GCC, Clang and the linkers do: blanks separate words,
// single and double quotes keep them together, a backslash takes the next character as it
// is. A file may name further ones. A file that cannot be read is a word like any other,
// which is also what the compilers make of it.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace heddle {

// One word after all response files have been opened.
struct Argument {
  std::string text;
  std::size_t origin = 0;  // index of the word on the command line that it came from

  friend bool operator==(const Argument&, const Argument&) = default;
};

// Gives a file's content, or nothing if it cannot be read.
using FileReader = std::function<std::optional<std::string>(const std::string& path)>;
std::optional<std::string> read_whole_file(const std::string& path);

std::vector<std::string> split_response_file(std::string_view text);
Result<std::vector<Argument>> open_response_files(std::span<const std::string> words,
                                                  const FileReader& read);

}  // namespace heddle
