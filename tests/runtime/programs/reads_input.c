// Does as many steps as there are characters on its standard input.
#include <stdio.h>

int steps;

int main(void) {
  while (getchar() != EOF) ++steps;
  return 0;
}
