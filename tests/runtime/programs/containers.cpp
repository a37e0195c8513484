// Containers and streams of the library, whose code is partly not instrumented.
#include <cassert>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <unordered_map>

std::mutex mutex;
std::map<std::string, int> ordered;
std::unordered_map<int, std::string> hashed;
void body(int start) {
  for (int i = start; i < start + 10; ++i) {
    std::ostringstream text;
    text << "key " << i;
    std::lock_guard<std::mutex> guard(mutex);
    ordered[text.str()] += i;
    hashed[i] = text.str() + " and a tail that does not fit into the string itself";
  }
}
int main() {
  std::thread a(body, 0), b(body, 5);
  a.join();
  b.join();
  assert(ordered.size() == 15 && hashed.size() == 15);
  assert(ordered["key 7"] == 14);
}
