// A static local variable is initialised once, by whoever comes first.
#include <cassert>
#include <thread>

int initialisations;
struct Costly {
  int value;
  Costly() : value(++initialisations) {}
};
Costly& costly() {
  static Costly instance;
  return instance;
}
int main() {
  std::thread a([] { assert(costly().value == 1); });
  std::thread b([] { assert(costly().value == 1); });
  a.join();
  b.join();
  assert(initialisations == 1);
}
