#include "record/scout.h"

#include <algorithm>
#include <csignal>

#include <sys/syscall.h>
#include <sys/wait.h>

#include "record/shared_memory.h"

namespace heddle {
namespace {

std::string call_in_words(std::uint32_t number) {
  switch (number) {
    case SYS_open:
    case SYS_openat: return "opens a file for writing";
    case SYS_read:
    case SYS_readv: return "reads its standard input";
    case SYS_socket:
    case SYS_socketpair: return "makes a socket";
    case SYS_clone:
    case SYS_fork:
    case SYS_vfork:
    case SYS_execve: return "starts another process";
    default: return fmt::format("makes system call {}", number);
  }
}

}  // namespace

std::string refusal_in_words(const ProcessEnd& end) {
  if (end.refused == wire::kNoScout) return "the kernel does not allow to confine a first run";
  if (end.refused != 0) {
    return fmt::format("the program {}, which cannot be done twice",
                       call_in_words(end.refused - 1));
  }
  if (WIFSIGNALED(end.wait_status) && WTERMSIG(end.wait_status) == SIGSYS) {
    return "the program makes a system call that cannot be done twice";
  }
  return {};
}

Result<void> check_interruption(const ProcessEnd& end) {
  const int signal = WIFSIGNALED(end.wait_status) ? WTERMSIG(end.wait_status) : 0;
  if (signal != SIGINT && signal != SIGQUIT) return {};
  return make_error(
      "interrupted while a first run found out what is shared; --all does without it");
}

RunOptions confined(const RunOptions& options) {
  RunOptions confined = options;
  confined.settings.confined = 1;
  confined.settings.input_is_file = input_is_file() ? 1 : 0;
  confined.launch.confined = true;
  confined.launch.inherited = inherited_descriptors();
  // More of them are seldom, and not looked after.
  const std::size_t count = std::min(confined.launch.inherited.size(), wire::kMostInherited);
  confined.settings.inherited_count = static_cast<std::uint32_t>(count);
  std::copy_n(confined.launch.inherited.begin(), count, confined.settings.inherited);
  return confined;
}

Result<Scouted> scout(const RunOptions& run_options, std::uint64_t most_events) {
  RunOptions options = confined(run_options);
  options.settings.selection = wire::Selection::scout;
  options.settings.scout_events = most_events;
  SharedMemory memory;
  const auto take = [&](std::span<const wire::Record> records) -> Result<bool> {
    memory.take(records);
    return true;
  };
  TRY(const ProcessEnd end, run_process(options, take, [] { return "the first run"; }));
  TRY_VOID(check_interruption(end));
  Scouted scouted;
  scouted.reason = refusal_in_words(end);
  if (scouted.reason.empty()) scouted.shared = end.cut ? memory.forecast() : memory.ranges();
  scouted.first_look = end.cut;
  scouted.sites = memory.sites();
  return scouted;
}

}  // namespace heddle
