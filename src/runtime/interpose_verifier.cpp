// What programs of the verification community leave to the checker: reach_error, assumptions,
// any value, and sections that nobody interrupts. A program that is not explored has nobody to
// decide these for it: it gets zeros.
//
// A section is one lock for the whole program, and whoever holds it goes on as long as it can. So
// what is in sections comes in every order, each as a whole. Operations in a section that others
// see are carried out with it, and their order to those outside is not searched: that is said.
#include <cstdlib>
#include <limits>

#include "runtime/atomic_functions.h"
#include "runtime/exploration.h"
#include "runtime/interpose.h"

namespace heddle::runtime {
namespace {

bool is_explored() { return exploring && current_thread != nullptr; }

// One of the values of the search's range that the type can have.
template <typename T>
T any_value(std::uint64_t pc) {
  if (!is_explored()) return T{};
  const wire::Settings& settings = event_log.header()->settings;
  using Limits = std::numeric_limits<T>;
  std::int64_t low = settings.nondet_low;
  std::int64_t high = settings.nondet_high;
  if constexpr (sizeof(T) < 8 || !Limits::is_signed) {
    constexpr int kBits = Limits::digits < 63 ? Limits::digits : 63;
    constexpr auto kLargest = static_cast<std::int64_t>((std::uint64_t{1} << kBits) - 1);
    constexpr std::int64_t kSmallest = Limits::is_signed ? -kLargest - 1 : 0;
    low = low < kSmallest ? kSmallest : low;
    high = high > kLargest ? kLargest : high;
  }
  if (low > high) return T{};
  const auto choices = static_cast<std::uint32_t>(high - low + 1);
  const std::uint32_t chosen = choices > 1 ? choose_explored(*current_thread, choices, pc) : 0;
  const std::int64_t value = low + chosen;
  return static_cast<T>(value);
}

}  // namespace
}  // namespace heddle::runtime

using namespace heddle::runtime;
using heddle::explored::Wrong;

HEDDLE_EXPORT void reach_error() {
  if (!is_explored()) std::abort();
  fail_explored(Wrong::assertion, "reach_error is reached", CALLER);
}

HEDDLE_EXPORT void __VERIFIER_error() { reach_error(); }

HEDDLE_EXPORT void __VERIFIER_assume(int condition) {
  if (condition != 0) return;
  if (!is_explored()) std::exit(0);
  fail_explored(Wrong::assumption, "an assumption does not hold", CALLER);
}

HEDDLE_EXPORT bool __VERIFIER_nondet_bool() {
  return is_explored() && choose_explored(*current_thread, 2, CALLER) != 0;
}

#define ANY(type, name) \
  HEDDLE_EXPORT type __VERIFIER_nondet_##name() { return any_value<type>(CALLER); }

ANY(char, char)
ANY(signed char, schar)
ANY(unsigned char, uchar)
ANY(short, short)
ANY(unsigned short, ushort)
ANY(int, int)
ANY(unsigned, uint)
ANY(unsigned, unsigned)
ANY(long, long)
ANY(unsigned long, ulong)
ANY(long long, longlong)
ANY(unsigned long long, ulonglong)
ANY(std::size_t, size_t)
ANY(std::int8_t, int8_t)
ANY(std::uint8_t, u8)
ANY(std::uint16_t, u16)
ANY(std::uint32_t, u32)
ANY(std::uint64_t, u64)

HEDDLE_EXPORT void __VERIFIER_atomic_begin() {
  if (is_explored()) enter_atomic_section(*current_thread, CALLER);
}

HEDDLE_EXPORT void __VERIFIER_atomic_end() {
  if (is_explored()) leave_atomic_section(*current_thread, CALLER);
}
