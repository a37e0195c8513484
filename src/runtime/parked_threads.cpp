#include "runtime/parked_threads.h"

#include <link.h>
#include <pthread.h>

#include "runtime/futex.h"
#include "runtime/memory.h"

namespace heddle::runtime {

KEPT bool makes_parked_thread = false;

namespace {

constexpr std::uint32_t kMost = 4096;
constexpr std::size_t kStackBytes = std::size_t{64} << 10;

struct Parked {
  std::uint64_t thread_pointer;
  char* image;
};
// Neither is part of what is reset.
KEPT Parked parked[kMost];
KEPT std::uint32_t parked_count;
KEPT std::uint64_t local_bytes;
KEPT std::atomic<std::uint64_t> arrived;

void* sleep_for_ever(void*) {
  arrived.store(reinterpret_cast<std::uint64_t>(__builtin_thread_pointer()));
  futex_wake(reinterpret_cast<std::atomic<std::uint32_t>*>(&arrived), 1);
  std::atomic<std::uint32_t> never{0};
  for (;;) futex_wait(&never, 0);
}

int measure(dl_phdr_info* info, std::size_t, void* data) {
  auto& largest = *static_cast<std::uint64_t*>(data);
  const auto thread_pointer = reinterpret_cast<std::uint64_t>(__builtin_thread_pointer());
  const auto start = reinterpret_cast<std::uint64_t>(info->dlpi_tls_data);
  constexpr std::uint64_t kFar = std::uint64_t{1} << 16;  // not in the static block
  if (start != 0 && start < thread_pointer && thread_pointer - start < kFar) {
    if (thread_pointer - start > largest) largest = thread_pointer - start;
  }
  return 0;
}

void make_parked() {
  RUNTIME_CHECK(parked_count < kMost);
  arrived.store(0);
  pthread_attr_t attributes;
  ::pthread_attr_init(&attributes);
  ::pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_t handle;
  makes_parked_thread = true;
  if (REAL(pthread_create)(&handle, &attributes, sleep_for_ever, nullptr) != 0) {
    fail("cannot make another thread; is the limit of processes too low?");
  }
  ::pthread_attr_destroy(&attributes);
  while (arrived.load() == 0) {
    futex_wait(reinterpret_cast<std::atomic<std::uint32_t>*>(&arrived), 0);
  }
  makes_parked_thread = false;
  Parked& made = parked[parked_count++];
  made.thread_pointer = arrived.load();
  made.image = static_cast<char*>(map_kept_pages(thread_local_bytes()));
  copy_bytes(made.image, reinterpret_cast<void*>(made.thread_pointer - thread_local_bytes()),
             thread_local_bytes());
}

}  // namespace

std::uint64_t thread_local_bytes() {
  if (local_bytes == 0) ::dl_iterate_phdr(measure, &local_bytes);
  return local_bytes;
}

std::uint64_t parked_thread_pointer(std::uint32_t number) {
  while (parked_count <= number) make_parked();
  return parked[number].thread_pointer;
}

void restore_parked(std::uint32_t number) {
  copy_bytes(reinterpret_cast<void*>(parked[number].thread_pointer - local_bytes),
             parked[number].image, local_bytes);
}

}  // namespace heddle::runtime
