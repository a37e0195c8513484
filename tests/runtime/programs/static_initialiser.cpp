// Threads before main, and after it.
#include <cassert>
#include <thread>

int early, late;
struct Early {
  Early() {
    std::thread([] { ++early; }).join();
  }
  ~Early() {
    std::thread([] { ++late; }).join();
  }
};
Early instance;
int main() { assert(early == 1); }
