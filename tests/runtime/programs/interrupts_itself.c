// expect: SIGINT
// Interrupts Heddle and itself, as Ctrl-C does.
#include <signal.h>
#include <unistd.h>

static int counter;
int main(void) {
  ++counter;
  kill(getppid(), SIGINT);
  usleep(1000);
  kill(getpid(), SIGINT);
  for (;;) pause();
}
