// The fields of one JSON object, read strictly.
//
// Every get remembers its key as one that may be there; finish() then finds the keys
// that nobody asked for, which are mistakes, and names the nearest right one.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/result.h"

namespace heddle {

// Parses one line; an error if it is not an object, or nested deeper than any of ours.
Result<nlohmann::json> parse_json_line(std::string_view line);

class JsonFields {
 public:
  // `object` is a JSON object that must outlive this.
  explicit JsonFields(const nlohmann::json& object) : object_(object) {}

  bool has(std::string_view key) const { return object_.find(key) != object_.end(); }

  // The number, or nothing when the key is absent; an error if it is no integer that fits.
  template <std::integral T>
  Result<std::optional<T>> number(std::string_view key);
  template <std::integral T>
  Result<T> number_or(std::string_view key, T fallback);
  // A value of 64 bits, signed or not.
  Result<std::optional<std::uint64_t>> bits(std::string_view key);
  // The id of a thing of which those below `end` are defined.
  Result<std::uint32_t> reference(std::string_view key, std::size_t end);
  Result<std::optional<std::uint32_t>> optional_reference(std::string_view key, std::size_t end);
  // The string, "" when the key is absent.
  Result<std::string> string(std::string_view key);
  Result<std::vector<std::string>> strings(std::string_view key);
  // False when the key is absent.
  Result<bool> flag(std::string_view key);
  // The object under this key, which must be there.
  Result<const nlohmann::json*> object(std::string_view key);
  // The array under this key, which must be there and have only objects in it.
  Result<const nlohmann::json*> objects(std::string_view key);

  // That there is no field but those that were asked for.
  Result<void> finish() const;

 private:
  // The value under the key, or null; and the key is known from now on.
  const nlohmann::json* find(std::string_view key);

  const nlohmann::json& object_;
  std::vector<std::string_view> known_;
};

Error unexpected_json(std::string_view key, std::string_view expected, const nlohmann::json& found);

template <std::integral T>
Result<std::optional<T>> JsonFields::number(std::string_view key) {
  const nlohmann::json* field = find(key);
  if (field == nullptr) return std::optional<T>();
  if (field->is_number_unsigned()) {
    const auto number = field->get<std::uint64_t>();
    if (std::in_range<T>(number)) return std::optional(static_cast<T>(number));
  } else if (field->is_number_integer()) {
    const auto number = field->get<std::int64_t>();
    if (std::in_range<T>(number)) return std::optional(static_cast<T>(number));
  }
  const std::string range = fmt::format(
      "a whole number from {} to {}", std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
  return unexpected_json(key, range, *field);
}

template <std::integral T>
Result<T> JsonFields::number_or(std::string_view key, T fallback) {
  TRY(const std::optional<T> number, this->number<T>(key));
  return number.value_or(fallback);
}

}  // namespace heddle
