// A race is nothing that stops a recording: the gate makes it harmless.
#include <thread>

int data, flag;
int main() {
  std::thread producer([] {
    data = 42;
    flag = 1;
  });
  int seen = flag ? data : 0;
  producer.join();
  return seen == 42 || seen == 0 ? 0 : 1;
}
