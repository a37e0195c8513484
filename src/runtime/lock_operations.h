// Taking and giving up locks: what mutexes, spin locks and readers-writer locks of every
// interface come down to.
#pragma once

#include "runtime/interpose.h"

namespace heddle::runtime {

inline constexpr std::uint8_t kTried = 1;

void take(Call& call, Object& lock, std::uint8_t detail = 0);
// 0, or EDEADLK where the lock checks for it; ETIMEDOUT after the deadline.
int acquire(Call& call, Object& lock, std::uint64_t deadline = kNever);
int try_acquire(Call& call, Object& lock);
// 0, or EPERM when the thread does not hold it.
int release(Call& call, Object& lock);

int acquire_as_reader(Call& call, Object& lock, std::uint64_t deadline = kNever);
int try_acquire_as_reader(Call& call, Object& lock);
// Gives up whatever the thread holds.
int release_either(Call& call, Object& lock);

}  // namespace heddle::runtime
