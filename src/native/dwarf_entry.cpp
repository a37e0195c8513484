#include "native/dwarf_entry.h"

#include <cstdlib>
#include <memory>

#include <cxxabi.h>

namespace heddle {
namespace {

std::string string_attribute(Dwarf_Die entry, unsigned attribute) {
  Dwarf_Attribute value;
  const char* const text = dwarf_formstring(dwarf_attr_integrate(&entry, attribute, &value));
  return text != nullptr ? text : "";
}

struct Free {
  void operator()(char* text) const { std::free(text); }
};

}  // namespace

std::string plain_name(Dwarf_Die entry) { return string_attribute(entry, DW_AT_name); }

std::string compile_folder(Dwarf_Die unit) { return string_attribute(unit, DW_AT_comp_dir); }

std::string full_name(Dwarf_Die entry) {
  std::string linked = string_attribute(entry, DW_AT_linkage_name);
  if (linked.empty()) linked = string_attribute(entry, DW_AT_MIPS_linkage_name);
  return demangled(linked).value_or(plain_name(entry));
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
