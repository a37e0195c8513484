#include "tests/native/programs.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "base/subprocess.h"

namespace heddle {

namespace fs = std::filesystem;

CompiledProgram::CompiledProgram(const std::string& command, const std::string& name,
                                 const std::string& source) {
  std::string folder = testing::TempDir() + "heddle-native-XXXXXX";
  folder_ = ::mkdtemp(folder.data());
  source_ = folder_ / name;
  std::ofstream(source_) << source;
  const std::string line = command + " " + name + " -o program && nm -S -C program";
  const auto result = run_subprocess({"bash", "-c", line}, {.directory = folder_.string()});
  EXPECT_EQ(result->exit_status, 0) << line << "\n" << result->errors;
  std::istringstream lines(result->output);
  for (std::string row; std::getline(lines, row);) {
    std::istringstream words(row);
    Symbol symbol;
    std::string kind, text;
    if (!(words >> std::hex >> symbol.address >> symbol.size >> kind)) continue;
    std::getline(words >> std::ws, text);
    symbols_[text] = symbol;
  }
}

CompiledProgram::~CompiledProgram() { fs::remove_all(folder_); }

Symbol CompiledProgram::symbol(const std::string& name) const {
  const auto found = symbols_.find(name);
  EXPECT_NE(found, symbols_.end()) << name;
  return found != symbols_.end() ? found->second : Symbol();
}

MappedModule CompiledProgram::mapped_at(std::uint64_t base) const {
  return {path(), "", base, base, base + (std::uint64_t{1} << 24)};
}

}  // namespace heddle
