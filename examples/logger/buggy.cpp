// Threads append lines to a buffer under a lock; the thread that writes them out looks at
// the buffer first, to spare itself the lock when there is nothing to do.
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

class Logger {
 public:
  void log(std::string line) {
    std::lock_guard guard(lock_);
    lines_.push_back(std::move(line));
  }

  int flush() {
    if (lines_.empty()) return 0;
    std::lock_guard guard(lock_);
    for (const std::string& line : lines_) std::puts(line.c_str());
    const int written = static_cast<int>(lines_.size());
    lines_.clear();
    return written;
  }

 private:
  std::mutex lock_;
  std::vector<std::string> lines_;
};

}  // namespace

int main() {
  Logger logger;
  std::thread server([&] {
    logger.log("request 1");
    logger.log("request 2");
  });
  std::thread writer([&] { logger.flush(); });
  server.join();
  writer.join();
  logger.flush();
}
