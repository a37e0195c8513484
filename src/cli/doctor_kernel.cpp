// What the kernel and the processor allow. Each is tried in a child process, so that a
// refusal, or a signal, hurts nobody.
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <sys/auxv.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/doctor.h"

namespace heddle {
namespace {

constexpr unsigned long kHasFsgsbase = 1UL << 1;  // HWCAP2_FSGSBASE of asm/hwcap2.h

std::string first_line(const char* path, std::string absent) {
  std::ifstream file(path);
  std::string line;
  return std::getline(file, line) ? line : std::move(absent);
}

pid_t start_child(int (*body)()) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::_exit(body());
}

int wait_status(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return status;
}

void end(pid_t child) {
  ::kill(child, SIGKILL);
  wait_status(child);
}

// What went wrong in a child that returns an errno; empty when nothing did.
std::string problem_in_child(int (*body)()) {
  const pid_t child = start_child(body);
  if (child < 0) return std::strerror(errno);
  const int status = wait_status(child);
  if (WIFSIGNALED(status)) return fmt::format("died by {}", ::strsignal(WTERMSIG(status)));
  return WEXITSTATUS(status) == 0 ? "" : std::strerror(WEXITSTATUS(status));
}

int pause_for_ever() {
  for (;;) ::pause();
}

// A parent that attaches to its child, as a debugger to the program that it looks at.
std::string attach_problem() {
  const pid_t child = start_child(pause_for_ever);
  if (child < 0) return std::strerror(errno);
  std::string problem;
  if (::ptrace(PTRACE_ATTACH, child, nullptr, nullptr) != 0) {
    problem = fmt::format("PTRACE_ATTACH: {}", std::strerror(errno));
  } else if (!WIFSTOPPED(wait_status(child))) {
    problem = "PTRACE_ATTACH: the child did not stop";
  }
  end(child);
  return problem;
}

int request_trace_and_stop() {
  if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) return errno;
  return ::raise(SIGSTOP);
}

// A child that asks to be traced, as a debugger starts a program.
std::string traceme_problem() {
  const pid_t child = start_child(request_trace_and_stop);
  if (child < 0) return std::strerror(errno);
  const int status = wait_status(child);
  if (WIFEXITED(status)) {
    return fmt::format("PTRACE_TRACEME: {}", std::strerror(WEXITSTATUS(status)));
  }
  end(child);
  return WIFSTOPPED(status) ? "" : "PTRACE_TRACEME: the child died";
}

std::string yama() {
  const std::string scope = first_line("/proc/sys/kernel/yama/ptrace_scope", "");
  return scope.empty() ? "no Yama restriction" : "Yama scope " + scope;
}

Check check_ptrace() {
  std::string problem = traceme_problem();
  if (problem.empty()) problem = attach_problem();
  if (problem.empty()) return {"ptrace", Verdict::ok, fmt::format("works, {}", yama()), ""};
  return {"ptrace", Verdict::warn,
          fmt::format("{} ({}); a replay cannot be watched in the debugger", problem, yama()),
          "in a container: run it with --cap-add=SYS_PTRACE; otherwise: "
          "sysctl kernel.yama.ptrace_scope=1"};
}

int switch_randomisation_off() {
  if (::personality(ADDR_NO_RANDOMIZE) < 0) return errno;
  const int now = ::personality(0xffffffff);
  return (now & ADDR_NO_RANDOMIZE) != 0 ? 0 : EPERM;
}

Check check_address_randomisation() {
  const std::string setting = first_line("/proc/sys/kernel/randomize_va_space", "unknown");
  const std::string problem = problem_in_child(switch_randomisation_off);
  if (problem.empty()) {
    return {"address randomisation", Verdict::ok,
            fmt::format("can be switched off (randomize_va_space is {})", setting), ""};
  }
  return {"address randomisation", Verdict::warn,
          fmt::format("cannot be switched off: {} (randomize_va_space is {}); what depends on "
                      "addresses may differ between runs",
                      problem, setting),
          "in a container: run it with --security-opt seccomp=unconfined"};
}

#if defined(__x86_64__)
int read_fs_base() {
  unsigned long base = 0;
  asm volatile("rdfsbase %0" : "=r"(base));
  return base != 0 ? 0 : EFAULT;  // glibc keeps the thread's own block there
}
#else
int read_fs_base() { return ENOSYS; }
#endif

Check check_fsgsbase() {
  const bool promised = (::getauxval(AT_HWCAP2) & kHasFsgsbase) != 0;
  const std::string problem = promised ? problem_in_child(read_fs_base) : "not offered";
  if (problem.empty()) {
    return {"FSGSBASE", Verdict::ok, "offered by the kernel, and rdfsbase works", ""};
  }
  return {"FSGSBASE", Verdict::warn,
          fmt::format("{}; switching between fibers will need a system call each", problem),
          "use an x86-64 processor since 2012 or 2019 (Intel, AMD) and Linux 5.9 or newer, "
          "without 'nofsgsbase'"};
}

}  // namespace

Checks check_kernel() { return {check_ptrace(), check_address_randomisation(), check_fsgsbase()}; }

}  // namespace heddle
