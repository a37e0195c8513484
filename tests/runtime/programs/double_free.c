// expect: SIGABRT
#include <stdlib.h>

int main(void) {
  char* block = malloc(10);
  free(block);
  free(block);
  return 0;
}
