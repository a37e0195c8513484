// Copies types from DWARF into a TypeTable, each once.
//
// Typedefs and qualifiers are peeled off. A class that a unit only declares is looked up by
// its name among the definitions of all units, since compilers write it down in one of them.
#pragma once

#include <string>

#include <absl/container/flat_hash_map.h>
#include <elfutils/libdw.h>

#include "native/types.h"

namespace heddle {

class TypeReader {
 public:
  TypeReader(Dwarf* dwarf, TypeTable& types) : dwarf_(dwarf), types_(types) {}

  // The type of a variable or member.
  TypeId type_of(Dwarf_Die entry);

 private:
  TypeId read(Dwarf_Die entry);
  TypeId read_array(Dwarf_Die entry);
  void read_members(Dwarf_Die entry, TypeId id);
  void read_member(Dwarf_Die entry, TypeId id);
  Dwarf_Die definition_of(Dwarf_Die entry);
  void collect_definitions(Dwarf_Die scope, const std::string& prefix);

  Dwarf* dwarf_;
  TypeTable& types_;
  absl::flat_hash_map<const void*, TypeId> known_;  // by the entry's place in memory
  absl::flat_hash_map<std::string, Dwarf_Die> definitions_;
  bool collected_ = false;
};

}  // namespace heddle
