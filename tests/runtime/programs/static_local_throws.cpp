// An initialiser that throws did not happen: the next caller tries again.
#include <cassert>
#include <stdexcept>
#include <thread>

int attempts;
int make() {
  if (++attempts == 1) throw std::runtime_error("not yet");
  return 5;
}
int value() {
  static int instance = make();
  return instance;
}
void use() {
  try {
    assert(value() == 5);
  } catch (const std::runtime_error&) {
    assert(value() == 5);
  }
}
int main() {
  std::thread a(use), b(use);
  a.join();
  b.join();
  assert(attempts == 2);
}
