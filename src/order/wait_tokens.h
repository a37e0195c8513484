// Who waits on a condition and who may have been chosen by its notifies, without choosing.
//
// Which waiter a notify chose is not recorded; a sequence is good when some choice explains it.
// A notify chooses one of those who wait and are not chosen yet. So a set of waiters may be the
// chosen ones exactly if, for every i, at least i of them began to wait before the i-th notify
// that is still outstanding (Hall's condition for intervals that all begin at the start). It is
// enough to keep waiters and notifies in one row, in the order in which they came:
//
//   a wake of t needs a notify behind t in the row, and uses up the first such one: for the
//   rest, the sets that contain t, without t, are those that satisfy the shorter row;
//   a timeout of t needs that the row without t still satisfies the condition;
//   a notify for which there is no waiter that is not certainly chosen does nothing;
//   notify_all makes all that wait chosen: as many notifies behind them.
//
// So the row decides in linear time what the definition says by trying all choices.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "trace/event.h"

namespace heddle::order {

class WaitTokens {
 public:
  void wait(ThreadId thread) { row_.push_back(thread); }
  bool waits(ThreadId thread) const {
    return std::find(row_.begin(), row_.end(), thread) != row_.end();
  }

  void notify() {
    if (notifies() < waiters()) row_.push_back(kNotify);
  }
  void notify_all() {
    std::erase(row_, kNotify);
    row_.resize(2 * row_.size(), kNotify);
  }

  bool may_wake(ThreadId thread) const {
    const auto waiter = std::find(row_.begin(), row_.end(), thread);
    return std::find(waiter, row_.end(), kNotify) != row_.end();
  }
  void wake(ThreadId thread) {
    const auto waiter = std::find(row_.begin(), row_.end(), thread);
    row_.erase(std::find(waiter, row_.end(), kNotify));
    row_.erase(waiter);
  }

  bool may_time_out(ThreadId thread) const {
    if (!waits(thread)) return false;
    std::uint32_t others = 0;
    std::uint32_t notified = 0;
    for (ThreadId token : row_) {
      if (token == kNotify && ++notified > others) return false;
      if (token != kNotify && token != thread) ++others;
    }
    return true;
  }
  void time_out(ThreadId thread) { row_.erase(std::find(row_.begin(), row_.end(), thread)); }

  const std::vector<ThreadId>& row() const { return row_; }

 private:
  static constexpr ThreadId kNotify = ThreadId::none();

  std::ptrdiff_t notifies() const { return std::count(row_.begin(), row_.end(), kNotify); }
  std::ptrdiff_t waiters() const { return static_cast<std::ptrdiff_t>(row_.size()) - notifies(); }

  std::vector<ThreadId> row_;
};

}  // namespace heddle::order
