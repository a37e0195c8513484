// finds: nothing
#include <cassert>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

class Pool {
 public:
  Pool() : worker_([this] { run(); }) {}
  ~Pool() {
    {
      std::lock_guard guard(m_);
      closed_ = true;
    }
    changed_.notify_all();
    worker_.join();
  }
  void add(std::function<void()> task) {
    {
      std::lock_guard guard(m_);
      tasks_.push_back(std::move(task));
    }
    changed_.notify_one();
  }

 private:
  void run() {
    for (;;) {
      std::unique_lock guard(m_);
      changed_.wait(guard, [this] { return closed_ || !tasks_.empty(); });
      if (tasks_.empty()) return;
      auto task = std::move(tasks_.front());
      tasks_.pop_front();
      guard.unlock();
      task();
    }
  }

  std::mutex m_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  bool closed_ = false;
  std::thread worker_;
};

int main() {
  int sum = 0;
  {
    Pool pool;
    pool.add([&] { sum += 1; });
    pool.add([&] { sum += 2; });
  }
  assert(sum == 3);
}
