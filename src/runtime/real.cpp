// Finding the functions that ours stand in front of, and speaking when all else fails.
#include <cerrno>

#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/ground_rules.h"

namespace heddle::runtime {
namespace {

std::size_t length_of(const char* text) {
  std::size_t length = 0;
  while (text[length] != 0) ++length;
  return length;
}

bool starts_with(const char* text, const char* beginning) {
  while (*beginning != 0) {
    if (*text++ != *beginning++) return false;
  }
  return true;
}

void put(const char* text) {
  long ignored = 0;
  asm volatile("syscall"
               : "=a"(ignored)
               : "a"(SYS_write), "D"(2), "S"(text), "d"(length_of(text))
               : "rcx", "r11", "memory");
}

}  // namespace

namespace {

// A program that is linked with the C++ library in it (-static-libstdc++) leaves out of that what
// ours seem to define. These functions have no state, so those of another copy will do.
void* find_in_cxx_library(const char* name) {
  if (!starts_with(name, "_Z")) return nullptr;
  void* library = REAL(dlopen)("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
  return library == nullptr ? nullptr : ::dlsym(library, name);
}

}  // namespace

void* find_real(const char* name) {
  // libc has two sets of condition functions for two layouts; the old one is found first.
  if (starts_with(name, "pthread_cond_") && !starts_with(name, "pthread_cond_clock")) {
    if (void* function = ::dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2")) return function;
  }
  void* function = ::dlsym(RTLD_NEXT, name);
  if (function == nullptr) function = find_in_cxx_library(name);
  if (function == nullptr) {
    put("heddle: cannot find the function ");
    put(name);
    fail(" in the libraries of this program");
  }
  return function;
}

KEPT char* message_copy = nullptr;

void say(const char* message) {
  for (std::size_t i = 0; message_copy != nullptr && i < 255 && message[i] != 0; ++i) {
    message_copy[i] = message[i];
  }
  put("heddle: ");
  put(message);
  put("\n");
}

void fail(const char* message) {
  say(message);
  for (;;) {
    asm volatile("syscall" : : "a"(SYS_exit_group), "D"(125) : "rcx", "r11", "memory");
  }
}

void fail_check(const char* file, int line, const char* condition) {
  char digits[12] = {};
  std::size_t at = sizeof digits - 1;
  for (; line > 0; line /= 10) digits[--at] = static_cast<char>('0' + line % 10);
  put("heddle: mistake in the runtime, ");
  put(file);
  put(":");
  put(digits + at);
  put(": ");
  put(condition);
  fail("");
}

}  // namespace heddle::runtime
