// The kernel of a crawler: workers take pages from a list. Who finds enough of them cancels the
// search; the others look at the flag without its lock when their page was empty.
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

std::mutex list_lock, result_lock, state_lock;
int next_page = 0;
int pages = 0;
int results = 0;
bool cancelled = false;

int take_page() {
  const std::lock_guard guard(list_lock);
  return next_page < pages ? next_page++ : -1;
}

bool add_result() {
  const std::lock_guard guard(result_lock);
  return ++results == 2;
}

void cancel() {
  const std::lock_guard guard(state_lock);
  cancelled = true;
}

void crawl() {
  for (int page = take_page(); page >= 0; page = take_page()) {
    if (page % 2 == 0) {
      if (add_result()) cancel();
    } else if (cancelled) {
      return;
    }
  }
}

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 2;
  pages = count + 2;
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back(crawl);
  for (std::thread& thread : threads) thread.join();
  return 0;
}
