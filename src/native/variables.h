// The variables of one module: globals, statics and thread-locals, by where they lie.
//
// One sorted table, read in one walk over the debug information; a look-up is a binary
// search and a walk over a type.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <elfutils/libdw.h>

#include "native/types.h"

namespace heddle {

struct Variable {
  std::uint64_t start = 0;  // address in the file, or offset in the thread-local block
  std::uint64_t size = 0;
  std::string name;  // "bank::balance", "Account::count", "next_id()::last"
  TypeId type;
};

class VariableTable {
 public:
  static VariableTable read(Dwarf* dwarf);

  // The variable that holds this address, or null. Addresses are those in the file.
  const Variable* at(std::uint64_t address) const { return find(globals_, address); }
  // The same for the offset in a thread's copy of the module's thread-local variables.
  const Variable* thread_local_at(std::uint64_t offset) const {
    return find(thread_locals_, offset);
  }
  // "accounts[3].balance": what of the variable is accessed.
  std::string part_of(const Variable& variable, std::uint64_t address, std::uint64_t size) const;

  const TypeTable& types() const { return types_; }

 private:
  friend class VariableReader;
  static const Variable* find(const std::vector<Variable>& table, std::uint64_t place);

  std::vector<Variable> globals_;
  std::vector<Variable> thread_locals_;
  TypeTable types_;
};

}  // namespace heddle
