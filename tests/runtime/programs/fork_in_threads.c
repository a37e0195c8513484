// Threads make child processes after others have run; the children are whole, and make threads.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int turns;

static void* in_child(void* unused) {
  assert(gettid() != getpid());
  return unused;
}

static int child(void) {
  if (gettid() != getpid()) return 1;
  for (int i = 0; i < 3; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, 0, in_child, 0) != 0 || pthread_join(thread, 0) != 0) return 2;
  }
  return 9;
}

static void* body(void* unused) {
  for (int i = 0; i < 5; ++i) {
    pthread_mutex_lock(&mutex);
    ++turns;
    pthread_mutex_unlock(&mutex);
  }
  pthread_mutex_lock(&mutex);  // so that nobody goes on while this one waits
  const pid_t process = fork();
  if (process == 0) _exit(child());
  int status = 0;
  assert(waitpid(process, &status, 0) == process && WEXITSTATUS(status) == 9);
  ++turns;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_mutex_lock(&mutex);
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, body, 0);
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  assert(turns == 18);
  return 0;
}
