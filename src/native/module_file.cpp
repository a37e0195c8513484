#include "native/module_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "native/dwarf_entry.h"

namespace heddle {
namespace {

char* debug_path = nullptr;  // elfutils' own default

const Dwfl_Callbacks kCallbacks = {
    .find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = dwfl_standard_find_debuginfo,
    .section_address = dwfl_offline_section_address,
    .debuginfo_path = &debug_path,
};

int find_nothing(Dwfl_Module*, void**, const char*, Dwarf_Addr, const char*, const char*, GElf_Word,
                 char**) {
  return -1;
}

const Dwfl_Callbacks kWithoutSeparateFiles = {
    .find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = find_nothing,
    .section_address = dwfl_offline_section_address,
    .debuginfo_path = &debug_path,
};

// The entries of the dynamic section that lies there, until one is what is looked for.
template <typename Matches>
bool any_dynamic_entry(Elf_Scn* section, Matches matches) {
  GElf_Shdr header;
  if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_DYNAMIC) return false;
  Elf_Data* const data = elf_getdata(section, nullptr);
  GElf_Dyn entry;
  for (int i = 0; data != nullptr && gelf_getdyn(data, i, &entry) != nullptr; ++i) {
    if (matches(entry, header.sh_link)) return true;
    if (entry.d_tag == DT_NULL) return false;
  }
  return false;
}

}  // namespace

Result<ModuleFile> ModuleFile::open(const std::string& path, bool separate_files) {
  if (::access(path.c_str(), R_OK) != 0) {
    return make_error("cannot read '{}': {}", path, std::strerror(errno));
  }
  ModuleFile file;
  file.path_ = path;
  file.dwfl_.reset(dwfl_begin(separate_files ? &kCallbacks : &kWithoutSeparateFiles));
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

Dwarf_CFI* ModuleFile::call_frames() const {
  Dwarf_Addr bias = 0;
  Dwarf_CFI* const of_exceptions = dwfl_module_eh_cfi(module_, &bias);
  return of_exceptions != nullptr ? of_exceptions : dwfl_module_dwarf_cfi(module_, &bias);
}

std::uint64_t ModuleFile::lowest_address() const {
  GElf_Addr bias = 0;
  Elf* const elf = dwfl_module_getelf(module_, &bias);
  std::size_t count = 0;
  std::uint64_t lowest = ~std::uint64_t{0};
  if (elf == nullptr || elf_getphdrnum(elf, &count) != 0) return 0;
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr header;
    if (gelf_getphdr(elf, static_cast<int>(i), &header) == nullptr) continue;
    if (header.p_type == PT_LOAD) lowest = std::min<std::uint64_t>(lowest, header.p_vaddr);
  }
  return lowest == ~std::uint64_t{0} ? 0 : lowest;
}

bool ModuleFile::needs_library(std::string_view name) const {
  GElf_Addr bias = 0;
  Elf* const elf = dwfl_module_getelf(module_, &bias);
  const auto is_it = [&](const GElf_Dyn& entry, std::size_t strings) {
    const char* const text =
        entry.d_tag == DT_NEEDED ? elf_strptr(elf, strings, entry.d_un.d_val) : nullptr;
    return text != nullptr && text == name;
  };
  for (Elf_Scn* section = nullptr; elf != nullptr;) {
    section = elf_nextscn(elf, section);
    if (section == nullptr) return false;
    if (any_dynamic_entry(section, is_it)) return true;
  }
  return false;
}

std::optional<LinkedName> ModuleFile::symbol_at(std::uint64_t address) const {
  GElf_Addr bias = 0;
  if (dwfl_module_getelf(module_, &bias) == nullptr) return std::nullopt;
  GElf_Off offset = 0;
  GElf_Sym symbol;
  const char* const name =
      dwfl_module_addrinfo(module_, address + bias, &offset, &symbol, nullptr, nullptr, nullptr);
  if (name == nullptr || *name == 0 || offset >= symbol.st_size) return std::nullopt;
  return LinkedName{demangled(name).value_or(name), offset};
}

Result<std::string> build_id_of(const std::string& path) {
  TRY(const ModuleFile file, ModuleFile::open(path));
  return file.build_id();
}

}  // namespace heddle
