// A program that is hard to check, in the way that its argument says.
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

namespace {

std::mutex lock;
int shared = 0;

void count() {
  std::lock_guard guard(lock);
  ++shared;
}

void fork_a_child() {
  if (fork() == 0) _exit(0);
  int status = 0;
  wait(&status);
}

void print_all_bytes() {
  for (int byte = 0; byte < 256; ++byte) {
    std::fputc(byte, stdout);
    std::fputc(byte, stderr);
  }
}

void read_to_the_end() {
  while (std::getchar() != EOF) {
  }
}

void wait_for_nothing() {
  int ends[2];
  char byte = 0;
  if (pipe(ends) == 0 && read(ends[0], &byte, 1) < 0) std::abort();
}

[[noreturn]] void count_for_ever() {
  while (true) count();
}

}  // namespace

int main(int, char** arguments) {
  const std::string what = arguments[1];
  if (what == "aborts") std::abort();
  if (what == "nothreads") return 0;
  std::thread other(count);
  if (what == "forks") fork_a_child();
  if (what == "binary") print_all_bytes();
  if (what == "input") read_to_the_end();
  if (what == "blocks") wait_for_nothing();
  if (what == "counts") count_for_ever();
  other.join();
}
