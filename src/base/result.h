// Result<T>: a value, or an Error that says what went wrong, where, and what to do.
//
// Libraries return it instead of throwing; only main() turns an Error into a line
// on standard error and an exit status. TRY hands an error up to the caller:
//
//   TRY(auto text, read_file(path));   // declares text, or returns the error
//   TRY_VOID(writer.close());          // the same for Result<void>
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "base/check.h"

namespace heddle {

struct Error {
  std::string message;
};

template <typename... Args>
Error make_error(fmt::format_string<Args...> format, Args&&... args) {
  return Error{fmt::format(format, std::forward<Args>(args)...)};
}

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : content_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return content_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & {
    must_be_ok();
    return std::get<0>(content_);
  }
  const T& value() const& {
    must_be_ok();
    return std::get<0>(content_);
  }
  T&& value() && {
    must_be_ok();
    return std::get<0>(std::move(content_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Error& error() const { return std::get<1>(content_); }

 private:
  void must_be_ok() const { CHECK(ok(), "{}", error().message); }

  std::variant<T, Error> content_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  const Error& error() const { return *error_; }

 private:
  std::optional<Error> error_;
};

}  // namespace heddle

#define HEDDLE_JOIN_(a, b) a##b
#define HEDDLE_JOIN(a, b) HEDDLE_JOIN_(a, b)
#define HEDDLE_TRY_(temporary, declaration, ...)            \
  auto temporary = (__VA_ARGS__);                           \
  if (!temporary.ok()) return std::move(temporary).error(); \
  declaration = *std::move(temporary)
#define TRY(declaration, ...) \
  HEDDLE_TRY_(HEDDLE_JOIN(try_result_, __LINE__), declaration, __VA_ARGS__)
#define TRY_VOID(...)                                           \
  do {                                                          \
    auto try_result = (__VA_ARGS__);                            \
    if (!try_result.ok()) return std::move(try_result).error(); \
  } while (false)
