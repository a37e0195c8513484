#include "runtime/snapshot.h"

#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/allocator.h"
#include "runtime/futex.h"
#include "runtime/gate.h"
#include "runtime/memory.h"
#include "runtime/parked_threads.h"
#include "runtime/process.h"

extern "C" char __start_heddle_kept;
extern "C" char __stop_heddle_kept;
extern "C" void* __curbrk;  // libc's

namespace heddle::runtime {
namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::uint32_t kMostRegions = 2048;

struct Region {
  std::uint64_t low;
  std::uint64_t high;
  bool* written;  // by page
};
using Copy = SnapshotCopy;

KEPT Region regions[kMostRegions];
KEPT std::uint32_t region_count;
KEPT Copy* copies;
KEPT std::uint64_t copy_count;
KEPT std::uint64_t copy_capacity;
KEPT char* images;  // of pages to come
KEPT std::uint64_t images_left;
KEPT std::uint64_t program_break;
KEPT std::uint64_t first_new_descriptor;
KEPT std::uint64_t first_page;  // among the copies, behind those of threads
KEPT constinit Positions open_files;

std::uint64_t kept_low() { return reinterpret_cast<std::uint64_t>(&__start_heddle_kept); }
std::uint64_t kept_high() { return reinterpret_cast<std::uint64_t>(&__stop_heddle_kept); }

char* image_of(std::uint64_t address, std::uint64_t size) {
  constexpr std::uint64_t kMany = std::uint64_t{1} << 20;
  if (size > images_left) {
    images_left = size > kMany ? size : kMany;
    images = static_cast<char*>(map_kept_pages(images_left));
  }
  char* image = images;
  images += size;
  images_left -= size;
  copy_bytes(image, reinterpret_cast<const void*>(address), size);
  return image;
}

void add_copy(std::uint64_t address, const char* image, std::uint64_t size) {
  if (size == 0) return;
  if (copy_count == copy_capacity) {
    const std::uint64_t capacity = copy_capacity == 0 ? 1024 : copy_capacity * 2;
    auto* more = static_cast<Copy*>(map_kept_pages(capacity * sizeof(Copy)));
    copy_bytes(more, copies, copy_count * sizeof(Copy));
    copies = more;
    copy_capacity = capacity;
  }
  copies[copy_count++] = {address, image, size};
}

// What is KEPT is left out.
void add_page(std::uint64_t low) {
  const std::uint64_t high = low + kPage;
  const char* image = image_of(low, kPage);
  const std::uint64_t hole_low = kept_low() < low ? low : kept_low() > high ? high : kept_low();
  const std::uint64_t hole_high = kept_high() > high ? high : kept_high() < low ? low : kept_high();
  if (hole_low >= hole_high) return add_copy(low, image, kPage);
  add_copy(low, image, hole_low - low);
  add_copy(hole_high, image + (hole_high - low), high - hole_high);
}

void add_region(std::uint64_t low, std::uint64_t high) {
  low &= ~(kPage - 1);
  high = (high + kPage - 1) & ~(kPage - 1);
  if (low >= high) return;
  RUNTIME_CHECK(region_count < kMostRegions);
  auto* written = static_cast<bool*>(map_kept_pages((high - low) / kPage));
  regions[region_count++] = {low, high, written};
}

bool ends_with(const char* text, const char* ending) {
  std::size_t size = 0;
  std::size_t ending_size = 0;
  while (text[size] != 0) ++size;
  while (ending[ending_size] != 0) ++ending_size;
  if (ending_size > size) return false;
  for (std::size_t i = 0; i < ending_size; ++i) {
    if (text[size - ending_size + i] != ending[i]) return false;
  }
  return true;
}

bool contains(const char* text, const char* part) {
  for (; *text != 0; ++text) {
    std::size_t i = 0;
    while (part[i] != 0 && text[i] == part[i]) ++i;
    if (part[i] == 0) return true;
  }
  return false;
}

// The loader goes on with its own memory, and so does the engine.
bool is_exempt(const char* path) {
  return contains(path, "/ld-linux") || contains(path, "linux-vdso") ||
         ends_with(path, "libheddle_engine.so");
}

// The part of a module's writable memory that the loader has not made read-only.
int add_module(dl_phdr_info* info, std::size_t, void*) {
  if (is_exempt(info->dlpi_name)) return 0;
  std::uint64_t constant_low = 0;
  std::uint64_t constant_high = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_GNU_RELRO) continue;
    constant_low = info->dlpi_addr + segment.p_vaddr;
    constant_high = (constant_low + segment.p_memsz) & ~(kPage - 1);
    constant_low &= ~(kPage - 1);
  }
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) == 0) continue;
    std::uint64_t low = (info->dlpi_addr + segment.p_vaddr) & ~(kPage - 1);
    const std::uint64_t high = info->dlpi_addr + segment.p_vaddr + segment.p_memsz;
    if (constant_low <= low && constant_high > low) low = constant_high;
    add_region(low, high);
  }
  return 0;
}

// libc's heap, as it was when the process started: what libc itself allocates.
// Field 47 of /proc/self/stat, counted from behind the program's name.
std::uint64_t start_of_program_break() {
  LARGE static char text[2048];
  const long file = system_call(SYS_openat, -100, reinterpret_cast<long>("/proc/self/stat"), 0);
  const long size = system_call(SYS_read, file, reinterpret_cast<long>(text), sizeof text - 1);
  system_call(SYS_close, file);
  const char* at = text + (size > 0 ? size : 0);
  while (at > text && *at != ')') --at;
  for (int field = 2; *at != 0 && field < 47; ++at) field += *at == ' ' ? 1 : 0;
  std::uint64_t address = 0;
  for (; *at >= '0' && *at <= '9'; ++at)
    address = address * 10 + static_cast<std::uint64_t>(*at - '0');
  return address;
}

void add_program_break() {
  program_break = static_cast<std::uint64_t>(system_call(SYS_brk, 0));
  const std::uint64_t low = start_of_program_break();
  if (low != 0 && low < program_break) add_region(low, program_break);
}

void protect(const Region& region) {
  if (system_call(SYS_mprotect, static_cast<long>(region.low),
                  static_cast<long>(region.high - region.low), PROT_READ) != 0) {
    fail("the kernel does not let the runtime protect the program's memory; use --reset=fork");
  }
}

void note_write(Region& region, std::uint64_t page) {
  bool& written = region.written[(page - region.low) / kPage];
  if (written) return;
  written = true;
  add_page(page);
  system_call(SYS_mprotect, static_cast<long>(page), kPage, PROT_READ | PROT_WRITE);
}

Region* region_of(std::uint64_t address) {
  for (std::uint32_t i = 0; i < region_count; ++i) {
    if (address >= regions[i].low && address < regions[i].high) return &regions[i];
  }
  return nullptr;
}

void add_bytes(void*, std::uint64_t low, std::uint64_t high) {
  if (low < high) add_copy(low, image_of(low, high - low), high - low);
}

// What libc's own heap has grown by is given back. Where it ends, libc knows.
void restore_program_break() {
  if (reinterpret_cast<std::uint64_t>(__curbrk) == program_break) return;
  system_call(SYS_brk, static_cast<long>(program_break));
}

// Regular files only: of anything else the position means nothing, or cannot be set.
void find_open_files() {
  for (std::uint32_t descriptor = 0;
       descriptor < first_new_descriptor && open_files.count < kMostPositions; ++descriptor) {
    struct stat status;
    if (system_call(SYS_fstat, descriptor, reinterpret_cast<long>(&status)) != 0) continue;
    if (!S_ISREG(status.st_mode)) continue;
    open_files.files[open_files.count++].descriptor = descriptor;
  }
  keep_positions(open_files);
}

// Descriptors are given out from below, so a look at the first two tells nearly always whether
// there are any; closing all takes much longer.
bool has_new_descriptors() {
  const auto first = static_cast<long>(first_new_descriptor);
  return system_call(SYS_fcntl, first, F_GETFD) >= 0 ||
         system_call(SYS_fcntl, first + 1, F_GETFD) >= 0;
}

void close_new_descriptors() {
  if (!has_new_descriptors()) return;
  system_call(SYS_close_range, static_cast<long>(first_new_descriptor), ~0U, 0);
}

}  // namespace

void take_snapshot() {
  for (std::size_t i = 0; i < gate.live().size(); ++i) {
    visit_memory_of(*gate.live()[i], add_bytes, nullptr);
  }
  first_page = copy_count;
  first_new_descriptor = static_cast<std::uint64_t>(system_call(SYS_dup, 0));
  system_call(SYS_close, static_cast<long>(first_new_descriptor));
  find_open_files();
  ::dl_iterate_phdr(add_module, nullptr);
  add_program_break();
  const MemoryRange own = resettable_memory();
  add_region(own.low, own.high);
  for (std::uint32_t i = 0; i < gate.threads() && i < kArenas; ++i) {
    const MemoryRange heap = allocated_range(i);
    add_region(heap.low, heap.high);
  }
  visit_arguments(add_region);
  // Written to in every execution; and those that hold the handler's own data.
  for (std::uint32_t i = 0; i < region_count; ++i) {
    for (std::uint64_t page = regions[i].low; page < regions[i].high; page += kPage) {
      if (page < kept_high() && page + kPage > kept_low()) note_write(regions[i], page);
    }
  }
  for (std::uint32_t i = 0; i < region_count; ++i) {
    protect(regions[i]);
    for (std::uint64_t page = regions[i].low; page < regions[i].high; page += kPage) {
      if (!regions[i].written[(page - regions[i].low) / kPage]) continue;
      system_call(SYS_mprotect, static_cast<long>(page), kPage, PROT_READ | PROT_WRITE);
    }
  }
}

bool settle_fault(std::uint64_t address) {
  Region* region = region_of(address);
  if (region == nullptr) return false;
  const std::uint64_t page = address & ~(kPage - 1);
  if (region->written[(page - region->low) / kPage]) return false;
  note_write(*region, page);
  return true;
}

void expect_write(const void* address, std::uint64_t size) {
  const auto low = reinterpret_cast<std::uint64_t>(address);
  for (std::uint64_t page = low & ~(kPage - 1); page < low + size; page += kPage) {
    settle_fault(page);
  }
}

void restore_snapshot() {
  restore_outside_of_memory();
  for (std::uint64_t i = 0; i < copy_count; ++i) {
    copy_bytes(reinterpret_cast<void*>(copies[i].address), copies[i].image, copies[i].size);
  }
  restore_positions(open_files);
}

SnapshotPages snapshot_pages() { return {copies + first_page, copy_count - first_page}; }

std::uint64_t snapshot_end(const MemoryRange& range) {
  const Region* region = region_of(range.low);
  return region != nullptr ? region->high : range.low;
}

void visit_memory_of(Thread& thread, MemoryVisitor visit, void* data) {
  visit(data, reinterpret_cast<std::uint64_t>(thread.fiber.stack_pointer), thread.stack_high);
  const std::uint64_t locals = thread.fiber.thread_pointer;
  visit(data, locals - thread_local_bytes(), locals);
  const auto frames = reinterpret_cast<std::uint64_t>(thread.stack.memory());
  const Frame* top = thread.stack.top();
  if (top != nullptr) visit(data, frames, reinterpret_cast<std::uint64_t>(top + 1));
  const auto keys = reinterpret_cast<std::uint64_t>(thread.keys);
  visit(data, keys, keys + thread.keys_end * sizeof(KeyValue));
}

bool holds_more_than_memory() {
  return reinterpret_cast<std::uint64_t>(__curbrk) != program_break || has_new_descriptors();
}

void restore_outside_of_memory() {
  restore_program_break();
  close_new_descriptors();
}

void keep_positions(Positions& positions) {
  positions.count = open_files.count;
  for (std::uint32_t i = 0; i < open_files.count; ++i) {
    const std::uint32_t descriptor = open_files.files[i].descriptor;
    positions.files[i] = {descriptor, system_call(SYS_lseek, descriptor, 0, SEEK_CUR)};
  }
}

void restore_positions(const Positions& positions) {
  for (std::uint32_t i = 0; i < positions.count; ++i) {
    system_call(SYS_lseek, positions.files[i].descriptor, positions.files[i].offset, SEEK_SET);
  }
}

std::uint64_t restored_bytes() {
  std::uint64_t bytes = 0;
  for (std::uint64_t i = 0; i < copy_count; ++i) bytes += copies[i].size;
  return bytes;
}

}  // namespace heddle::runtime
