// A folder of its own for building something in, and a look at what was built.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/subprocess.h"

namespace heddle {

// A copy of one of the projects in tests/compile/projects, or an empty folder; gone with
// the object.
class Project {
 public:
  explicit Project(const std::string& name = "");
  ~Project();
  Project(const Project&) = delete;
  Project& operator=(const Project&) = delete;

  const std::filesystem::path& folder() const { return folder_; }
  void write(const std::string& file, const std::string& text) const;

  // Runs a line of bash in the folder, with Heddle's programs in PATH.
  SubprocessResult run(const std::string& line) const;
  // The same, and a failure of the test if it does not succeed.
  std::string build(const std::string& line) const;

  std::vector<std::string> needed_libraries(const std::string& file) const;
  // Symbols that the file uses and does not define.
  std::vector<std::string> undefined_symbols(const std::string& file) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace heddle
