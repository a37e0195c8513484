// Memory that another process writes to.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int* shared = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  int* private = mmap(0, 10000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  private[2000] = 1;
  shared[5] = 1;
  if (fork() == 0) {
    shared[5] = 7;
    _exit(0);
  }
  wait(0);
  return shared[5] == 7 && private[2000] == 1 ? 0 : 1;
}
