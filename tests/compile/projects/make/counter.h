#pragma once
#include <mutex>

class Counter {
 public:
  void add(int amount);
  int value();

 private:
  std::mutex mutex_;
  int value_ = 0;
};
