// std::call_once, also with an initialiser that throws.
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

std::once_flag flag, failing;
int calls, attempts;
void body() {
  std::call_once(flag, [] { ++calls; });
  try {
    std::call_once(failing, [] {
      if (++attempts == 1) throw std::runtime_error("again");
    });
  } catch (const std::runtime_error&) {
  }
}
int main() {
  std::thread a(body), b(body), c(body);
  a.join();
  b.join();
  c.join();
  assert(calls == 1);
}
