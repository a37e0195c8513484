// Crashes of an explored program: they end the thread, not the search.
#include <csignal>

#include <ucontext.h>

#include "runtime/event_log.h"
#include "runtime/exploration_state.h"
#include "runtime/snapshot.h"

namespace heddle::runtime::exploration {

using explored::Wrong;

namespace {

constexpr std::size_t kCrashStack = std::size_t{64} << 10;

KEPT char* crash_stack;
KEPT std::uint64_t crash_pc;
KEPT int crash_signal;

void land_after_crash() {
  const char* what = crash_signal == SIGSEGV  ? "segmentation fault (SIGSEGV)"
                     : crash_signal == SIGBUS ? "bus error (SIGBUS)"
                     : crash_signal == SIGFPE ? "arithmetic error (SIGFPE)"
                                              : "illegal instruction (SIGILL)";
  event_log.abandon_write();
  fail_explored(Wrong::crash, what, crash_pc);
}

// A first write to a protected page, or the end of a thread that did something bad: it lands,
// as it were, in land_after_crash, on a stack that is certainly there.
void on_fault(int number, siginfo_t* info, void* context) {
  const auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
  if (number == SIGSEGV && settle_fault(address)) return;
  auto* registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  if (running == nullptr) fail("the engine of the search crashed, which is a mistake in Heddle");
  crash_pc = static_cast<std::uint64_t>(registers[REG_RIP]);
  crash_signal = number;
  const std::uint64_t top = reinterpret_cast<std::uint64_t>(crash_stack) + kCrashStack;
  registers[REG_RSP] = static_cast<greg_t>((top & ~std::uint64_t{15}) - 8);
  registers[REG_RIP] = reinterpret_cast<greg_t>(&land_after_crash);
}

}  // namespace

void handle_faults() {
  crash_stack = static_cast<char*>(map_kept_pages(kCrashStack));
  stack_t stack = {};
  stack.ss_size = std::size_t{256} << 10;
  stack.ss_sp = map_kept_pages(stack.ss_size);
  ::sigaltstack(&stack, nullptr);
  struct sigaction action = {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) {
    REAL(sigaction)(number, &action, nullptr);
  }
}

int signal_of_crash() { return crash_signal; }

}  // namespace heddle::runtime::exploration
