#include <cassert>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

class Pool {
 public:
  explicit Pool(int size) {
    for (int i = 0; i < size; ++i) workers_.emplace_back([this] { work(); });
  }
  ~Pool() {
    {
      std::lock_guard<std::mutex> guard(mutex_);
      closed_ = true;
    }
    condition_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }
  void run(std::function<void()> task) {
    {
      std::lock_guard<std::mutex> guard(mutex_);
      tasks_.push_back(std::move(task));
    }
    condition_.notify_one();
  }

 private:
  void work() {
    for (;;) {
      std::function<void()> task;
      {
        std::unique_lock<std::mutex> lock(mutex_);
        condition_.wait(lock, [this] { return closed_ || !tasks_.empty(); });
        if (tasks_.empty()) return;
        task = std::move(tasks_.front());
        tasks_.pop_front();
      }
      task();
    }
  }
  std::mutex mutex_;
  std::condition_variable condition_;
  std::deque<std::function<void()>> tasks_;
  bool closed_ = false;
  std::vector<std::thread> workers_;
};
std::mutex mutex;
int sum;
int main() {
  {
    Pool pool(3);
    for (int i = 1; i <= 10; ++i) {
      pool.run([i] {
        std::lock_guard<std::mutex> guard(mutex);
        sum += i;
      });
    }
  }
  assert(sum == 55);
}
