#include "record/running_place.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <map>
#include <thread>

#include <fmt/format.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>

#include "record/source_names.h"

namespace heddle {
namespace {

constexpr int kInstructions = 20'000;
constexpr std::chrono::milliseconds kPatience{100};  // with one that does not end: a system call

struct Range {
  std::uint64_t low = ~std::uint64_t{0};
  std::uint64_t high = 0;
};

// The files that are mapped, as "55d0c0-55d0d0 r-xp 0 fe:00 123 /path" says it.
SourceNames names_of(pid_t process) {
  std::map<std::string, Range> modules;
  std::ifstream maps(fmt::format("/proc/{}/maps", process));
  for (std::string line; std::getline(maps, line);) {
    const std::size_t path = line.find('/');
    if (path == std::string::npos) continue;
    Range& range = modules[line.substr(path)];
    range.low = std::min<std::uint64_t>(range.low, std::stoull(line, nullptr, 16));
    range.high = std::max<std::uint64_t>(range.high,
                                         std::stoull(line.substr(line.find('-') + 1), nullptr, 16));
  }
  SourceNames names;
  for (const auto& [path, range] : modules) names.add_module(range.low, range.high, path);
  return names;
}

// The child of a child and so on, if there are any: where executions are forks, they run there.
pid_t innermost_child(pid_t process) {
  std::ifstream children(fmt::format("/proc/{0}/task/{0}/children", process));
  pid_t child = -1;
  return children >> child ? innermost_child(child) : process;
}

bool stops(pid_t process) {
  const auto until = std::chrono::steady_clock::now() + kPatience;
  while (std::chrono::steady_clock::now() < until) {
    int status = 0;
    const pid_t changed = ::waitpid(process, &status, __WALL | WNOHANG);
    if (changed != 0) return changed == process && WIFSTOPPED(status);
    std::this_thread::yield();
  }
  return false;
}

std::string place_of(SourceNames& names, pid_t process) {
  user_regs_struct registers{};
  if (::ptrace(PTRACE_GETREGS, process, nullptr, &registers) != 0) return {};
  const auto frames = names.frames_at(registers.rip);
  if (frames.empty() || frames[0].line == 0) return {};
  const SourceFrame& frame = frames[0];
  return fmt::format("{} at {}:{}", frame.function, frame.file.substr(frame.file.rfind('/') + 1),
                     frame.line);
}

}  // namespace

std::string place_of_running(pid_t process) {
  const pid_t innermost = innermost_child(process);
  if (::ptrace(PTRACE_SEIZE, innermost, nullptr, nullptr) != 0) return {};
  ::ptrace(PTRACE_INTERRUPT, innermost, nullptr, nullptr);
  SourceNames names = names_of(innermost);
  for (int i = 0; i < kInstructions && stops(innermost); ++i) {
    std::string place = place_of(names, innermost);
    if (!place.empty()) return place;
    ::ptrace(PTRACE_SINGLESTEP, innermost, nullptr, nullptr);
  }
  return {};
}

}  // namespace heddle
