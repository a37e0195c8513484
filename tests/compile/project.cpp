#include "tests/compile/project.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

namespace heddle {

namespace fs = std::filesystem;

Project::Project(const std::string& name) {
  std::string folder = testing::TempDir() + "heddle-project-XXXXXX";
  folder_ = ::mkdtemp(folder.data());
  if (!name.empty()) {
    fs::copy(fs::path(HEDDLE_PROJECTS) / name, folder_, fs::copy_options::recursive);
  }
}

Project::~Project() { fs::remove_all(folder_); }

void Project::write(const std::string& file, const std::string& text) const {
  std::ofstream(folder_ / file) << text;
}

SubprocessResult Project::run(const std::string& line) const {
  const std::string setup = "export PATH=" HEDDLE_BIN
                            ":$PATH; unset CC CXX HEDDLE_CC HEDDLE_CXX HEDDLE_IGNORE HEDDLE_ONLY "
                            "CMAKE_CXX_COMPILER_LAUNCHER "
                            "CMAKE_C_COMPILER_LAUNCHER MAKEFLAGS; ";
  return run_subprocess({"bash", "-c", setup + line}, {.directory = folder_.string()}).value();
}

std::string Project::build(const std::string& line) const {
  const SubprocessResult result = run(line);
  EXPECT_EQ(result.exit_status, 0) << line << "\n" << result.output << result.errors;
  return result.output;
}

std::vector<std::string> Project::needed_libraries(const std::string& file) const {
  std::istringstream lines(build("objdump -p " + file + " | sed -n 's/^ *NEEDED *//p'"));
  std::vector<std::string> names;
  for (std::string name; std::getline(lines, name);) names.push_back(name);
  return names;
}

std::vector<std::string> Project::undefined_symbols(const std::string& file) const {
  std::istringstream lines(build("nm --undefined-only -P " + file + " | cut -d' ' -f1"));
  std::vector<std::string> names;
  for (std::string name; std::getline(lines, name);) names.push_back(name);
  return names;
}

}  // namespace heddle
