// A thread with a large stack, one with a stack of its own, and deep recursion.
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

static int depth_reached;
static int deep(int depth) {
  volatile char space[1000];
  space[0] = (char)depth;
  if (depth == 0) return space[0];
  return deep(depth - 1) + (space[0] & 0);
}
static void* body(void* argument) {
  deep(*(int*)argument);
  depth_reached = *(int*)argument;
  return argument;
}
int main(void) {
  pthread_attr_t attributes;
  pthread_t thread;
  int many = 50000, few = 10;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, (size_t)100 << 20);
  assert(pthread_create(&thread, &attributes, body, &many) == 0);
  pthread_join(thread, 0);
  void* memory = aligned_alloc(4096, 1 << 20);
  pthread_attr_setstack(&attributes, memory, 1 << 20);
  assert(pthread_create(&thread, &attributes, body, &few) == 0);
  pthread_join(thread, 0);
  assert(depth_reached == few);
  return 0;
}
