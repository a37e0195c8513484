// The types of a program's variables, and the names of what lies inside them.
//
// A flat copy of what DWARF says, without typedefs and qualifiers, so that
// `accounts[3].balance` is found by walking a few small records and nothing has to be asked
// of the debug information again.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/index.h"
#include "base/string_table.h"

namespace heddle {

using TypeId = Index<struct TypeTag>;

struct Member {
  StringId name;  // none for a base class or an anonymous struct or union: not in the path
  std::uint64_t offset = 0;
  TypeId type;
};

struct Type {
  enum class Kind { scalar, structure, array };  // a union is a structure whose members overlap

  Kind kind = Kind::scalar;
  StringId name;
  std::uint64_t size = 0;  // in bytes; 0 if it is not known
  TypeId element;          // of an array; its count follows from the sizes
  std::vector<Member> members;
};

class TypeTable {
 public:
  TypeId add(Type type) { return types_.add(std::move(type)); }
  Type& operator[](TypeId id) { return types_[id]; }
  const Type& operator[](TypeId id) const { return types_[id]; }
  std::size_t size() const { return types_.size(); }

  StringId intern(std::string_view text) { return strings_.intern(text); }
  std::string_view text(StringId id) const { return strings_[id]; }

 private:
  Table<TypeId, Type> types_;
  StringTable strings_;
};

// The path from a variable of that type to the smallest part of it that holds the `size`
// bytes from `offset` on: "[3].balance", ".u.word", "" for all of it. Bytes that are no part
// on their own (padding, the middle of a number) get their distance: ".balance +2". Where
// members overlap, one of exactly that place and size is preferred, then the first. A member
// with a reserved name that is all of its struct (`_M_i` of std::atomic) is not in the path.
std::string name_of(const TypeTable& types, TypeId type, std::uint64_t offset, std::uint64_t size);

}  // namespace heddle
