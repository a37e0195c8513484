// The values of accesses.
#pragma once

#include <cstdint>

namespace heddle::runtime {

// Whether an access of this size has a value in a trace.
inline bool has_value(std::uint32_t size) { return size <= 8 && (size & (size - 1)) == 0; }

// Reads what may race with nobody: the gate lets one thread run. Volatile and byte-wise for
// odd addresses, so that the compiler assumes nothing.
inline std::uint64_t load(std::uint64_t address, std::uint32_t size) {
  struct [[gnu::packed]] Word {
    std::uint64_t value;
  };
  switch (size) {
    case 1: return *reinterpret_cast<const volatile std::uint8_t*>(address);
    case 2: {
      struct [[gnu::packed, gnu::may_alias]] Half {
        std::uint16_t value;
      };
      return reinterpret_cast<const volatile Half*>(address)->value;
    }
    case 4: {
      struct [[gnu::packed, gnu::may_alias]] Int {
        std::uint32_t value;
      };
      return reinterpret_cast<const volatile Int*>(address)->value;
    }
    default: {
      struct [[gnu::packed, gnu::may_alias]] Long {
        std::uint64_t value;
      };
      return reinterpret_cast<const volatile Long*>(address)->value;
    }
  }
}

}  // namespace heddle::runtime
