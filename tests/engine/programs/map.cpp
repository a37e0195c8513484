// traces: 6
// Two threads count words in a map under a lock, and main takes them out again and prints them.
#include <iostream>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

std::map<std::string, int> counts;
std::mutex lock;

void count(const std::string& text) {
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::lock_guard guard(lock);
    ++counts[word];
  }
}

int main() {
  std::thread first(count, "one two");
  std::thread second(count, "two three");
  first.join();
  second.join();
  for (const auto& [word, number] : counts) std::cout << word << ' ' << number << '\n';
  while (!counts.empty()) counts.erase(counts.begin());
}
