#include "runtime/memory.h"

#include <emmintrin.h>
#include <sys/mman.h>

namespace heddle::runtime {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 20;
char* chunk;
std::size_t chunk_left;

// The region of an exploration; see use_resettable_memory.
constexpr std::uint64_t kRegion = 0x2ffe'0000'0000;
constexpr std::uint64_t kRegionSize = std::uint64_t{8} << 30;
std::uint64_t region_end;  // 0: not in use

void* take_from_region(std::size_t size) {
  const std::uint64_t start = region_end;
  region_end += (size + 63) & ~std::size_t{63};
  if (region_end > kRegion + kRegionSize) fail("out of memory for the runtime itself");
  void* bytes = reinterpret_cast<void*>(start);
  fill_bytes(bytes, 0, size);
  return bytes;
}

// The string instructions take long to begin with.
constexpr std::size_t kFewBytes = 1024;

struct [[gnu::packed, gnu::may_alias]] Word {
  std::uint64_t value;
};

// The barriers keep the loops from becoming calls of memcpy and memset.
void copy_few_bytes(void* to, const void* from, std::size_t size) {
  auto* target = static_cast<char*>(to);
  const auto* source = static_cast<const char*>(from);
  for (; size >= 32; size -= 32, target += 32, source += 32) {
    const __m128i first = _mm_loadu_si128(reinterpret_cast<const __m128i*>(source));
    const __m128i second = _mm_loadu_si128(reinterpret_cast<const __m128i*>(source + 16));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(target), first);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(target + 16), second);
    asm volatile("" ::: "memory");
  }
  for (; size >= 8; size -= 8, target += 8, source += 8) {
    reinterpret_cast<Word*>(target)->value = reinterpret_cast<const Word*>(source)->value;
    asm volatile("" ::: "memory");
  }
  for (; size > 0; --size) {
    *target++ = *source++;
    asm volatile("" ::: "memory");
  }
}

void fill_few_bytes(void* to, int byte, std::size_t size) {
  auto* target = static_cast<char*>(to);
  const std::uint64_t word = 0x0101010101010101 * static_cast<std::uint8_t>(byte);
  const __m128i words = _mm_set1_epi64x(static_cast<long long>(word));
  for (; size >= 32; size -= 32, target += 32) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(target), words);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(target + 16), words);
    asm volatile("" ::: "memory");
  }
  for (; size >= 8; size -= 8, target += 8) {
    reinterpret_cast<Word*>(target)->value = word;
    asm volatile("" ::: "memory");
  }
  for (; size > 0; --size) {
    *target++ = static_cast<char>(byte);
    asm volatile("" ::: "memory");
  }
}

std::size_t whole_pages(std::size_t size) { return (size + 4095) & ~std::size_t{4095}; }

}  // namespace

void copy_bytes(void* to, const void* from, std::size_t size) {
  if (to > from && to < static_cast<const char*>(from) + size) {
    char* target = static_cast<char*>(to);
    const char* source = static_cast<const char*>(from);
    while (size-- > 0) {
      target[size] = source[size];
      asm volatile("" ::: "memory");  // or the loop would become a call of memmove
    }
    return;
  }
  if (size <= kFewBytes) return copy_few_bytes(to, from, size);
  asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
}

void fill_bytes(void* to, int byte, std::size_t size) {
  if (size <= kFewBytes) return fill_few_bytes(to, byte, size);
  asm volatile("rep stosb" : "+D"(to), "+c"(size) : "a"(byte) : "memory");
}

void* map_pages(std::size_t size) {
  return region_end != 0 ? take_from_region(size) : map_kept_pages(size);
}

void* map_kept_pages(std::size_t size) {
  void* pages = REAL(mmap)(nullptr, whole_pages(size), PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) fail("out of memory for the runtime itself");
  return pages;
}

void* map_pages_at(std::uint64_t address, std::size_t size) {
  void* wanted = reinterpret_cast<void*>(address);
  void* pages =
      REAL(mmap)(wanted, whole_pages(size), PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (pages != wanted) fail("an address that the runtime needs is taken, or memory is short");
  return pages;
}

void unmap_kept_pages(void* address, std::size_t size) { REAL(munmap)(address, whole_pages(size)); }

void unmap_pages(void* address, std::size_t size) {
  if (region_end == 0) unmap_kept_pages(address, size);
}

void use_resettable_memory() {
  region_end = reinterpret_cast<std::uint64_t>(map_pages_at(kRegion, kRegionSize));
}

MemoryRange resettable_memory() { return {kRegion, region_end}; }

void* keep_bytes(std::size_t size) {
  if (region_end != 0) return take_from_region(size);
  size = (size + 15) & ~std::size_t{15};
  if (size >= kChunk / 4) return map_pages(size);
  if (size > chunk_left) {
    chunk = static_cast<char*>(map_pages(kChunk));
    chunk_left = kChunk;
  }
  void* bytes = chunk;
  chunk += size;
  chunk_left -= size;
  return bytes;
}

}  // namespace heddle::runtime

// Where calls from inside the runtime go (--wrap in CMakeLists.txt): the functions of these names
// are those that the program calls, and log what they do.
extern "C" {
void* __wrap_memcpy(void* to, const void* from, std::size_t size);
void* __wrap_memmove(void* to, const void* from, std::size_t size);
void* __wrap_memset(void* to, int byte, std::size_t size);

void* __wrap_memcpy(void* to, const void* from, std::size_t size) {
  heddle::runtime::copy_bytes(to, from, size);
  return to;
}
void* __wrap_memmove(void* to, const void* from, std::size_t size) {
  heddle::runtime::copy_bytes(to, from, size);
  return to;
}
void* __wrap_memset(void* to, int byte, std::size_t size) {
  heddle::runtime::fill_bytes(to, byte, size);
  return to;
}
}
