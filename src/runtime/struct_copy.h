// Copies of structs, as GCC announces them: the hook of the write, the hook of the read, and
// only then the loads and stores.
//
// For an ordinary pair of a write and a read, the store has happened when the second hook
// runs. Which of the two it is follows from the code between the two calls: if it only loads
// registers, nothing was stored. Then the read belongs before the write, nobody else may go
// on between them, and the value of the write is there at the operation after the next.
#pragma once

#include <cstdint>

namespace heddle::runtime {

// Whether the code between the two hooks, which is not much, only loads registers.
bool only_loads_between(std::uint64_t write_pc, std::uint64_t read_pc);

// Both are return addresses: of the write's hook, and of the read's.
inline bool is_struct_copy(std::uint64_t write_pc, std::uint64_t read_pc) {
  constexpr std::uint64_t kCallBytes = 5;
  constexpr std::uint64_t kMostBytes = 32;
  return read_pc - write_pc - kCallBytes <= kMostBytes - kCallBytes &&
         only_loads_between(write_pc, read_pc);
}

}  // namespace heddle::runtime
