#include "trace/json_fields.h"

#include <algorithm>

#include "base/nearest.h"
#include "base/printable.h"

namespace heddle {
namespace {

constexpr int kMaxDepth = 4;

// Whether brackets are nested so deep that the line cannot be one of ours; looked at
// before the parser sees the line.
bool nested_too_deep(std::string_view line) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (in_string && c == '\\') {
      ++i;
    } else if (c == '"') {
      in_string = !in_string;
    } else if (!in_string && (c == '{' || c == '[')) {
      if (++depth > kMaxDepth) return true;
    } else if (!in_string && (c == '}' || c == ']')) {
      --depth;
    }
  }
  return false;
}

int hexadecimal_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<std::string> bytes_of_hexadecimal(const std::string& digits) {
  if (digits.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    const int high = hexadecimal_digit(digits[i]);
    const int low = hexadecimal_digit(digits[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes += static_cast<char>(high << 4 | low);
  }
  return bytes;
}

// A string, or {"hex":"..."} for one that is not UTF-8.
std::optional<std::string> bytes_of(const nlohmann::json& field) {
  if (field.is_string()) return field.get_ref<const std::string&>();
  if (!field.is_object() || field.size() != 1) return std::nullopt;
  const auto digits = field.find("hex");
  if (digits == field.end() || !digits->is_string()) return std::nullopt;
  return bytes_of_hexadecimal(digits->get_ref<const std::string&>());
}

}  // namespace

Result<nlohmann::json> parse_json_line(std::string_view line) {
  if (nested_too_deep(line)) {
    return make_error("brackets nested more than {} deep in {}", kMaxDepth, printable(line));
  }
  nlohmann::json object = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (object.is_discarded()) return make_error("not valid JSON: {}", printable(line));
  if (!object.is_object()) return make_error("expected a JSON object, not {}", printable(line));
  return object;
}

Error unexpected_json(std::string_view key, std::string_view expected,
                      const nlohmann::json& found) {
  return make_error("\"{}\" should be {}, not {}", key, expected, printable(found.dump()));
}

const nlohmann::json* JsonFields::find(std::string_view key) {
  known_.push_back(key);
  const auto found = object_.find(key);
  return found != object_.end() ? &*found : nullptr;
}

Result<std::optional<std::uint64_t>> JsonFields::bits(std::string_view key) {
  const auto field = object_.find(key);
  if (field == object_.end() || field->is_number_unsigned()) return number<std::uint64_t>(key);
  TRY(const auto negative, number<std::int64_t>(key));
  return std::optional(static_cast<std::uint64_t>(*negative));
}

Result<std::uint32_t> JsonFields::reference(std::string_view key, std::size_t end) {
  TRY(const auto found, optional_reference(key, end));
  if (!found) return make_error("\"{}\" is missing", key);
  return *found;
}

Result<std::optional<std::uint32_t>> JsonFields::optional_reference(std::string_view key,
                                                                    std::size_t end) {
  TRY(const auto found, number<std::uint32_t>(key));
  if (found && *found >= end) {
    return make_error("\"{}\":{} is used before it is defined", key, *found);
  }
  return found;
}

Result<std::string> JsonFields::string(std::string_view key) {
  const nlohmann::json* field = find(key);
  if (field == nullptr) return std::string();
  std::optional<std::string> bytes = bytes_of(*field);
  if (!bytes) return unexpected_json(key, R"(a string or {"hex":"..."})", *field);
  return *std::move(bytes);
}

Result<std::vector<std::string>> JsonFields::strings(std::string_view key) {
  std::vector<std::string> strings;
  const nlohmann::json* field = find(key);
  if (field == nullptr) return strings;
  if (!field->is_array()) return unexpected_json(key, "an array of strings", *field);
  for (const nlohmann::json& item : *field) {
    std::optional<std::string> bytes = bytes_of(item);
    if (!bytes) return unexpected_json(key, "an array of strings", *field);
    strings.push_back(*std::move(bytes));
  }
  return strings;
}

Result<bool> JsonFields::flag(std::string_view key) {
  const nlohmann::json* field = find(key);
  if (field == nullptr) return false;
  if (!field->is_boolean()) return unexpected_json(key, "true or false", *field);
  return field->get<bool>();
}

Result<const nlohmann::json*> JsonFields::object(std::string_view key) {
  const nlohmann::json* field = find(key);
  if (field == nullptr) return make_error("\"{}\" is missing", key);
  if (!field->is_object()) return unexpected_json(key, "an object", *field);
  return field;
}

Result<const nlohmann::json*> JsonFields::objects(std::string_view key) {
  const nlohmann::json* field = find(key);
  if (field == nullptr) return make_error("\"{}\" is missing", key);
  const bool right = field->is_array() && std::all_of(field->begin(), field->end(),
                                                      [](auto& item) { return item.is_object(); });
  if (!right) return unexpected_json(key, "an array of objects", *field);
  return field;
}

Result<void> JsonFields::finish() const {
  for (const auto& [key, value] : object_.items()) {
    if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
    const std::vector<std::string> candidates(known_.begin(), known_.end());
    const auto suggestion = nearest(key, candidates);
    return make_error("unexpected key {}{}", printable(key),
                      suggestion ? fmt::format("; did you mean '{}'?", *suggestion) : "");
  }
  return {};
}

}  // namespace heddle
