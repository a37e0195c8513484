#include "runtime/processors.h"

#include <cerrno>

#include <sched.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "runtime/futex.h"
#include "runtime/interpose.h"
#include "runtime/new_thread.h"

namespace heddle::runtime {
namespace {

Processors all;
Processors one;
long mask_bytes;  // what the kernel uses of it; 0 when there is nothing to keep to

void apply(const Processors& processors) {
  if (mask_bytes <= 0) return;
  system_call(SYS_sched_setaffinity, 0, sizeof processors, reinterpret_cast<long>(&processors));
}

int count_of(const Processors& processors) {
  int count = 0;
  for (const std::uint64_t word : processors.bits) count += __builtin_popcountll(word);
  return count;
}

// What the thread asked for, or all.
const Processors& asked_for(const Thread& thread) {
  return thread.processors != nullptr ? *thread.processors : all;
}

bool keeps_to_one() { return current_thread != nullptr && mask_bytes > 0; }

int tell(const Thread* thread, std::size_t size, cpu_set_t* set) {
  if (thread == nullptr) return ESRCH;
  if (size < static_cast<std::size_t>(mask_bytes)) return EINVAL;
  fill_bytes(set, 0, size);
  copy_bytes(set, asked_for(*thread).bits, size < sizeof all ? size : sizeof all);
  return 0;
}

int ask_for(Thread* thread, std::size_t size, const cpu_set_t* set) {
  if (thread == nullptr) return ESRCH;
  thread->processors = keep<Processors>();  // the old ones may be another thread's, too
  copy_bytes(thread->processors->bits, set, size < sizeof all ? size : sizeof all);
  return 0;
}

// Calls that name a thread by the kernel's number know 0, the calling one.
Thread* thread_numbered(pid_t number) {
  const bool self = number == 0 || number == system_call(SYS_gettid);
  return self ? current_thread : nullptr;
}

int with_errno(int error) {
  if (error == 0) return 0;
  errno = error;
  return -1;
}

}  // namespace

void keep_to_one_processor() {
  unsigned processor = 0;
  mask_bytes = system_call(SYS_sched_getaffinity, 0, sizeof all, reinterpret_cast<long>(&all));
  if (system_call(SYS_getcpu, reinterpret_cast<long>(&processor)) != 0) mask_bytes = 0;
  if (processor >= 64 * 16) mask_bytes = 0;
  if (mask_bytes <= 0) return;
  one.bits[processor / 64] = std::uint64_t{1} << processor % 64;
  apply(one);
}

void use_all_processors() { apply(all); }
void return_to_one_processor() { apply(one); }

}  // namespace heddle::runtime

using namespace heddle::runtime;

INTERPOSE(int, sched_getaffinity, pid_t number, std::size_t size, cpu_set_t* set) {
  Thread* thread = keeps_to_one() ? thread_numbered(number) : nullptr;
  if (thread == nullptr) return REAL(sched_getaffinity)(number, size, set);
  return with_errno(tell(thread, size, set));
}

INTERPOSE(int, sched_setaffinity, pid_t number, std::size_t size, const cpu_set_t* set) {
  Thread* thread = keeps_to_one() ? thread_numbered(number) : nullptr;
  if (thread == nullptr) return REAL(sched_setaffinity)(number, size, set);
  return with_errno(ask_for(thread, size, set));
}

INTERPOSE(int, pthread_getaffinity_np, pthread_t handle, std::size_t size, cpu_set_t* set) {
  if (!keeps_to_one()) return REAL(pthread_getaffinity_np)(handle, size, set);
  return tell(thread_of(handle), size, set);
}

INTERPOSE(int, pthread_setaffinity_np, pthread_t handle, std::size_t size, const cpu_set_t* set) {
  if (!keeps_to_one()) return REAL(pthread_setaffinity_np)(handle, size, set);
  return ask_for(thread_of(handle), size, set);
}

INTERPOSE(int, get_nprocs) {
  return keeps_to_one() ? count_of(asked_for(*current_thread)) : REAL(get_nprocs)();
}

INTERPOSE(long, sysconf, int name) {
  if (name == _SC_NPROCESSORS_ONLN && keeps_to_one()) return count_of(asked_for(*current_thread));
  return REAL(sysconf)(name);
}
