#include "predict/user_names.h"

#include <algorithm>

namespace heddle::predict {
namespace {

bool is_one_of(char c, std::string_view all) { return all.find(c) != std::string_view::npos; }

// Whether the place is outside of the arguments of templates and of parameters.
bool is_outside(std::string_view function, std::size_t at) {
  int depth = 0;
  for (char c : function.substr(0, at))
    depth += is_one_of(c, "<(") ? 1 : is_one_of(c, ">)") ? -1 : 0;
  return depth == 0;
}

bool is_name_at(std::string_view word, std::string_view function, std::size_t at) {
  const bool begins = at == 0 || is_one_of(function[at - 1], ": ");
  const std::size_t end = at + word.size();
  const bool ends = end == function.size() || is_one_of(function[end], "(< ");
  return begins && ends && is_outside(function, at);
}

}  // namespace

bool names_function(std::string_view word, std::string_view function) {
  if (word.empty()) return false;
  for (std::size_t at = function.find(word); at != std::string_view::npos;
       at = function.find(word, at + 1)) {
    if (is_name_at(word, function, at)) return true;
  }
  return false;
}

bool names_variable(std::string_view word, std::string_view variable) {
  if (word.empty() || !variable.starts_with(word)) return false;
  return word.size() == variable.size() || is_one_of(variable[word.size()], ".[ ");
}

bool has_function(const Tables& tables, std::string_view word) {
  return std::any_of(tables.sites.begin(), tables.sites.end(), [&](const auto& site) {
    return site.function.valid() && names_function(word, tables.strings[site.function]);
  });
}

bool has_variable(const Tables& tables, std::string_view word) {
  for (LocationId location : indices(tables.locations)) {
    if (names_variable(word, tables.describe(ObjectType::location, location.value()))) return true;
  }
  return false;
}

}  // namespace heddle::predict
