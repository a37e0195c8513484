// Loaded by the program under test with dlopen.
#include <thread>

static volatile int calls;  // volatile, or the compiler does what the constructor does
struct Loaded {
  Loaded() { calls = calls + 1; }
};
static Loaded loaded;

extern "C" int twice(int value) {
  int result = 0;
  std::thread([&] { result = 2 * value * calls; }).join();
  return result;
}
