// A read that has to wait lets others go on.
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2], back[2];
static void* body(void* unused) {
  char text[6] = {0};
  assert(read(ends[0], text, 5) == 5);
  assert(text[0] == 'h' && text[4] == 'o');
  assert(write(back[1], "x", 1) == 1);
  return unused;
}
int main(void) {
  pthread_t thread;
  assert(pipe(ends) == 0 && pipe(back) == 0);
  pthread_create(&thread, 0, body, 0);
  struct pollfd waits = {back[0], POLLIN, 0};
  assert(poll(&waits, 1, 0) >= 0);
  assert(write(ends[1], "hello", 5) == 5);
  assert(poll(&waits, 1, -1) == 1 && waits.revents == POLLIN);
  pthread_join(thread, 0);
  close(ends[0]);
  return 0;
}
