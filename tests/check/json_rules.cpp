#include "tests/check/json_rules.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace heddle {
namespace {

using nlohmann::json;

class Checker {
 public:
  explicit Checker(const json& rules) : rules_(rules) {}

  std::vector<std::string> run(const json& document) {
    check_object(document, rules_.at("start"), "");
    return std::move(wrong_);
  }

 private:
  void complain(const std::string& place, const std::string& what) {
    wrong_.push_back(fmt::format("{}: {}", place, what));
  }

  void check_object(const json& value, const std::string& kind, const std::string& place) {
    const json& rule = rules_.at(kind);
    if (!value.is_object()) return complain(place, "is no object");
    for (const std::string key : rule.at("needs")) {
      if (!value.contains(key)) complain(place, fmt::format("lacks '{}'", key));
    }
    for (const auto& [key, part] : value.items()) {
      const std::string there = fmt::format("{}/{}", place, key);
      rule.at("keys").contains(key) ? check_value(part, rule.at("keys").at(key), there)
                                    : complain(there, "is not known");
    }
  }

  void check_value(const json& value, const json& rule, const std::string& place) {
    if (rule.contains("object")) return check_object(value, rule.at("object"), place);
    if (rule.contains("list_of")) return check_list(value, rule, place);
    if (rule.contains("one_of")) return check_one_of(value, rule.at("one_of"), place);
    if (rule.contains("least")) return check_number(value, rule.at("least"), place);
    if (rule.contains("strings")) return check_strings(value, place);
    if (rule.at("is") == "object") {
      if (!value.is_object()) complain(place, "is no object");
      return;
    }
    check_string(value, rule, place);
  }

  void check_list(const json& value, const json& rule, const std::string& place) {
    if (!value.is_array()) return complain(place, "is no list");
    if (rule.value("some", false) && value.empty()) complain(place, "is empty");
    if (rule.value("unique", false) &&
        std::set<json>(value.begin(), value.end()).size() != value.size()) {
      complain(place, "has an entry twice");
    }
    for (std::size_t i = 0; i < value.size(); ++i) {
      check_object(value[i], rule.at("list_of"), fmt::format("{}/{}", place, i));
    }
  }

  void check_one_of(const json& value, const json& known, const std::string& place) {
    if (std::find(known.begin(), known.end(), value) == known.end()) {
      complain(place, fmt::format("{} is none of {}", value.dump(), known.dump()));
    }
  }

  void check_number(const json& value, const json& least, const std::string& place) {
    if (!value.is_number_integer()) return complain(place, "is no whole number");
    if (value < least) complain(place, fmt::format("is less than {}", least.dump()));
  }

  void check_strings(const json& value, const std::string& place) {
    if (!value.is_object()) return complain(place, "is no object");
    for (const auto& [key, part] : value.items()) {
      if (!part.is_string()) complain(fmt::format("{}/{}", place, key), "is no string");
    }
  }

  void check_string(const json& value, const json& rule, const std::string& place) {
    if (!value.is_string()) return complain(place, "is no string");
    const auto text = value.get<std::string>();
    if (!text.starts_with(rule.value("begins", ""))) complain(place, "begins otherwise");
    if (rule.value("uri", false) && !is_uri(text)) complain(place, "is no URI");
  }

  // The characters that RFC 3986 allows, and two digits behind a percent sign.
  static bool is_uri(const std::string& text) {
    constexpr std::string_view kSigns = "-._~:/?#[]@!$&'()*+,;=%";
    const auto allowed = [&](unsigned char c) {
      return std::isalnum(c) != 0 || kSigns.find(static_cast<char>(c)) != std::string_view::npos;
    };
    for (std::size_t at = text.find('%'); at != std::string::npos; at = text.find('%', at + 1)) {
      if (at + 2 >= text.size() || std::isxdigit(static_cast<unsigned char>(text[at + 1])) == 0 ||
          std::isxdigit(static_cast<unsigned char>(text[at + 2])) == 0) {
        return false;
      }
    }
    return std::all_of(text.begin(), text.end(), allowed);
  }

  const json& rules_;
  std::vector<std::string> wrong_;
};

}  // namespace

std::vector<std::string> broken_rules(const json& rules, const json& document) {
  return Checker(rules).run(document);
}

}  // namespace heddle
