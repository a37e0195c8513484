#include "native/type_reader.h"

#include <cstdlib>
#include <optional>

#include <fmt/format.h>

#include "native/dwarf_entry.h"

namespace heddle {
namespace {

constexpr std::uint64_t kBitsPerByte = 8;

bool has_members(int tag) {
  return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

// Elements along one dimension; 0 if it is open.
std::uint64_t count_of(Dwarf_Die subrange) {
  if (const auto count = number_attribute(subrange, DW_AT_count)) return *count;
  const auto upper = number_attribute(subrange, DW_AT_upper_bound);
  return upper ? *upper + 1 - number_attribute(subrange, DW_AT_lower_bound).value_or(0) : 0;
}

// Where a member starts; nothing for static members and virtual bases, whose place is not
// a constant.
std::optional<std::uint64_t> offset_of(Dwarf_Die member) {
  if (flag_attribute(member, DW_AT_external)) return std::nullopt;
  if (const auto offset = number_attribute(member, DW_AT_data_member_location)) return offset;
  Dwarf_Attribute location;
  if (dwarf_attr(&member, DW_AT_data_member_location, &location) != nullptr) return std::nullopt;
  if (const auto bits = number_attribute(member, DW_AT_data_bit_offset))
    return *bits / kBitsPerByte;
  return 0;  // what DWARF means by saying nothing, as in unions
}

// GCC and Clang call it _vptr.Name and _vptr$Name.
std::string member_name(Dwarf_Die member) {
  const std::string name = plain_name(member);
  return name.starts_with("_vptr") ? "_vptr" : name;
}

// The name with its scopes, which tells classes of the same name apart.
std::string scoped_name(Dwarf_Die entry) {
  std::string name = plain_name(entry);
  Dwarf_Die* scopes = nullptr;
  const int count = dwarf_getscopes_die(&entry, &scopes);
  for (int i = 1; i < count; ++i) {
    const int tag = dwarf_tag(&scopes[i]);
    if (tag == DW_TAG_namespace || has_members(tag)) {
      name = fmt::format("{}::{}", plain_name(scopes[i]), name);
    }
  }
  std::free(scopes);
  return name;
}

}  // namespace

TypeId TypeReader::type_of(Dwarf_Die entry) {
  auto type = entry_attribute(entry, DW_AT_type);
  if (!type) return types_.add({});
  Dwarf_Die peeled;
  return read(dwarf_peel_type(&*type, &peeled) == 0 ? peeled : *type);
}

TypeId TypeReader::read(Dwarf_Die entry) {
  const auto known = known_.find(entry.addr);
  if (known != known_.end()) return known->second;
  const void* const key = entry.addr;
  if (flag_attribute(entry, DW_AT_declaration)) entry = definition_of(entry);
  if (dwarf_tag(&entry) == DW_TAG_array_type) return known_[key] = read_array(entry);
  Dwarf_Word size = 0;
  if (dwarf_aggregate_size(&entry, &size) != 0) size = 0;
  const bool structure = has_members(dwarf_tag(&entry));
  const TypeId id = types_.add({.kind = structure ? Type::Kind::structure : Type::Kind::scalar,
                                .name = types_.intern(plain_name(entry)),
                                .size = size,
                                .element = TypeId::none(),
                                .members = {}});
  known_[key] = id;
  if (structure) read_members(entry, id);
  return id;
}

// int a[2][3] is one entry with two dimensions; here it is an array of arrays.
TypeId TypeReader::read_array(Dwarf_Die entry) {
  std::vector<std::uint64_t> counts;
  for_each_child(entry, [&](Dwarf_Die child) {
    if (dwarf_tag(&child) == DW_TAG_subrange_type) counts.push_back(count_of(child));
  });
  TypeId id = type_of(entry);
  for (auto count = counts.rbegin(); count != counts.rend(); ++count) {
    const std::uint64_t size = *count * types_[id].size;
    id = types_.add({.kind = Type::Kind::array,
                     .name = StringId::none(),
                     .size = size,
                     .element = id,
                     .members = {}});
  }
  return id;
}

void TypeReader::read_members(Dwarf_Die entry, TypeId id) {
  for_each_child(entry, [&](Dwarf_Die child) { read_member(child, id); });
}

void TypeReader::read_member(Dwarf_Die entry, TypeId id) {
  const int tag = dwarf_tag(&entry);
  if (tag != DW_TAG_member && tag != DW_TAG_inheritance) return;
  const auto offset = offset_of(entry);
  if (!offset) return;
  const std::string name = tag == DW_TAG_member ? member_name(entry) : "";
  const StringId text = name.empty() ? StringId::none() : types_.intern(name);
  const TypeId type = type_of(entry);
  types_[id].members.push_back({text, *offset, type});
}

Dwarf_Die TypeReader::definition_of(Dwarf_Die entry) {
  if (!collected_) {
    collected_ = true;
    for_each_unit(dwarf_, [&](Dwarf_Die unit) { collect_definitions(unit, ""); });
  }
  const auto found = definitions_.find(scoped_name(entry));
  return found != definitions_.end() ? found->second : entry;
}

void TypeReader::collect_definitions(Dwarf_Die scope, const std::string& prefix) {
  for_each_child(scope, [&](Dwarf_Die child) {
    const int tag = dwarf_tag(&child);
    if (tag != DW_TAG_namespace && !has_members(tag)) return;
    const std::string name = prefix + plain_name(child);
    const bool defines = has_members(tag) && !flag_attribute(child, DW_AT_declaration);
    if (defines) definitions_.try_emplace(name, child);
    collect_definitions(child, name + "::");
  });
}

}  // namespace heddle
