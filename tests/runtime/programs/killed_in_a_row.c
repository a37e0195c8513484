// expect: SIGKILL
#include <signal.h>
#include <unistd.h>

int numbers[100];
int main(void) {
  for (int i = 0; i < 100; ++i) numbers[i] = 2 * i;
  kill(getpid(), SIGKILL);
  for (;;) pause();
}
