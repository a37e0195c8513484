// Loaded by the program under test with dlopen.
#include <thread>

static int calls;
struct Loaded {
  Loaded() { ++calls; }
};
static Loaded loaded;

extern "C" int twice(int value) {
  int result = 0;
  std::thread([&] { result = 2 * value * calls; }).join();
  return result;
}
