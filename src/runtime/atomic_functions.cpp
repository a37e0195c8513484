#include "runtime/atomic_functions.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>

#include "runtime/futex.h"
#include "runtime/lock_operations.h"

namespace heddle::runtime {

KEPT bool has_atomic_functions = false;

namespace {

constexpr char kPrefix[] = "__VERIFIER_atomic_";
constexpr std::uint32_t kMostFunctions = 256;
KEPT MemoryRange functions[kMostFunctions];
KEPT std::uint32_t function_count;
KEPT char* section;  // where the lock of all sections is, as it were

bool begins_with_prefix(const char* name) {
  for (const char* c = kPrefix; *c != 0; ++c) {
    if (*name++ != *c) return false;
  }
  return true;
}

struct File {
  const char* bytes = nullptr;
  std::uint64_t size = 0;
};

File map_program() {
  File file;
  const long descriptor = system_call(
      SYS_openat, AT_FDCWD, reinterpret_cast<long>("/proc/self/exe"), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return file;
  const long size = system_call(SYS_lseek, descriptor, 0, SEEK_END);
  void* bytes = size > 0 ? REAL(mmap)(nullptr, static_cast<std::size_t>(size), PROT_READ,
                                      MAP_PRIVATE, static_cast<int>(descriptor), 0)
                         : MAP_FAILED;
  system_call(SYS_close, descriptor);
  if (bytes == MAP_FAILED) return file;
  return {static_cast<const char*>(bytes), static_cast<std::uint64_t>(size)};
}

void note_functions(const File& file, const Elf64_Shdr& table, const Elf64_Shdr& names,
                    std::uint64_t base) {
  const auto* symbols = reinterpret_cast<const Elf64_Sym*>(file.bytes + table.sh_offset);
  for (std::uint64_t i = 0; i < table.sh_size / sizeof(Elf64_Sym); ++i) {
    const Elf64_Sym& symbol = symbols[i];
    if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_size == 0) continue;
    if (!begins_with_prefix(file.bytes + names.sh_offset + symbol.st_name)) continue;
    if (function_count == kMostFunctions) return;
    functions[function_count++] = {base + symbol.st_value, base + symbol.st_value + symbol.st_size};
  }
}

// Tables that would reach beyond the file are not looked at.
bool lies_within(const File& file, const Elf64_Shdr& part) {
  return part.sh_offset <= file.size && part.sh_size <= file.size - part.sh_offset;
}

void read_symbols(const File& file, std::uint64_t base) {
  const auto* header = reinterpret_cast<const Elf64_Ehdr*>(file.bytes);
  const std::uint64_t tables = header->e_shnum * sizeof(Elf64_Shdr);
  if (header->e_shoff > file.size || tables > file.size - header->e_shoff) return;
  const auto* parts = reinterpret_cast<const Elf64_Shdr*>(file.bytes + header->e_shoff);
  for (std::uint32_t i = 0; i < header->e_shnum; ++i) {
    if (parts[i].sh_type != SHT_SYMTAB || parts[i].sh_link >= header->e_shnum) continue;
    const Elf64_Shdr& names = parts[parts[i].sh_link];
    if (lies_within(file, parts[i]) && lies_within(file, names)) {
      note_functions(file, parts[i], names, base);
    }
  }
}

int first_base(dl_phdr_info* info, std::size_t, void* base) {
  *static_cast<std::uint64_t*>(base) = info->dlpi_addr;
  return 1;  // the program comes first
}

Object& section_lock() {
  const auto address = reinterpret_cast<std::uint64_t>(section);
  Object* lock = find_object(ObjectType::lock, address);
  return lock != nullptr ? *lock : define_object(ObjectType::lock, address);
}

}  // namespace

void find_atomic_functions() {
  section = static_cast<char*>(keep_bytes(8));
  std::uint64_t base = 0;
  ::dl_iterate_phdr(first_base, &base);
  const File file = map_program();
  if (file.size >= sizeof(Elf64_Ehdr)) read_symbols(file, base);
  if (file.size > 0) REAL(munmap)(const_cast<char*>(file.bytes), file.size);
  has_atomic_functions = function_count > 0;
}

bool is_atomic_function(std::uint64_t address) {
  for (std::uint32_t i = 0; i < function_count; ++i) {
    if (address >= functions[i].low && address < functions[i].high) return true;
  }
  return false;
}

void enter_atomic_section(Thread& self, std::uint64_t pc) {
  if (self.atomic_sections++ > 0) return;
  Call call(self, pc);
  acquire(call, section_lock());
  ++self.no_yield;
}

void leave_atomic_section(Thread& self, std::uint64_t pc) {
  if (self.atomic_sections == 0 || --self.atomic_sections > 0) return;
  --self.no_yield;
  Call call(self, pc);
  release(call, section_lock());
}

}  // namespace heddle::runtime
