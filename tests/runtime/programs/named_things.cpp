// Things with names in the source, for names_test.cpp, which looks for what they are called.
#include <cstdlib>
#include <mutex>
#include <thread>

#include <pthread.h>
#include <semaphore.h>

struct Account {
  int number;
  long balance;
  std::mutex mutex;
};

Account accounts[4];
long total;
namespace bank {
long fees;
}
pthread_mutex_t total_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
pthread_rwlock_t table_lock = PTHREAD_RWLOCK_INITIALIZER;
sem_t tickets;

static inline void add(long* to, long amount) { *to += amount; }  // line 25: inlined

__attribute__((noinline)) void deposit(int which, long amount) {
  const std::lock_guard<std::mutex> guard(accounts[which].mutex);
  accounts[which].balance += amount;  // line 29
  pthread_mutex_lock(&total_lock);
  add(&total, amount);  // line 31
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&total_lock);
}

void* clerk(void* heap) {
  sem_wait(&tickets);
  deposit(3, 10);
  static_cast<long*>(heap)[2] = 7;  // line 39
  pthread_rwlock_rdlock(&table_lock);
  bank::fees += 1;
  pthread_rwlock_unlock(&table_lock);
  return nullptr;
}

int main() {
  sem_init(&tickets, 0, 1);
  long* heap = static_cast<long*>(std::calloc(4, sizeof(long)));  // line 48
  long on_stack = 0;
  pthread_t first;
  pthread_create(&first, nullptr, clerk, heap);
  std::thread second([&] { on_stack += heap[2]; });
  pthread_setname_np(second.native_handle(), "auditor");
  pthread_join(first, nullptr);
  second.join();
  std::free(heap);
  return on_stack >= 0 && total == 10 ? 0 : 1;
}
