// Two threads add to a sum without a lock, and read it afterwards: the reads race with the other's
// addition, but not before the two additions do.
#include <thread>

int sum = 0;
int seen[2];

void add(int which) {
  sum += 1;
  seen[which] = sum;
}

int main() {
  std::thread one(add, 0);
  std::thread two(add, 1);
  one.join();
  two.join();
  return 0;
}
