// Each thread blocks signals of its own, has its own stack for handlers, and a signal that is sent
// to a thread comes to that one.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>

enum { kThreads = 3, kStack = 1 << 16 };
static const int signals[kThreads] = {SIGUSR1, SIGUSR2, SIGWINCH};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_t threads[kThreads];
static char stacks[kThreads][kStack];
static volatile sig_atomic_t handled[kThreads];
static int turns;

static int own_number(void) {
  for (int i = 0; i < kThreads; ++i) {
    if (pthread_equal(pthread_self(), threads[i])) return i;
  }
  return -1;
}

static void on_signal(int number) {
  (void)number;
  char here;
  const int own = own_number();
  handled[own] = &here >= stacks[own] && &here < stacks[own] + kStack;
}

static void take_turns(void) {
  for (int i = 0; i < 10; ++i) {
    pthread_mutex_lock(&mutex);
    ++turns;
    pthread_mutex_unlock(&mutex);
  }
}

static void* body(void* argument) {
  const long own = (long)argument;
  take_turns();  // before anything is said about signals
  sigset_t wanted, seen;
  sigemptyset(&wanted);
  sigaddset(&wanted, signals[own]);
  assert(pthread_sigmask(SIG_BLOCK, &wanted, 0) == 0);
  stack_t stack = {.ss_sp = stacks[own], .ss_size = kStack};
  assert(sigaltstack(&stack, 0) == 0);
  take_turns();
  assert(pthread_sigmask(SIG_BLOCK, 0, &seen) == 0);
  for (int i = 0; i < kThreads; ++i) assert(sigismember(&seen, signals[i]) == (i == own));
  pthread_mutex_lock(&mutex);
  ++turns;
  pthread_mutex_unlock(&mutex);
  while (!handled[own]) sched_yield();
  return 0;
}

int main(void) {
  pthread_mutex_lock(&mutex);
  for (long i = 0; i < kThreads; ++i) pthread_create(&threads[i], 0, body, (void*)i);
  pthread_mutex_unlock(&mutex);
  for (;;) {
    pthread_mutex_lock(&mutex);
    if (turns == 21 * kThreads) break;
    pthread_mutex_unlock(&mutex);
    sched_yield();
  }
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
  assert(sigaction(SIGURG, &action, 0) == 0);
  for (int i = 0; i < kThreads; ++i) assert(pthread_kill(threads[i], SIGURG) == 0);
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], 0);
  return 0;
}
