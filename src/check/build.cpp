#include "check/build.h"

#include <algorithm>
#include <filesystem>

#include "base/subprocess.h"
#include "compile/toolchain.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

bool is_c(const std::string& source) { return fs::path(source).extension() == ".c"; }

}  // namespace

bool is_source(const std::string& word) {
  constexpr std::string_view kExtensions[] = {".c", ".cc", ".cpp", ".cxx", ".c++", ".C"};
  const std::string extension = fs::path(word).extension();
  return std::find(std::begin(kExtensions), std::end(kExtensions), extension) !=
         std::end(kExtensions);
}

Result<BuiltProgram> build_program(const std::vector<std::string>& sources,
                                   const std::vector<std::string>& options,
                                   const std::string& folder) {
  for (const std::string& source : sources) {
    if (!fs::is_regular_file(source)) return make_error("{}: no such file", source);
  }
  const bool all_c = std::all_of(sources.begin(), sources.end(), is_c);
  TRY(const std::string wrapper, own_program(all_c ? "heddle-cc" : "heddle-c++"));
  std::error_code problem;
  fs::create_directories(folder, problem);
  if (problem) return make_error("cannot make folder {}: {}", folder, problem.message());
  BuiltProgram built;
  built.path = (fs::path(folder) / fs::path(sources.front()).stem()).string();
  std::vector<std::string> command = {wrapper};
  if (!all_c) command.emplace_back("-std=c++20");
  command.insert(command.end(), {"-O1", "-g"});
  command.insert(command.end(), options.begin(), options.end());
  command.insert(command.end(), sources.begin(), sources.end());
  command.insert(command.end(), {"-pthread", "-o", built.path});
  TRY(const SubprocessResult result, run_subprocess(command));
  built.ok = result.exit_status == 0;
  built.messages = result.output + result.errors;
  return built;
}

}  // namespace heddle
