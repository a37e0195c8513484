#include "runtime/scout.h"

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <span>

#include <asm/ioctls.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <ucontext.h>

#include "runtime/futex.h"
#include "runtime/memory.h"

namespace heddle::runtime {
namespace {

wire::Header* channel;

// Calls that change nothing but the process itself.
constexpr int kHarmless[] = {
    SYS_close,
    SYS_stat,
    SYS_fstat,
    SYS_lstat,
    SYS_newfstatat,
    SYS_statx,
    SYS_poll,
    SYS_lseek,
    SYS_mmap,
    SYS_mprotect,
    SYS_munmap,
    SYS_mremap,
    SYS_brk,
    SYS_madvise,
    SYS_mincore,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_sigaltstack,
    SYS_pread64,
    SYS_access,
    SYS_faccessat,
    SYS_faccessat2,
    SYS_pipe,
    SYS_pipe2,
    SYS_select,
    SYS_pselect6,
    SYS_ppoll,
    SYS_sched_yield,
    SYS_nanosleep,
    SYS_clock_nanosleep,
    SYS_clock_gettime,
    SYS_clock_getres,
    SYS_gettimeofday,
    SYS_time,
    SYS_times,
    SYS_getpid,
    SYS_gettid,
    SYS_getppid,
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_getpgrp,
    SYS_getpgid,
    SYS_getsid,
    SYS_getgroups,
    SYS_uname,
    SYS_getcwd,
    SYS_readlink,
    SYS_readlinkat,
    SYS_getdents64,
    SYS_getrusage,
    SYS_getrlimit,
    SYS_prlimit64,
    SYS_sysinfo,
    SYS_arch_prctl,
    SYS_sched_getaffinity,
    SYS_sched_setaffinity,
    SYS_sched_getparam,
    SYS_sched_getscheduler,
    SYS_sched_get_priority_max,
    SYS_sched_get_priority_min,
    SYS_set_tid_address,
    SYS_set_robust_list,
    SYS_get_robust_list,
    SYS_rseq,
    SYS_exit,
    SYS_exit_group,
    SYS_getrandom,
    SYS_eventfd,
    SYS_eventfd2,
    SYS_epoll_create,
    SYS_epoll_create1,
    SYS_epoll_ctl,
    SYS_epoll_wait,
    SYS_epoll_pwait,
    SYS_membarrier,
    SYS_getcpu,
    SYS_umask,
    SYS_restart_syscall,
    SYS_mlock,
    SYS_munlock,
    SYS_statfs,
    SYS_fstatfs,
    SYS_fadvise64,
    SYS_getitimer,
};

// Calls whose first argument is a descriptor, of those that are allowed.
constexpr int kOnDescriptor[] = {
    SYS_read,       SYS_write,      SYS_readv,   SYS_writev, SYS_pread64,   SYS_close,
    SYS_fstat,      SYS_newfstatat, SYS_lseek,   SYS_ioctl,  SYS_fcntl,     SYS_openat,
    SYS_getdents64, SYS_epoll_ctl,  SYS_fstatfs, SYS_statx,  SYS_fadvise64,
};

class Filter {
 public:
  void add(std::uint16_t code, std::uint32_t k, std::uint8_t yes = 0, std::uint8_t no = 0) {
    code_[size_++] = {code, yes, no, k};
  }
  void load_number() { add(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)); }
  void load_argument(std::uint32_t i) {
    add(BPF_LD | BPF_W | BPF_ABS,
        static_cast<std::uint32_t>(offsetof(seccomp_data, args) + std::uint64_t{i} * 8));
  }
  void allow() { add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW); }
  void trap() { add(BPF_RET | BPF_K, SECCOMP_RET_TRAP); }
  void allow_call(int number) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 0, 1);
    allow();
  }
  // Allows the call when `allowed` of argument i is zero after masking.
  void allow_if_clear(int number, std::uint32_t argument, std::uint32_t mask) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 0, 4);
    load_argument(argument);
    add(BPF_JMP | BPF_JSET | BPF_K, mask, 1, 0);
    allow();
    trap();
  }
  void allow_if_equal(int number, std::uint32_t argument, std::uint32_t value) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 0, 4);
    load_argument(argument);
    add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
    allow();
    load_number();
  }
  // Traps these calls where argument i is one of these values.
  void trap_if_among(std::span<const int> calls, std::uint32_t argument,
                     std::span<const std::uint32_t> values) {
    for (std::size_t i = 0; i < calls.size(); ++i) {
      add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(calls[i]),
          static_cast<std::uint8_t>(calls.size() - i));
    }
    add(BPF_JMP | BPF_JA, static_cast<std::uint32_t>(2 + 2 * values.size()));
    load_argument(argument);
    for (const std::uint32_t value : values) {
      add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
      trap();
    }
    load_number();
  }
  void allow_above(int number, std::uint32_t descriptor) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 0, 4);
    load_argument(0);
    add(BPF_JMP | BPF_JGT | BPF_K, descriptor, 0, 1);
    allow();
    trap();
  }
  void fail_with(int number, int error) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 0, 1);
    add(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error));
  }
  sock_fprog program() { return {size_, code_}; }

 private:
  sock_filter code_[512];
  unsigned short size_ = 0;
};

void allow_own_signals(Filter& filter) {
  const auto self = static_cast<std::uint32_t>(system_call(SYS_getpid));
  filter.allow_if_equal(SYS_kill, 0, self);
  filter.allow_if_equal(SYS_tgkill, 0, self);
}

void allow_questions(Filter& filter) {
  for (const std::uint32_t request : {TCGETS, TIOCGWINSZ, FIONREAD}) {
    filter.allow_if_equal(SYS_ioctl, 1, request);
  }
  for (const std::uint32_t command : {F_GETFD, F_SETFD, F_GETFL}) {
    filter.allow_if_equal(SYS_fcntl, 1, command);
  }
  for (const std::uint32_t option : {PR_SET_NAME, PR_GET_NAME}) {
    filter.allow_if_equal(SYS_prctl, 0, option);
  }
}

void allow_files(Filter& filter, bool input_too) {
  constexpr std::uint32_t kChanges = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND;
  filter.allow_if_clear(SYS_open, 1, kChanges);
  filter.allow_if_clear(SYS_openat, 2, kChanges);
  for (const int call : {SYS_read, SYS_readv}) {
    input_too ? filter.allow_call(call) : filter.allow_above(call, 0);
  }
  for (const int call : {SYS_write, SYS_writev}) filter.allow_above(call, 2);
}

std::span<const std::uint32_t> inherited() {
  return {channel->settings.inherited, channel->settings.inherited_count};
}

void build(Filter& filter, bool input_too) {
  filter.add(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch));
  filter.add(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0);
  filter.trap();
  filter.load_number();
  filter.allow_call(SYS_futex);  // the most frequent one
  if (!inherited().empty()) {
    constexpr int kMaps[] = {SYS_mmap};
    filter.trap_if_among(kOnDescriptor, 0, inherited());
    filter.trap_if_among(kMaps, 4, inherited());
  }
  for (const int call : kHarmless) filter.allow_call(call);
  filter.fail_with(SYS_clone3, 38);  // ENOSYS: then libc uses clone, whose flags can be seen
  allow_own_signals(filter);
  allow_questions(filter);
  allow_files(filter, input_too);
  filter.add(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4);
  filter.load_argument(0);
  filter.add(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1);
  filter.allow();
  filter.trap();
  filter.trap();
}

// Keeps what would have been written. The size grows all the same when there is no room, which
// tells the host that something is missing.
void hold_back(int descriptor, const void* bytes, std::uint64_t size) {
  const wire::Printed piece{static_cast<std::uint32_t>(descriptor),
                            static_cast<std::uint32_t>(size)};
  const std::uint64_t at = channel->result_size.fetch_add(sizeof piece + size);
  if (at + sizeof piece + size > channel->result_bytes) return;
  char* const to = wire::result_of(channel) + at;
  copy_bytes(to, &piece, sizeof piece);
  copy_bytes(to + sizeof piece, bytes, size);
}

long hold_back(int descriptor, const iovec* parts, long count) {
  long bytes = 0;
  for (long i = 0; i < count; ++i) {
    hold_back(descriptor, parts[i].iov_base, parts[i].iov_len);
    bytes += static_cast<long>(parts[i].iov_len);
  }
  return bytes;
}

bool is_inherited(long descriptor) {
  for (const std::uint32_t known : inherited()) {
    if (static_cast<std::uint32_t>(descriptor) == known) return true;
  }
  return false;
}

// Output is held back, and what was inherited is bad; anything else ends the run.
void refuse(int, siginfo_t* info, void* context) {
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  if (is_inherited(registers[info->si_syscall == SYS_mmap ? REG_R8 : REG_RDI])) {
    channel->result_size.store(wire::kUseless);
    registers[REG_RAX] = -EBADF;
    return;
  }
  const auto descriptor = static_cast<int>(registers[REG_RDI]);
  const bool output = descriptor == 1 || descriptor == 2;
  if (info->si_syscall == SYS_write && output) {
    hold_back(descriptor, reinterpret_cast<const void*>(registers[REG_RSI]),
              static_cast<std::uint64_t>(registers[REG_RDX]));
    registers[REG_RAX] = registers[REG_RDX];
    return;
  }
  if (info->si_syscall == SYS_writev && output) {
    registers[REG_RAX] = hold_back(descriptor, reinterpret_cast<const iovec*>(registers[REG_RSI]),
                                   registers[REG_RDX]);
    return;
  }
  channel->refused.store(static_cast<std::uint32_t>(info->si_syscall) + 1);
  for (;;) system_call(SYS_exit_group, 125);
}

}  // namespace

void confine(wire::Header* header) {
  channel = header;
  struct sigaction action;
  fill_bytes(&action, 0, sizeof action);
  action.sa_sigaction = refuse;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  REAL(sigaction)(SIGSYS, &action, nullptr);
  Filter& filter = *keep<Filter>();
  build(filter, header->settings.input_is_file != 0);
  sock_fprog program = filter.program();
  const bool confined =
      system_call(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0) == 0 &&
      system_call(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, reinterpret_cast<long>(&program)) == 0;
  if (confined) return;
  header->refused.store(wire::kNoScout);
  for (;;) system_call(SYS_exit_group, 125);
}

}  // namespace heddle::runtime
