#include "native/module_file.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace heddle {
namespace {

char* debug_path = nullptr;  // elfutils' own default

const Dwfl_Callbacks kCallbacks = {
    .find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = dwfl_standard_find_debuginfo,
    .section_address = dwfl_offline_section_address,
    .debuginfo_path = &debug_path,
};

}  // namespace

Result<ModuleFile> ModuleFile::open(const std::string& path) {
  if (::access(path.c_str(), R_OK) != 0) {
    return make_error("cannot read '{}': {}", path, std::strerror(errno));
  }
  ModuleFile file;
  file.path_ = path;
  file.dwfl_.reset(dwfl_begin(&kCallbacks));
  CHECK(file.dwfl_ != nullptr, "dwfl_begin: {}", dwfl_errmsg(-1));
  dwfl_report_begin(file.dwfl_.get());
  file.module_ = dwfl_report_offline(file.dwfl_.get(), path.c_str(), path.c_str(), -1);
  if (file.module_ == nullptr) {
    return make_error("'{}' is no executable or shared library: {}", path, dwfl_errmsg(-1));
  }
  dwfl_report_end(file.dwfl_.get(), nullptr, nullptr);
  return file;
}

std::string ModuleFile::build_id() const {
  const unsigned char* bits = nullptr;
  GElf_Addr address = 0;
  GElf_Addr bias = 0;
  dwfl_module_getelf(module_, &bias);  // the build id is found on the way
  const int length = dwfl_module_build_id(module_, &bits, &address);
  std::string text;
  for (int i = 0; i < length; ++i) text += fmt::format("{:02x}", bits[i]);
  return text;
}

Result<Dwarf*> ModuleFile::dwarf() const {
  Dwarf_Addr bias = 0;
  Dwarf* const dwarf = dwfl_module_getdwarf(module_, &bias);
  if (dwarf == nullptr) {
    return make_error(
        "'{}' has no debug information, so its lines and names are unknown; compile it with -g "
        "(heddle-c++ does) and do not strip it",
        path_);
  }
  return dwarf;
}

Result<std::string> build_id_of(const std::string& path) {
  TRY(const ModuleFile file, ModuleFile::open(path));
  return file.build_id();
}

}  // namespace heddle
