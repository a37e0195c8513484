#pragma once
#include <condition_variable>
#include <deque>
#include <mutex>

class Queue {
 public:
  void put(int item);
  int take();

 private:
  std::mutex mutex_;
  std::condition_variable not_empty_;
  std::deque<int> items_;
};
