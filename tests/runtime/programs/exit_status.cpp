// expect: 7
// exit() from another thread than main.
#include <cstdlib>
#include <thread>

int main() {
  std::thread thread([] { std::exit(7); });
  thread.join();
}
