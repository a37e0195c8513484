// A class guards its two numbers with a lock, in every function but one.
#include <cstdio>
#include <mutex>
#include <thread>

namespace {

class Statistics {
 public:
  void add(double sample) {
    std::lock_guard guard(lock_);
    sum_ += sample;
    ++count_;
  }

  void reset() {
    std::lock_guard guard(lock_);
    sum_ = 0;
    count_ = 0;
  }

  double mean() const { return count_ == 0 ? 0 : sum_ / count_; }

 private:
  std::mutex lock_;
  double sum_ = 0;
  int count_ = 0;
};

}  // namespace

int main() {
  Statistics latency;
  double shown = 0;
  std::thread server([&] {
    latency.add(1.5);
    latency.add(2.5);
  });
  std::thread monitor([&] { shown = latency.mean(); });
  server.join();
  monitor.join();
  std::printf("%.2f\n", shown);
}
