// Double-checked locking with a plain pointer: the first check reads what another thread
// may be writing, and may see the pointer before the object behind it.
#include <cstdio>
#include <mutex>
#include <thread>

namespace {

struct Settings {
  int verbosity = 3;
  int retries = 5;
};

std::mutex lock;
Settings* settings = nullptr;

Settings& instance() {
  if (settings == nullptr) {
    std::lock_guard guard(lock);
    if (settings == nullptr) settings = new Settings;
  }
  return *settings;
}

int connect() { return instance().retries; }
int log_level() { return instance().verbosity; }

}  // namespace

int main() {
  int retries = 0;
  int level = 0;
  std::thread network([&] { retries = connect(); });
  std::thread logger([&] { level = log_level(); });
  network.join();
  logger.join();
  std::printf("retries %d, level %d\n", retries, level);
  delete settings;
}
