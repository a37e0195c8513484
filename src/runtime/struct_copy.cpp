#include "runtime/struct_copy.h"

#include "runtime/ground_rules.h"

namespace heddle::runtime {
namespace {

constexpr std::uint64_t kCallBytes = 5;

struct Known {
  std::uint64_t write_pc;
  std::uint64_t read_pc;
  bool copies;
};
LARGE Known known[64];

// The bytes of a ModRM operand, beginning with the ModRM byte itself.
std::uint64_t operand_bytes(const std::uint8_t* at) {
  const unsigned mode = at[0] >> 6;
  const unsigned base = at[0] & 7;
  if (mode == 3) return 1;
  const std::uint64_t index = base == 4 ? 1 : 0;
  if (mode == 0) {
    const bool far = base == 5 || (base == 4 && (at[1] & 7) == 5);
    return 1 + index + (far ? 4 : 0);
  }
  return 1 + index + (mode == 1 ? 1 : 4);
}

// The length of an instruction that changes nothing but a register; 0 for any other.
std::uint64_t length_of_register_load(const std::uint8_t* at) {
  const std::uint64_t prefix = (at[0] & 0xf0) == 0x40 ? 1 : 0;
  const bool wide = prefix != 0 && (at[0] & 8) != 0;
  const std::uint8_t* code = at + prefix;
  switch (code[0]) {
    case 0x31:                                               // xor between registers
    case 0x89: return code[1] >> 6 == 3 ? prefix + 2 : 0;    // move between registers
    case 0x8b:                                               // load
    case 0x8d: return prefix + 1 + operand_bytes(code + 1);  // address
    case 0x83: return code[1] >> 6 == 3 ? prefix + 3 : 0;    // arithmetic with a small constant
    case 0x81:                                               // with a large one
    case 0xc7: return code[1] >> 6 == 3 ? prefix + 6 : 0;    // constant
    default: break;
  }
  if ((code[0] & 0xf8) == 0xb8) return prefix + (wide ? 9 : 5);  // constant
  return 0;
}

bool only_loads_registers(std::uint64_t from, std::uint64_t to) {
  while (from < to) {
    const std::uint64_t length =
        length_of_register_load(reinterpret_cast<const std::uint8_t*>(from));
    if (length == 0) return false;
    from += length;
  }
  return from == to;
}

bool find_out(std::uint64_t write_pc, std::uint64_t read_pc) {
  constexpr std::uint8_t kCall = 0xe8;
  const std::uint64_t call = read_pc - kCallBytes;
  if (*reinterpret_cast<const std::uint8_t*>(call) != kCall) return false;
  return only_loads_registers(write_pc, call);
}

}  // namespace

bool only_loads_between(std::uint64_t write_pc, std::uint64_t read_pc) {
  Known& entry = known[(write_pc ^ write_pc >> 6) & 63];
  if (entry.write_pc != write_pc || entry.read_pc != read_pc) {
    entry = {write_pc, read_pc, find_out(write_pc, read_pc)};
  }
  return entry.copies;
}

}  // namespace heddle::runtime
