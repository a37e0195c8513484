// Writes to descriptor 5, if there is one, after it has done enough to be taken for a long run.
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int counter;

static void* count(void* unused) {
  for (int i = 0; i < 1000; ++i) ++counter;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, count, NULL);
  pthread_join(thread, NULL);
  count(NULL);
  if (fcntl(5, F_GETFD) < 0) return 0;
  return write(5, "once\n", 5) == 5 ? 0 : 1;
}
