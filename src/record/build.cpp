#include "record/build.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/subprocess.h"
#include "finding/finding.h"
#include "native/module_file.h"

namespace heddle {
namespace {

std::string path_of(const std::string& program) {
  if (program.find('/') != std::string::npos) return program;
  return find_program(program).value_or(program);
}

std::string hash_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return "xxh3-" + text_hash(bytes);
}

}  // namespace

Result<std::string> build_of(const std::string& program) {
  const std::string path = path_of(program);
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    return make_error("the program '{}' is not there", program);
  }
  const Result<ModuleFile> file = ModuleFile::open(path, false);
  if (file.ok() && !file->build_id().empty()) return file->build_id();
  return hash_of_file(path);
}

}  // namespace heddle
