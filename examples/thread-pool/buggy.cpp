// Workers take tasks from a queue until the pool is stopped. The flag that stops them is set
// without the lock under which they look at it.
#include <condition_variable>
#include <cstdio>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

namespace {

class Pool {
 public:
  explicit Pool(int workers) {
    for (int i = 0; i < workers; ++i) workers_.emplace_back([this] { work(); });
  }

  ~Pool() {
    stopping_ = true;
    changed_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }

  void submit(std::function<void()> task) {
    {
      std::lock_guard guard(lock_);
      tasks_.push(std::move(task));
    }
    changed_.notify_one();
  }

 private:
  void work() {
    while (true) {
      std::unique_lock guard(lock_);
      changed_.wait(guard, [this] { return stopping_ || !tasks_.empty(); });
      if (tasks_.empty()) return;
      const std::function<void()> task = std::move(tasks_.front());
      tasks_.pop();
      guard.unlock();
      task();
    }
  }

  std::mutex lock_;
  std::condition_variable changed_;
  std::queue<std::function<void()>> tasks_;
  bool stopping_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace

int main() {
  int squares[3] = {};
  {
    Pool pool(2);
    for (int i = 0; i < 3; ++i) pool.submit([&squares, i] { squares[i] = i * i; });
  }
  std::printf("%d %d %d\n", squares[0], squares[1], squares[2]);
}
