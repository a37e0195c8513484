// The few words that nearly every hook looks at.
//
// A hook in libheddle_rt.so is called by an indirect jump, which costs as much again as the hook
// itself. So the usual case of the most frequent ones stands in the program, too
// (near/near_hooks.cpp), and reaches these words. They, the table of owners and the layout of
// ShadowStack are an agreement between a program and the runtime it is started with: whoever
// changes it changes the number in the names, so that the loader refuses what does not fit.
#pragma once

#include <cstddef>
#include <cstdint>

#define HEDDLE_HOT(name) __asm__("__tsan_heddle_" name "_1") __attribute__((visibility("default")))

namespace heddle::runtime {

class ShadowStack;

inline constexpr std::uint64_t kGranule = 8;  // of memory that has one owner
inline constexpr std::uint64_t kOwnerTable = 0x5800'0000'0000;

struct HotWords {
  std::int64_t countdown;       // accesses that may be left out before the gate is asked
  std::uint64_t last_write_pc;  // where the last write was announced; see struct_copy.h
};
extern HotWords hot_words HEDDLE_HOT("words");
// Whether some functions of the program are not interrupted (atomic_functions.h).
extern bool has_atomic_functions HEDDLE_HOT("atomic_functions");

// Of the calling thread while it is at the gate: its mark as an owner, or one that owns nothing,
// and its call stack, or none.
extern __thread std::uint16_t current_mark HEDDLE_HOT("mark")
    __attribute__((tls_model("initial-exec")));
extern __thread ShadowStack* current_stack HEDDLE_HOT("stack")
    __attribute__((tls_model("initial-exec")));

// An access of 16 bytes, for is_left_out().
inline bool pair_is_left_out(std::uint64_t address) {
  if ((address & (kGranule - 1)) != 0 || hot_words.countdown <= 0) return false;
  const auto* const owners =
      reinterpret_cast<const std::uint16_t*>(kOwnerTable) + address / kGranule;
  if (owners[0] != current_mark || owners[1] != current_mark) return false;
  --hot_words.countdown;
  return true;
}

// True for an access to private memory that is left out; it is counted, and there is nothing else
// to do. This is what most hooks come to, so it is written out: a compiler takes a third more
// instructions.
[[gnu::always_inline]] inline bool is_left_out(std::uint64_t address, std::size_t size) {
  if (size == 2 * kGranule) return pair_is_left_out(address);
  if (size > kGranule || (address & (size - 1)) != 0) return false;
  asm goto(
      "cmpq $0, %[count]\n\t"
      "jle %l[slowly]\n\t"
      "cmpw %w[mark], (%[table], %[granule], 2)\n\t"
      "jne %l[slowly]\n\t"
      "subq $1, %[count]"
      :
      : [count] "m"(hot_words.countdown), [mark] "r"(current_mark), [table] "r"(kOwnerTable),
        [granule] "r"(address / kGranule)
      : "cc", "memory"
      : slowly);
  return true;
slowly:
  return false;
}

}  // namespace heddle::runtime
