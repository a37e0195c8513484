#include "native/variables.h"

#include <algorithm>

#include <fmt/format.h>

#include "native/dwarf_entry.h"
#include "native/type_reader.h"

namespace heddle {
namespace {

struct Location {
  std::uint64_t place = 0;
  bool thread_local_block = false;
};

bool is_address(std::uint8_t operation) {
  return operation == DW_OP_addr || operation == DW_OP_const8u || operation == DW_OP_const4u;
}

bool is_indexed_address(std::uint8_t operation) {
  return operation == DW_OP_addrx || operation == DW_OP_constx ||
         operation == DW_OP_GNU_addr_index || operation == DW_OP_GNU_const_index;
}

// The address that starts an expression, from the expression itself or the unit's table.
std::optional<std::uint64_t> address_in(Dwarf_Attribute& attribute, const Dwarf_Op& operation) {
  if (is_address(operation.atom)) return operation.number;
  if (!is_indexed_address(operation.atom)) return std::nullopt;
  Dwarf_Attribute result;
  Dwarf_Addr address = 0;
  if (dwarf_getlocation_attr(&attribute, &operation, &result) != 0) return std::nullopt;
  return dwarf_formaddr(&result, &address) == 0 ? std::optional(address) : std::nullopt;
}

// Where a variable lies all its life; nothing for those in registers or on the stack.
std::optional<Location> fixed_location(Dwarf_Die variable) {
  Dwarf_Attribute attribute;
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  if (dwarf_attr(&variable, DW_AT_location, &attribute) == nullptr ||
      dwarf_getlocation(&attribute, &operations, &count) != 0 || count == 0 || count > 3) {
    return std::nullopt;
  }
  const auto address = address_in(attribute, operations[0]);
  if (!address) return std::nullopt;
  Location location = {*address, false};
  for (std::size_t i = 1; i < count; ++i) {
    const std::uint8_t atom = operations[i].atom;
    if (atom == DW_OP_plus_uconst) {
      location.place += operations[i].number;
    } else if (atom == DW_OP_form_tls_address || atom == DW_OP_GNU_push_tls_address) {
      location.thread_local_block = true;
    } else {
      return std::nullopt;
    }
  }
  const bool constant = !location.thread_local_block && (operations[0].atom == DW_OP_const8u ||
                                                         operations[0].atom == DW_OP_const4u);
  return constant ? std::nullopt : std::optional(location);
}

// Names that a namespace, class or function gives to what is in it.
std::string prefix_of(Dwarf_Die scope) {
  const std::string name = plain_name(scope);
  switch (dwarf_tag(&scope)) {
    case DW_TAG_namespace:
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type: return name.empty() ? "" : fmt::format("{}::", name);
    case DW_TAG_subprogram:
    case DW_TAG_inlined_subroutine: return name.empty() ? "" : fmt::format("{}()::", name);
    default: return "";
  }
}

bool is_scope(int tag) {
  return tag == DW_TAG_namespace || tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block ||
         tag == DW_TAG_inlined_subroutine || tag == DW_TAG_structure_type ||
         tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

void sort_by_start(std::vector<Variable>& table) {
  std::stable_sort(table.begin(), table.end(),
                   [](const Variable& a, const Variable& b) { return a.start < b.start; });
  const auto same = [](const Variable& a, const Variable& b) { return a.start == b.start; };
  table.erase(std::unique(table.begin(), table.end(), same), table.end());
}

}  // namespace

class VariableReader {
 public:
  VariableReader(Dwarf* dwarf, VariableTable& table) : table_(table), types_(dwarf, table.types_) {}

  void read_scope(Dwarf_Die scope, const std::string& prefix) {
    for_each_child(scope, [&](Dwarf_Die child) {
      const int tag = dwarf_tag(&child);
      if (tag == DW_TAG_variable) add(child, prefix);
      if (is_scope(tag)) read_scope(child, prefix + prefix_of(child));
    });
  }

 private:
  void add(Dwarf_Die entry, const std::string& prefix) {
    const auto location = fixed_location(entry);
    if (!location) return;
    const TypeId type = types_.type_of(entry);
    auto& table = location->thread_local_block ? table_.thread_locals_ : table_.globals_;
    table.push_back({location->place, table_.types_[type].size, name_of(entry, prefix), type});
  }

  // A definition outside of its class or namespace has its scopes in the linker's name only.
  static std::string name_of(Dwarf_Die entry, const std::string& prefix) {
    Dwarf_Attribute attribute;
    const bool elsewhere = dwarf_attr(&entry, DW_AT_specification, &attribute) != nullptr;
    return elsewhere ? full_name(entry) : prefix + plain_name(entry);
  }

  VariableTable& table_;
  TypeReader types_;
};

VariableTable VariableTable::read(Dwarf* dwarf) {
  VariableTable table;
  VariableReader reader(dwarf, table);
  for_each_unit(dwarf, [&](Dwarf_Die unit) { reader.read_scope(unit, ""); });
  sort_by_start(table.globals_);
  sort_by_start(table.thread_locals_);
  return table;
}

const Variable* VariableTable::find(const std::vector<Variable>& table, std::uint64_t place) {
  const auto after = std::upper_bound(
      table.begin(), table.end(), place,
      [](std::uint64_t wanted, const Variable& variable) { return wanted < variable.start; });
  if (after == table.begin()) return nullptr;
  const Variable& variable = *std::prev(after);
  return place - variable.start < std::max<std::uint64_t>(variable.size, 1) ? &variable : nullptr;
}

std::string VariableTable::part_of(const Variable& variable, std::uint64_t address,
                                   std::uint64_t size) const {
  return fmt::format("{}{}", variable.name,
                     name_of(types_, variable.type, address - variable.start, size));
}

}  // namespace heddle
