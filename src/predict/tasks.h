// Tasks by number, shared out among workers: whoever is free takes the next one.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>

namespace heddle::predict {

class Tasks {
 public:
  explicit Tasks(std::size_t count) : count_(count) {}

  // The next one; none when all are taken.
  std::optional<std::size_t> take();

  // Calls `work` in so many threads, this one among them, and waits for all.
  static void run(unsigned workers, const std::function<void()>& work);

 private:
  std::size_t count_;
  std::atomic<std::size_t> next_ = 0;
};

}  // namespace heddle::predict
