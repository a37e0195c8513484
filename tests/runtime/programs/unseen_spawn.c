// A child process by posix_spawn, which Heddle does not see.
#include <spawn.h>
#include <sys/wait.h>

extern char** environ;

int main(void) {
  char* words[] = {"sh", "-c", "exit 5", 0};
  int status = 0;
  if (posix_spawnp(0, "sh", 0, 0, words, environ) != 0) return 1;
  wait(&status);
  return WEXITSTATUS(status) == 5 ? 0 : 2;
}
