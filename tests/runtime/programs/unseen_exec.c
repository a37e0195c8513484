// The process becomes another program, which Heddle does not see.
#include <unistd.h>

int shared;

int main(void) {
  shared = 1;
  execl("/nowhere/at-all", "at-all", (char*)0);
  execl("/bin/sh", "sh", "-c", "exit 3", (char*)0);
  return 1;
}
// expect: 3
