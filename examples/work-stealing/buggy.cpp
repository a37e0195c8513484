// The owner of a deque pops at its bottom, thieves steal at its top. Thieves exclude each
// other with a lock; the owner trusts that it meets them only when one item is left, and
// takes that one without a lock as well.
#include <array>
#include <cassert>
#include <mutex>
#include <thread>

namespace {

class Deque {
 public:
  void push(int task) { tasks_[static_cast<std::size_t>(bottom_++)] = task; }

  int pop() {
    if (top_ == bottom_) return 0;
    return tasks_[static_cast<std::size_t>(--bottom_)];
  }

  int steal() {
    std::lock_guard guard(lock_);
    if (top_ == bottom_) return 0;
    return tasks_[static_cast<std::size_t>(top_++)];
  }

 private:
  std::mutex lock_;
  std::array<int, 8> tasks_ = {};
  int top_ = 0;
  int bottom_ = 0;
};

}  // namespace

int main() {
  Deque deque;
  deque.push(1);
  deque.push(2);
  int stolen = 0;
  std::thread thief([&] { stolen = deque.steal(); });
  const int first = deque.pop();
  const int second = deque.pop();
  thief.join();
  assert(first + second + stolen == 3 && "every task is run once");
}
