// Thread-specific data. libc gives out the numbers; values and destructors are kept here,
// so that the destructors run at the gate.
#include <pthread.h>

#include "runtime/interpose.h"
#include "runtime/keys.h"
#include "runtime/thread_life.h"

namespace heddle::runtime {
namespace {

struct Key {
  std::uint64_t generation;  // 0: not one of ours
  void (*destructor)(void*);
};
LARGE Key keys[kMaxKeys];
std::uint64_t generations;
constexpr int kDestructorRounds = 4;  // PTHREAD_DESTRUCTOR_ITERATIONS

bool ours(pthread_key_t key) { return key < kMaxKeys && keys[key].generation != 0; }

// One round; true when a destructor was called.
bool run_some_destructors(Thread& self) {
  bool any = false;
  for (std::uint32_t key = 0; key < self.keys_end; ++key) {
    KeyValue& entry = self.keys[key];
    void* value = entry.value;
    if (value == nullptr || entry.generation != keys[key].generation) continue;
    entry.value = nullptr;
    if (keys[key].destructor == nullptr) continue;
    keys[key].destructor(value);
    any = true;
  }
  return any;
}

}  // namespace

void run_key_destructors(Thread& self) {
  for (int round = 0; round < kDestructorRounds; ++round) {
    if (!run_some_destructors(self)) return;
  }
}

int create_key(pthread_key_t* key, void (*destructor)(void*)) {
  const int result = REAL(pthread_key_create)(key, nullptr);
  if (result == 0 && *key < kMaxKeys) keys[*key] = {++generations, destructor};
  return result;
}

int delete_key(pthread_key_t key) {
  if (ours(key)) keys[key] = {};
  return REAL(pthread_key_delete)(key);
}

void* key_value(Thread& self, pthread_key_t key) {
  if (!ours(key)) return REAL(pthread_getspecific)(key);
  const KeyValue& entry = self.keys[key];
  return entry.generation == keys[key].generation ? entry.value : nullptr;
}

int set_key_value(Thread& self, pthread_key_t key, const void* value) {
  if (!ours(key)) return REAL(pthread_setspecific)(key, value);
  self.keys[key] = {keys[key].generation, const_cast<void*>(value)};
  if (key >= self.keys_end) self.keys_end = key + 1;
  return 0;
}

}  // namespace heddle::runtime

using namespace heddle::runtime;

INTERPOSE(int, pthread_key_create, pthread_key_t* key, void (*destructor)(void*)) {
  if (current_thread == nullptr) return REAL(pthread_key_create)(key, destructor);
  return create_key(key, destructor);
}
INTERPOSE(int, pthread_key_delete, pthread_key_t key) {
  if (current_thread == nullptr) return REAL(pthread_key_delete)(key);
  return delete_key(key);
}
INTERPOSE(void*, pthread_getspecific, pthread_key_t key) {
  if (current_thread == nullptr) return REAL(pthread_getspecific)(key);
  return key_value(*current_thread, key);
}
INTERPOSE(int, pthread_setspecific, pthread_key_t key, const void* value) {
  if (current_thread == nullptr) return REAL(pthread_setspecific)(key, value);
  return set_key_value(*current_thread, key, value);
}
