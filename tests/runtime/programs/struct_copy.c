// Structs are copied, as values and by memcpy, between threads that take turns under a lock.
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct Pair {
  int first, second;
};
struct Wide {
  int words[6];
};

static struct Pair pairs[2] = {{1, 1}, {2, 2}};
static struct Wide wides[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) static void copy_pair(struct Pair* to, const struct Pair* from) {
  *to = *from;
}
__attribute__((noinline)) static void copy_wide(struct Wide* to, const struct Wide* from) {
  *to = *from;
}
__attribute__((noinline)) static void copy_bytes(struct Wide* to, const struct Wide* from) {
  memcpy(to, from, sizeof *to);
}

static void* run(void* argument) {
  for (int i = 0; i < 20; ++i) {
    pthread_mutex_lock(&mutex);
    pairs[i % 2].first = pairs[i % 2].second = i;
    copy_pair(&pairs[1 - i % 2], &pairs[i % 2]);
    wides[0].words[2] = i;
    copy_wide(&wides[1], &wides[0]);
    copy_bytes(&wides[0], &wides[1]);
    assert(pairs[0].first == pairs[1].second);
    pthread_mutex_unlock(&mutex);
  }
  return argument;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, run, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
