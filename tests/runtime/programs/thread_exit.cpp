// pthread_exit runs the destructors of all frames on its way.
#include <cassert>

#include <pthread.h>

int destroyed;
struct Guard {
  ~Guard() { ++destroyed; }
};
void deeper(int depth) {
  Guard guard;
  if (depth == 0) pthread_exit(&destroyed);
  deeper(depth - 1);
}
void* body(void*) {
  Guard guard;
  deeper(3);
  return nullptr;
}
int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, body, nullptr);
  void* result = nullptr;
  pthread_join(thread, &result);
  assert(result == &destroyed && destroyed == 5);
}
