// finds: race
// Two threads write to one string: all of that happens inside the C++ library.
#include <string>
#include <thread>

std::string shared = "something that is long enough for the heap";

int main() {
  std::thread first([] { shared.assign("other text, which is long enough too"); });
  std::thread second([] { shared.replace(0, 5, "abcde"); });
  first.join();
  second.join();
}
