// A program whose threads use an instrumented shared library, linked and loaded.
#include <cassert>
#include <thread>

#include <dlfcn.h>

int counted();
void count(int times);

int main(int, char** arguments) {
  std::thread a(count, 10), b(count, 10);
  a.join();
  b.join();
  assert(counted() == 20);
  void* loaded = dlopen(arguments[1], RTLD_NOW);
  assert(loaded != nullptr);
  auto twice = reinterpret_cast<int (*)(int)>(dlsym(loaded, "twice"));
  int result = 0;
  std::thread c([&] { result = twice(4); });
  c.join();
  assert(result == 8);
  dlclose(loaded);
}
