// Small questions to a DWARF entry (DIE), answered without libdw's ceremony.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <dwarf.h>
#include <elfutils/libdw.h>

namespace heddle {

// The DW_AT_name of the entry or of what it completes or was inlined from; "" if none.
std::string plain_name(Dwarf_Die entry);
// The folder in which a unit was compiled.
std::string compile_folder(Dwarf_Die unit);
// As a reader knows it: "bank::Account::deposit(long)" by the linker's name, else the plain one.
std::string full_name(Dwarf_Die entry);
// "Worker::run", "main::lambda": a function's name with its scopes and without what templates are
// applied to, the same for all compilers.
std::string scoped_function_name(Dwarf_Die entry);
// A linker's name of C++ as people write it; nothing if it is none.
std::optional<std::string> demangled(const std::string& linked);

std::optional<std::uint64_t> number_attribute(Dwarf_Die entry, unsigned attribute);
bool flag_attribute(Dwarf_Die entry, unsigned attribute);
// The entry that an attribute refers to.
std::optional<Dwarf_Die> entry_attribute(Dwarf_Die entry, unsigned attribute);

// Calls `visit(Dwarf_Die)` for each direct child.
template <typename Visit>
void for_each_child(Dwarf_Die entry, Visit visit) {
  Dwarf_Die child;
  if (dwarf_child(&entry, &child) != 0) return;
  do {
    visit(child);
  } while (dwarf_siblingof(&child, &child) == 0);
}

// Calls `visit(start, end)` for each piece of code of the entry.
template <typename Visit>
void for_each_range(Dwarf_Die entry, Visit visit) {
  Dwarf_Addr base = 0, start = 0, end = 0;
  for (std::ptrdiff_t at = 0; (at = dwarf_ranges(&entry, at, &base, &start, &end)) > 0;) {
    if (start < end) visit(start, end);
  }
}

// Calls `visit(Dwarf_Die)` for each compilation unit; skeletons of split units give the
// unit that they stand for, if it can be found.
template <typename Visit>
void for_each_unit(Dwarf* dwarf, Visit visit) {
  Dwarf_CU* unit = nullptr;
  Dwarf_Half version = 0;
  std::uint8_t type = 0;
  Dwarf_Die entry, sub_entry;
  while (dwarf_get_units(dwarf, unit, &unit, &version, &type, &entry, &sub_entry) == 0) {
    const bool split = type == DW_UT_skeleton && dwarf_tag(&sub_entry) != DW_TAG_invalid;
    if (type != DW_UT_type) visit(split ? sub_entry : entry);
  }
}

}  // namespace heddle
