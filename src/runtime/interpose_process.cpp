// Ending the process, making others, calls that block, and loading libraries.
#include <csignal>
#include <cstdlib>

#include <dlfcn.h>
#include <netdb.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/descriptor_io.h"
#include "runtime/exploration.h"
#include "runtime/process.h"
#include "runtime/thread_life.h"
#include "runtime/vehicle.h"

namespace heddle::runtime {
namespace {

// What a forked child does is not seen: it runs by itself.
void become_unseen() {
  set_current_thread(nullptr);
  use_all_processors();
}

pid_t fork_at_gate(Call& call) {
  call.touch(wire::SpecialDescriptor::process);
  event_log.unseen(wire::Unseen::forked_process);
  event_log.settle();
  go_home(call.self);  // the kernel's thread goes on in the child, with what the kernel has of it
  const pid_t child = REAL(fork)();
  call.saved_errno = errno;
  if (child == 0) become_unseen();
  return child;
}

}  // namespace

void log_exit(Thread& self) {
  Operation operation;
  operation.kind = EventKind::exit;
  gate.pass(self, operation);
  event_log.event(self, EventKind::exit, 0, 0);
  event_log.complete();
  set_current_thread(nullptr);
}

}  // namespace heddle::runtime

using namespace heddle::runtime;

INTERPOSE(void, exit, int status) {
  if (Thread* self = current_thread) run_thread_exits(*self);
  if (exploring && current_thread != nullptr) leave_explored(*current_thread, status);
  REAL(exit)(status);
  __builtin_unreachable();
}

// The ends that run no destructors.
#define ENDS_AT_ONCE(name)                              \
  INTERPOSE(void, name, int status) {                   \
    if (exploring && current_thread != nullptr) {       \
      leave_explored(*current_thread, status);          \
      end_execution();                                  \
    }                                                   \
    if (Thread* self = current_thread) log_exit(*self); \
    REAL(name)(status);                                 \
    __builtin_unreachable();                            \
  }

ENDS_AT_ONCE(_exit)
ENDS_AT_ONCE(_Exit)
ENDS_AT_ONCE(quick_exit)

INTERPOSE(pid_t, fork) {
  AT_GATE_OR(REAL(fork)());
  return fork_at_gate(call);
}

// A child that shares our memory would come to the gate as if it were us.
INTERPOSE(pid_t, vfork) {
  AT_GATE_OR(REAL(fork)());
  return fork_at_gate(call);
}

#define BLOCKING(result, name, arguments, ...) \
  INTERPOSE(result, name, __VA_ARGS__) {       \
    AT_GATE_OR(REAL(name) arguments);          \
    result answer;                             \
    {                                          \
      Outside outside(call);                   \
      answer = REAL(name) arguments;           \
    }                                          \
    return answer;                             \
  }

BLOCKING(pid_t, wait, (status), int* status)
BLOCKING(pid_t, waitpid, (process, status, options), pid_t process, int* status, int options)
BLOCKING(int, system, (command), const char* command)
BLOCKING(int, pclose, (file), FILE* file)
BLOCKING(int, pause, ())
BLOCKING(int, sigwait, (signals, number), const sigset_t* signals, int* number)
BLOCKING(int, sigwaitinfo, (signals, info), const sigset_t* signals, siginfo_t* info)
BLOCKING(int, sigtimedwait, (signals, info, timeout), const sigset_t* signals, siginfo_t* info,
         const timespec* timeout)
BLOCKING(int, sigsuspend, (signals), const sigset_t* signals)
BLOCKING(int, flock, (descriptor, operation), int descriptor, int operation)
BLOCKING(int, getaddrinfo, (node, service, hints, result), const char* node, const char* service,
         const addrinfo* hints, addrinfo** result)

// Initialisers of a library run while the loader holds its lock, so nobody else may go on.
INTERPOSE(void*, dlopen, const char* path, int mode) {
  AT_GATE_OR(REAL(dlopen)(path, mode));
  ++call.self.no_yield;
  void* library = REAL(dlopen)(path, mode);
  --call.self.no_yield;
  call.saved_errno = errno;
  define_new_modules();
  return library;
}

INTERPOSE(int, dlclose, void* library) {
  AT_GATE_OR(REAL(dlclose)(library));
  ++call.self.no_yield;
  const int result = REAL(dlclose)(library);
  --call.self.no_yield;
  return result;
}
