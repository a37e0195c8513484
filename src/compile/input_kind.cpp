#include "compile/input_kind.h"

#include <algorithm>
#include <array>

namespace heddle {
namespace {

constexpr std::array<std::string_view, 23> kCode = {
    "c", "i",  "ii", "C", "cc",  "cp", "cpp", "CPP", "cxx", "c++", "ixx", "cppm",
    "m", "mi", "mm", "M", "mii", "cu", "ll",  "bc",  "CC",  "cl",  "ccm"};
constexpr std::array<std::string_view, 9> kHeader = {"h",   "H",   "hh",  "hp", "hpp",
                                                     "HPP", "hxx", "h++", "tcc"};
constexpr std::array<std::string_view, 3> kAssembly = {"s", "S", "sx"};

template <std::size_t N>
bool one_of(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string_view suffix_of(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  const std::size_t slash = path.rfind('/');
  const bool in_name = dot != std::string::npos && (slash == std::string::npos || slash < dot);
  return in_name ? path.substr(dot + 1) : std::string_view();
}

}  // namespace

InputKind kind_by_name(std::string_view path) {
  if (path == "-") return InputKind::code;
  const std::string_view suffix = suffix_of(path);
  if (one_of(kCode, suffix)) return InputKind::code;
  if (one_of(kHeader, suffix)) return InputKind::header;
  return one_of(kAssembly, suffix) ? InputKind::assembly : InputKind::linked;
}

InputKind kind_by_language(std::string_view language, std::string_view path) {
  if (language.empty() || language == "none") return kind_by_name(path);
  if (language.ends_with("header") || language.ends_with("header-unit")) return InputKind::header;
  return language.starts_with("assembler") ? InputKind::assembly : InputKind::code;
}

}  // namespace heddle
