// expect: SIGABRT
#include <stdexcept>
#include <thread>

int main() {
  std::thread thread([] { throw std::runtime_error("nobody catches this"); });
  thread.join();
}
