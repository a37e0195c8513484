#include "predict/tasks.h"

#include <thread>
#include <vector>

namespace heddle::predict {

std::optional<std::size_t> Tasks::take() {
  const std::size_t next = next_++;
  return next < count_ ? std::optional(next) : std::nullopt;
}

void Tasks::run(unsigned workers, const std::function<void()>& work) {
  std::vector<std::thread> others;
  for (unsigned i = 1; i < workers; ++i) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();
}

}  // namespace heddle::predict
