// The kernel of a crawler: workers take pages from a list, fetch them over one connection, and put
// their links on the list. Who finds enough pages cancels the search. A worker that comes upon a
// broken page looks at the flag without its lock: right then another one has to have found the last
// page that was wanted.
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

constexpr int kWanted = 6;

std::mutex list_lock, connection_lock, result_lock, state_lock;
int next_page = 0;
int links = 0;
int pages = 0;
int fetched = 0;
int results = 0;
bool cancelled = false;

int take_page() {
  const std::lock_guard guard(list_lock);
  return next_page < pages ? next_page++ : -1;
}

bool is_broken(int page) { return page < 6 && page % 2 == 0; }

void fetch() {
  const std::lock_guard guard(connection_lock);
  ++fetched;
}

void add_link() {
  const std::lock_guard guard(list_lock);
  ++links;
}

bool add_result() {
  const std::lock_guard guard(result_lock);
  return ++results == kWanted;
}

void cancel() {
  const std::lock_guard guard(state_lock);
  cancelled = true;
}

void crawl() {
  for (int page = take_page(); page >= 0; page = take_page()) {
    fetch();
    if (is_broken(page)) {
      if (cancelled) return;
      continue;
    }
    for (int i = 0; i < page % 3; ++i) add_link();
    if (add_result()) cancel();
  }
}

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 2;
  pages = kWanted + 4;
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back(crawl);
  for (std::thread& thread : threads) thread.join();
  return 0;
}
