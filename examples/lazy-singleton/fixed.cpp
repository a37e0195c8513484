// The first check is an acquiring load of an atomic pointer, which the releasing store
// that publishes the object pairs with.
#include <atomic>
#include <cstdio>
#include <mutex>
#include <thread>

namespace {

struct Settings {
  int verbosity = 3;
  int retries = 5;
};

std::mutex lock;
std::atomic<Settings*> settings = nullptr;

Settings& instance() {
  Settings* known = settings.load(std::memory_order_acquire);
  if (known == nullptr) {
    std::lock_guard guard(lock);
    known = settings.load(std::memory_order_relaxed);
    if (known == nullptr) {
      known = new Settings;
      settings.store(known, std::memory_order_release);
    }
  }
  return *known;
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
  delete settings.load();
}
