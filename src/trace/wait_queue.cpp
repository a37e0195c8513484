#include "trace/wait_queue.h"

#include "base/check.h"

namespace heddle {

void WaitQueue::notify() {
  if (const std::size_t gap = gap_before(waiters_.size())) waiters_[gap - 1].marked = true;
}

void WaitQueue::notify_all() {
  for (Waiter& waiter : waiters_) waiter.marked = true;
}

bool WaitQueue::can_wake(ThreadId thread) const {
  return mark_from(position(thread)) < waiters_.size();
}

bool WaitQueue::can_time_out(ThreadId thread) const {
  const std::size_t i = position(thread);
  return !waiters_[i].marked || gap_before(i) != 0;
}

void WaitQueue::wake(ThreadId thread) {
  const std::size_t i = position(thread);
  const std::size_t mark = mark_from(i);
  CHECK(mark < waiters_.size());
  waiters_[mark].marked = false;
  remove(i);
}

void WaitQueue::time_out(ThreadId thread) {
  const std::size_t i = position(thread);
  if (waiters_[i].marked) {
    const std::size_t gap = gap_before(i);
    CHECK(gap != 0);
    waiters_[gap - 1].marked = true;
  }
  remove(i);
}

std::size_t WaitQueue::position(ThreadId thread) const {
  std::size_t i = 0;
  while (i < waiters_.size() && waiters_[i].thread != thread) ++i;
  CHECK(i < waiters_.size());
  return i;
}

std::size_t WaitQueue::mark_from(std::size_t begin) const {
  while (begin < waiters_.size() && !waiters_[begin].marked) ++begin;
  return begin;
}

std::size_t WaitQueue::gap_before(std::size_t end) const {
  while (end > 0 && waiters_[end - 1].marked) --end;
  return end;
}

void WaitQueue::remove(std::size_t index) {
  waiters_.erase(waiters_.begin() + static_cast<std::ptrdiff_t>(index));
}

}  // namespace heddle
