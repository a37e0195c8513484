// Reads a line, if there is one, while another thread counts.
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int count;

static void* run(void* argument) {
  for (int i = 0; i < 10; ++i) ++count;
  return argument;
}

int main(void) {
  pthread_t thread;
  char line[64];
  pthread_create(&thread, NULL, run, NULL);
  const ssize_t size = read(0, line, sizeof line);
  pthread_join(thread, NULL);
  if (size > 0) printf("read: %.*s", (int)size, line);
  return 0;
}
