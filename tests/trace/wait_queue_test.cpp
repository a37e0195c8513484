#include "trace/wait_queue.h"

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace heddle {
namespace {

// The slow twin: all sets of waiters that can be the notified ones.
class AllChoices {
 public:
  using Set = std::set<ThreadId>;

  void wait(ThreadId thread) { waiters_.insert(thread); }
  void notify() {
    std::set<Set> after;
    for (const Set& notified : choices_) {
      if (notified.size() == waiters_.size()) after.insert(notified);
      for (const ThreadId waiter : waiters_) {
        if (notified.contains(waiter)) continue;
        Set more = notified;
        more.insert(waiter);
        after.insert(more);
      }
    }
    choices_ = after;
  }
  void notify_all() { choices_ = {waiters_}; }
  bool can_leave(ThreadId thread, bool as_notified) const {
    return std::any_of(choices_.begin(), choices_.end(), [&](const Set& notified) {
      return notified.contains(thread) == as_notified;
    });
  }
  void leave(ThreadId thread, bool as_notified) {
    std::set<Set> after;
    for (Set notified : choices_) {
      if (notified.contains(thread) != as_notified) continue;
      notified.erase(thread);
      after.insert(notified);
    }
    choices_ = after;
    waiters_.erase(thread);
  }
  const Set& waiters() const { return waiters_; }

 private:
  Set waiters_;
  std::set<Set> choices_ = {Set()};
};

void random_leave(std::mt19937_64& random, WaitQueue& queue, AllChoices& all) {
  if (all.waiters().empty()) return;
  const ThreadId thread = *std::next(all.waiters().begin(),
                                     static_cast<std::ptrdiff_t>(random() % all.waiters().size()));
  const bool wakes = random() % 2 == 0;
  if (!all.can_leave(thread, wakes)) return;
  all.leave(thread, wakes);
  wakes ? queue.wake(thread) : queue.time_out(thread);
}

void random_step(std::mt19937_64& random, WaitQueue& queue, AllChoices& all) {
  const ThreadId thread(static_cast<std::uint32_t>(random() % 7));
  const auto choice = random() % 16;
  if (choice < 7) {
    if (all.waiters().contains(thread)) return;
    queue.wait(thread);
    all.wait(thread);
  } else if (choice < 11) {
    queue.notify();
    all.notify();
  } else if (choice < 15) {
    random_leave(random, queue, all);
  } else {
    queue.notify_all();
    all.notify_all();
  }
}

RC_GTEST_PROP(WaitQueue, AllowsWhatSomeChoiceOfNotifiedThreadsAllows, ()) {
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
  WaitQueue queue;
  AllChoices all;
  for (int step = 0; step < 60; ++step) {
    random_step(random, queue, all);
    for (const ThreadId waiter : all.waiters()) {
      RC_ASSERT(queue.can_wake(waiter) == all.can_leave(waiter, true));
      RC_ASSERT(queue.can_time_out(waiter) == all.can_leave(waiter, false));
    }
  }
}

}  // namespace
}  // namespace heddle
