// expect: SIGKILL
#include <signal.h>
#include <unistd.h>

int counter;
int main(void) {
  for (int i = 0; i < 1000; ++i) ++counter;
  kill(getpid(), SIGKILL);
  for (;;) pause();
}
