// expect: SIGABRT
#include <stdlib.h>

int main(void) {
  void* volatile block = malloc(10);
  free(block);
  free(block);
  return 0;
}
