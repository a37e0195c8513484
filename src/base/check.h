// Invariants that stay on in release builds.
//
// CHECK(condition) and CHECK(condition, "message {}", argument) end the program
// with one line on standard error and exit status 70 ("internal error") when the
// condition is false. They are for mistakes in Heddle itself; a bad input is a
// Result (result.h), never a failed CHECK.
#pragma once

#include <string>
#include <utility>

#include <fmt/format.h>

namespace heddle {

[[noreturn]] void fail_check(const char* file, int line, const char* condition,
                             const std::string& message);

inline std::string check_message() { return {}; }

template <typename... Args>
std::string check_message(fmt::format_string<Args...> format, Args&&... args) {
  return fmt::format(format, std::forward<Args>(args)...);
}

}  // namespace heddle

#define CHECK(condition, ...)                                                                     \
  do {                                                                                            \
    if (!(condition)) [[unlikely]] {                                                              \
      ::heddle::fail_check(__FILE__, __LINE__, #condition, ::heddle::check_message(__VA_ARGS__)); \
    }                                                                                             \
  } while (false)
