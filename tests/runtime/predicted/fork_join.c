// Children of children: what join orders is no race, what it does not order is one.
#include <pthread.h>
#include <stdlib.h>

static int ordered;
static int unordered;
static int* block;

static void* grandchild(void* unused) {
  ++ordered;
  ++unordered;
  *block = 3;
  return unused;
}

static void* child(void* unused) {
  pthread_t thread;
  ++ordered;
  pthread_create(&thread, NULL, grandchild, NULL);
  pthread_join(thread, NULL);
  ++ordered;
  return unused;
}

static void* other(void* unused) {
  pthread_t thread;
  pthread_create(&thread, NULL, grandchild, NULL);
  pthread_join(thread, NULL);
  return unused;
}

int main(void) {
  pthread_t one, two;
  block = malloc(sizeof(int));
  pthread_create(&one, NULL, child, NULL);
  pthread_join(one, NULL);
  pthread_create(&one, NULL, other, NULL);
  pthread_create(&two, NULL, child, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  free(block);
  return ordered > 0 && unordered > 0 ? 0 : 1;
}
