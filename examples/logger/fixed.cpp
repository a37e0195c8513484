// The buffer is taken out under the lock, and written without it: nobody waits for the
// output, and nobody looks at the buffer unguarded.
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
    std::vector<std::string> lines;
    {
      std::lock_guard guard(lock_);
      lines.swap(lines_);
    }
    for (const std::string& line : lines) std::puts(line.c_str());
    return static_cast<int>(lines.size());
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
