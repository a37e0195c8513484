// Says from time to time that it is time to look at the clock.
//
// Asking the clock costs more than a small execution, so not every one deserves it; a long
// execution does.
#pragma once

#include <cstddef>

namespace heddle {

class WorkMeter {
 public:
  // An execution of so many steps is done; whether enough has been done since the last time.
  bool is_due(std::size_t steps) {
    done_ += steps + 1;
    if (done_ < kEnough) return false;
    done_ = 0;
    return true;
  }

 private:
  static constexpr std::size_t kEnough = 4096;
  std::size_t done_ = 0;
};

}  // namespace heddle
