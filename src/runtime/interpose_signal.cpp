// Signal handlers. One that comes from outside, at any moment, may interrupt a thread that
// does not hold the token, or the runtime itself; so it runs unseen, as if the program ran by
// itself. One that the thread caused (a bad access, raise) comes at a place of its own, and
// runs at the gate. Either belongs to a thread of the kernel's, so a program that has one keeps
// to these (vehicle.h).
#include <csignal>

#include "runtime/interpose.h"
#include "runtime/vehicle.h"

namespace heddle::runtime {
namespace {

struct UserAction {
  struct sigaction action;
  bool known;
};
LARGE UserAction actions[NSIG];

bool caused_by_thread(int number, const siginfo_t* info) {
  switch (number) {
    case SIGSEGV:
    case SIGBUS:
    case SIGFPE:
    case SIGILL:
    case SIGTRAP: return info->si_code > 0;
    case SIGABRT: return true;
    default: return false;
  }
}

// One that a thread causes by what it does is all that most programs handle.
bool comes_from_outside(int number) {
  siginfo_t caused = {};
  caused.si_code = 1;
  return !caused_by_thread(number, &caused);
}

void call_handler(int number, siginfo_t* info, void* context) {
  const struct sigaction& action = actions[number].action;
  if ((action.sa_flags & SA_SIGINFO) != 0) {
    action.sa_sigaction(number, info, context);
  } else {
    action.sa_handler(number);
  }
}

void on_signal(int number, siginfo_t* info, void* context) {
  Thread* self = current_thread;
  if (self == nullptr || caused_by_thread(number, info)) {
    if (self != nullptr) event_log.abandon_write();
    return call_handler(number, info, context);
  }
  const int saved_errno = errno;
  set_current_thread(nullptr);
  call_handler(number, info, context);
  set_current_thread(self);
  errno = saved_errno;
}

bool is_function(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) != 0 ||
         (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN);
}

// Puts on_signal in front of the program's handler.
int set_action(int number, const struct sigaction* wanted, struct sigaction* old) {
  if (number <= 0 || number >= NSIG) return REAL(sigaction)(number, wanted, old);
  UserAction& kept = actions[number];
  const UserAction before = kept;
  struct sigaction wrapped = {};
  if (wanted != nullptr) {
    wrapped = *wanted;
    kept.known = is_function(*wanted);
    kept.action = *wanted;
    if (kept.known) {
      go_home_for_good(*current_thread);
      if (comes_from_outside(number)) event_log.unseen(wire::Unseen::signal_handler);
      wrapped.sa_sigaction = on_signal;
      wrapped.sa_flags |= SA_SIGINFO;
    }
  }
  const int result = REAL(sigaction)(number, wanted != nullptr ? &wrapped : nullptr, old);
  if (result != 0) kept = before;
  if (result == 0 && old != nullptr && before.known) *old = before.action;
  return result;
}

}  // namespace
}  // namespace heddle::runtime

using namespace heddle::runtime;

INTERPOSE(int, sigaction, int number, const struct sigaction* wanted, struct sigaction* old) {
  if (current_thread == nullptr) return REAL(sigaction)(number, wanted, old);
  return set_action(number, wanted, old);
}

INTERPOSE(sighandler_t, signal, int number, sighandler_t handler) {
  if (current_thread == nullptr) return REAL(signal)(number, handler);
  struct sigaction wanted = {};
  struct sigaction old = {};
  wanted.sa_handler = handler;
  wanted.sa_flags = SA_RESTART;
  return set_action(number, &wanted, &old) == 0 ? old.sa_handler : SIG_ERR;
}
