// What the kernel keeps by thread: a thread asks for it, and sets it, on its own thread of the
// operating system (vehicle.h). Nothing of this is an event.
#include <csignal>

#include <pthread.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "runtime/interpose.h"
#include "runtime/vehicle.h"

using namespace heddle::runtime;

namespace {

void ask_at_home() {
  if (Thread* self = current_thread) go_home(*self);
}

// What is set holds for the time to come, and what is sent comes when it likes.
void stay_at_home() {
  if (Thread* self = current_thread) go_home_for_good(*self);
}

}  // namespace

INTERPOSE(pid_t, gettid) {
  ask_at_home();
  return REAL(gettid)();
}

INTERPOSE(int, pthread_getname_np, pthread_t handle, char* name, std::size_t size) {
  ask_at_home();
  return REAL(pthread_getname_np)(handle, name, size);
}

INTERPOSE(int, prctl, int option, unsigned long a, unsigned long b, unsigned long c,
          unsigned long d) {
  option == PR_GET_NAME || option == PR_SET_NAME ? ask_at_home() : stay_at_home();
  return REAL(prctl)(option, a, b, c, d);
}

INTERPOSE(int, pthread_sigmask, int how, const sigset_t* wanted, sigset_t* old) {
  if (wanted != nullptr) stay_at_home();
  return REAL(pthread_sigmask)(how, wanted, old);
}

INTERPOSE(int, sigprocmask, int how, const sigset_t* wanted, sigset_t* old) {
  if (wanted != nullptr) stay_at_home();
  return REAL(sigprocmask)(how, wanted, old);
}

INTERPOSE(int, sigaltstack, const stack_t* wanted, stack_t* old) {
  if (wanted != nullptr) stay_at_home();
  return REAL(sigaltstack)(wanted, old);
}

INTERPOSE(int, pthread_kill, pthread_t handle, int number) {
  stay_at_home();
  return REAL(pthread_kill)(handle, number);
}

INTERPOSE(int, pthread_sigqueue, pthread_t handle, int number, sigval value) {
  stay_at_home();
  return REAL(pthread_sigqueue)(handle, number, value);
}

INTERPOSE(int, tgkill, pid_t process, pid_t thread, int number) {
  stay_at_home();
  return REAL(tgkill)(process, thread, number);
}
