// The kernel's futex, by which the runtime itself waits. Plain system calls: libc's
// syscall() is interposed, and errno is the program's.
#pragma once

#include <atomic>
#include <cstdint>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>

namespace heddle::runtime {

inline long system_call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0,
                        long f = 0) {
  long result = number;
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register long r9 asm("r9") = f;
  asm volatile("syscall"
               : "+a"(result)
               : "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;
}

enum class Sharing : int { threads = FUTEX_PRIVATE_FLAG, processes = 0 };

// Returns at once when the word is not `expected`; may return for no reason.
inline void futex_wait(std::atomic<std::uint32_t>* word, std::uint32_t expected,
                       Sharing sharing = Sharing::threads, const timespec* timeout = nullptr) {
  system_call(SYS_futex, reinterpret_cast<long>(word), FUTEX_WAIT | static_cast<int>(sharing),
              static_cast<long>(expected), reinterpret_cast<long>(timeout));
}

inline void futex_wake(std::atomic<std::uint32_t>* word, int count,
                       Sharing sharing = Sharing::threads) {
  system_call(SYS_futex, reinterpret_cast<long>(word), FUTEX_WAKE | static_cast<int>(sharing),
              count);
}

}  // namespace heddle::runtime
