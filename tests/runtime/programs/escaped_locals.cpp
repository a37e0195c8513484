// A local object that another thread uses: the accesses of both have to be seen, those to its
// later members by the function that owns it, too.
#include <cstdio>
#include <thread>

struct Pair {
  int first = 0;
  int second = 0;
};

int main() {
  Pair pair;
  int items[4] = {};
  std::thread other([&] {
    pair.second = 1;
    items[2] = 1;
  });
  other.join();
  pair.second += 2;
  items[2] += 2;
  std::printf("%d %d\n", pair.second, items[2]);
}
