// A handler that sets a flag, and one that leaves a bad access by siglongjmp.
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>

static volatile sig_atomic_t interrupted;
static sigjmp_buf back;
static int* volatile nowhere;
static void on_user(int number) { interrupted = number; }
static void on_fault(int number) {
  (void)number;
  siglongjmp(back, 1);
}
static void* body(void* unused) {
  if (sigsetjmp(back, 1) == 0) *nowhere = 1;
  return unused;
}
int main(void) {
  struct sigaction action = {.sa_handler = on_user}, old;
  assert(sigaction(SIGUSR1, &action, 0) == 0);
  assert(sigaction(SIGUSR1, 0, &old) == 0 && old.sa_handler == on_user);
  assert(signal(SIGSEGV, on_fault) == SIG_DFL);
  raise(SIGUSR1);
  assert(interrupted == SIGUSR1);
  pthread_t thread;
  pthread_create(&thread, 0, body, 0);
  pthread_join(thread, 0);
  return 0;
}
