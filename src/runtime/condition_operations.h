// Waiting on conditions and notifying them: what those of every interface come down to.
#pragma once

#include "runtime/lock_operations.h"

namespace heddle::runtime {

// Three passes through the gate: gives up the lock and blocks, is woken or times out, takes
// the lock again. 0, ETIMEDOUT, or EPERM when the thread does not hold the lock.
int wait_on_condition(Call& call, std::uint64_t condition, Object& lock, std::uint64_t deadline);
// By `notify` or `notify_all`.
void notify_condition(Call& call, std::uint64_t condition, EventKind kind);

}  // namespace heddle::runtime
