#include "native/dwarf_entry.h"

#include <cstdlib>
#include <memory>

#include <cxxabi.h>
#include <fmt/format.h>

namespace heddle {
namespace {

std::string string_attribute(Dwarf_Die entry, unsigned attribute) {
  Dwarf_Attribute value;
  const char* const text = dwarf_formstring(dwarf_attr_integrate(&entry, attribute, &value));
  return text != nullptr ? text : "";
}

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};

// What an out-of-line definition or an inlined call refers to: the entry in its scopes.
Dwarf_Die declaration_of(Dwarf_Die entry) {
  for (const unsigned attribute : {DW_AT_abstract_origin, DW_AT_specification}) {
    Dwarf_Attribute value;
    Dwarf_Die target;
    if (dwarf_attr(&entry, attribute, &value) != nullptr &&
        dwarf_formref_die(&value, &target) != nullptr) {
      entry = target;
    }
  }
  return entry;
}

bool is_class(int tag) { return tag == DW_TAG_structure_type || tag == DW_TAG_class_type; }

// Clang gives the class of a lambda no name, GCC one in angle brackets.
bool is_lambda(Dwarf_Die scope) {
  const std::string name = plain_name(scope);
  return is_class(dwarf_tag(&scope)) && (name.empty() || name.starts_with("<lambda"));
}

// What a template is applied to can be long, and compilers spell it differently.
std::string name_without_arguments(Dwarf_Die entry) {
  const std::string name = plain_name(entry);
  return name.starts_with("operator") ? name : name.substr(0, name.find('<'));
}

// The name of one of the scopes around an entry; empty for those that are not shown.
std::string scope_name(Dwarf_Die scope) {
  const int tag = dwarf_tag(&scope);
  if (is_lambda(scope)) return "lambda";
  const bool shown = tag == DW_TAG_namespace || tag == DW_TAG_subprogram || is_class(tag);
  return shown ? name_without_arguments(scope) : "";
}

}  // namespace

std::string plain_name(Dwarf_Die entry) { return string_attribute(entry, DW_AT_name); }

std::string compile_folder(Dwarf_Die unit) { return string_attribute(unit, DW_AT_comp_dir); }

std::string full_name(Dwarf_Die entry) {
  std::string linked = string_attribute(entry, DW_AT_linkage_name);
  if (linked.empty()) linked = string_attribute(entry, DW_AT_MIPS_linkage_name);
  return demangled(linked).value_or(plain_name(entry));
}

// A lambda's call operator goes by the word alone.
std::string scoped_function_name(Dwarf_Die entry) {
  Dwarf_Die declaration = declaration_of(entry);
  Dwarf_Die* found = nullptr;
  const int count = dwarf_getscopes_die(&declaration, &found);
  const std::unique_ptr<Dwarf_Die, Free> scopes(found);
  const bool of_lambda = count > 1 && is_lambda(found[1]);
  std::string name = of_lambda ? "" : name_without_arguments(declaration);
  for (int i = 1; i < count; ++i) {
    const std::string scope = scope_name(found[i]);
    if (scope.empty()) continue;
    name = name.empty() ? scope : fmt::format("{}::{}", scope, name);
  }
  return name;
}

std::optional<std::string> demangled(const std::string& linked) {
  int status = 0;
  const std::unique_ptr<char, Free> text(
      linked.empty() ? nullptr : abi::__cxa_demangle(linked.c_str(), nullptr, nullptr, &status));
  return text != nullptr ? std::optional<std::string>(text.get()) : std::nullopt;
}

std::optional<std::uint64_t> number_attribute(Dwarf_Die entry, unsigned attribute) {
  Dwarf_Attribute value;
  Dwarf_Word number = 0;
  if (dwarf_formudata(dwarf_attr_integrate(&entry, attribute, &value), &number) != 0) {
    return std::nullopt;
  }
  return number;
}

bool flag_attribute(Dwarf_Die entry, unsigned attribute) {
  Dwarf_Attribute value;
  bool flag = false;
  return dwarf_formflag(dwarf_attr(&entry, attribute, &value), &flag) == 0 && flag;
}

std::optional<Dwarf_Die> entry_attribute(Dwarf_Die entry, unsigned attribute) {
  Dwarf_Attribute value;
  Dwarf_Die target;
  if (dwarf_formref_die(dwarf_attr_integrate(&entry, attribute, &value), &target) == nullptr) {
    return std::nullopt;
  }
  return target;
}

}  // namespace heddle
