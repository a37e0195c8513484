#include "counter.h"

void Counter::add(int amount) {
  const std::lock_guard guard(mutex_);
  value_ += amount;
}

int Counter::value() {
  const std::lock_guard guard(mutex_);
  return value_;
}
