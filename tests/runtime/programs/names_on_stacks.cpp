// Variables, locks and conditions on stacks, and thread-local variables, all of them used by
// several threads, for names_test.cpp, which looks for what they are called. What one call leaves
// behind, another one uses again under other names.
#include <condition_variable>
#include <mutex>
#include <thread>

struct Account {
  int number;
  long balance;
};

thread_local long own_total = 1;

template <typename Function>
void in_thread(Function function) {
  std::thread thread(function);
  thread.join();
}

struct Clerk {
  int served = 0;
  __attribute__((noinline)) void serve(int customers) {
    in_thread([&] { served += customers++; });
    if (customers > 100) ++served;
  }
};

__attribute__((noinline)) void first_call() {
  long first_value = 1;
  std::mutex first_mutex;
  in_thread([&] {
    const std::lock_guard<std::mutex> guard(first_mutex);
    ++first_value;
  });
}

__attribute__((noinline)) void second_call() {
  long second_value = 1;
  std::mutex second_mutex;
  in_thread([&] {
    const std::lock_guard<std::mutex> guard(second_mutex);
    ++second_value;
  });
}

__attribute__((noinline)) void blocks() {
  for (int i = 0; i < 2; ++i) {
    {
      long in_first_block = i;
      in_thread([&] { ++in_first_block; });
    }
    {
      long in_second_block = i;
      in_thread([&] { ++in_second_block; });
    }
  }
}

__attribute__((noinline)) void recursive(int depth) {
  long level = depth;
  in_thread([&] { ++level; });
  if (depth > 0) recursive(depth - 1);
}

int main() {
  int counter = 0;
  Account accounts[4] = {};
  std::mutex mutex;
  std::condition_variable changed;
  bool ready = false;
  std::thread setter([&] {
    long inner = 0;
    in_thread([&] { ++inner; });
    const std::lock_guard<std::mutex> guard(mutex);
    ready = true;
    ++counter;
    accounts[3].balance += inner;
    changed.notify_one();
  });
  {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [&] { return ready; });
    ++counter;
  }
  setter.join();
  Clerk clerk;
  clerk.serve(counter);
  first_call();
  second_call();
  blocks();
  recursive(2);
  long* const totals = &own_total;
  ++own_total;
  in_thread([=] {
    ++*totals;
    ++own_total;
    long* const theirs = &own_total;
    in_thread([=] { ++*theirs; });
  });
  return counter == 2 && accounts[3].balance == 1 && clerk.served == 2 ? 0 : 1;
}
