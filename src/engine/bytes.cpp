// memcpy and its like for the engine itself: those of libc are interposed by the runtime, and
// are the program's.
#include <cstddef>
#include <cstdint>

namespace {

struct [[gnu::packed, gnu::may_alias]] Word {
  std::uint64_t value;
};

constexpr std::size_t kFew = 256;

void copy_forward(char* to, const char* from, std::size_t size) {
  if (size > kFew) {
    asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
    return;
  }
  for (; size >= 8; size -= 8, to += 8, from += 8) {
    reinterpret_cast<Word*>(to)->value = reinterpret_cast<const Word*>(from)->value;
    asm volatile("" ::: "memory");
  }
  for (; size > 0; --size) {
    *to++ = *from++;
    asm volatile("" ::: "memory");
  }
}

}  // namespace

extern "C" {

void* memcpy(void* to, const void* from, std::size_t size) {
  copy_forward(static_cast<char*>(to), static_cast<const char*>(from), size);
  return to;
}

void* memmove(void* to, const void* from, std::size_t size) {
  auto* target = static_cast<char*>(to);
  const auto* source = static_cast<const char*>(from);
  if (target <= source || target >= source + size) {
    copy_forward(target, source, size);
    return to;
  }
  while (size >= 8) {
    size -= 8;
    reinterpret_cast<Word*>(target + size)->value =
        reinterpret_cast<const Word*>(source + size)->value;
    asm volatile("" ::: "memory");
  }
  while (size-- > 0) {
    target[size] = source[size];
    asm volatile("" ::: "memory");
  }
  return to;
}

void* memset(void* to, int byte, std::size_t size) {
  void* target = to;
  asm volatile("rep stosb" : "+D"(target), "+c"(size) : "a"(byte) : "memory");
  return to;
}

int memcmp(const void* a, const void* b, std::size_t size) {
  const auto* first = static_cast<const unsigned char*>(a);
  const auto* second = static_cast<const unsigned char*>(b);
  for (std::size_t i = 0; i < size; ++i) {
    if (first[i] != second[i]) return first[i] < second[i] ? -1 : 1;
    asm volatile("" ::: "memory");
  }
  return 0;
}

std::size_t strlen(const char* text) {
  std::size_t size = 0;
  while (text[size] != 0) {
    ++size;
    asm volatile("" ::: "memory");
  }
  return size;
}
}
