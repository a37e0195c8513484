// finds: nothing
#include <semaphore.h>

#include "threads.h"

static sem_t places;
static int inside;

static void* run(void* unused) {
  (void)unused;
  sem_wait(&places);
  assert(++inside == 1);
  --inside;
  sem_post(&places);
  return NULL;
}

int main(void) {
  sem_init(&places, 0, 1);
  run_threads(3, run);
  return 0;
}
