// A child process runs by itself; waiting for it leaves the gate.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int counter;
static void* body(void* unused) {
  for (int i = 0; i < 5; ++i) ++counter;
  return unused;
}
int main(void) {
  pthread_t thread;
  const pid_t child = fork();
  if (child == 0) _exit(counter == 0 ? 9 : 8);
  int status = 0;
  assert(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 9);
  pthread_create(&thread, 0, body, 0);
  pthread_join(thread, 0);
  assert(counter == 5);
  return 0;
}
