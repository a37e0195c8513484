#include "record/scout.h"

#include <csignal>

#include <sys/syscall.h>
#include <sys/wait.h>

#include "record/shared_ranges.h"

namespace heddle {
namespace {

// Takes the records of a scout.
class Findings {
 public:
  void take(const wire::Record& record) {
    switch (static_cast<wire::Control>(record.type)) {
      case wire::Control::module: relocated_.push_back({record.object, record.value}); return;
      case wire::Control::region: return add_region(record);
      case wire::Control::shared: return add_shared(record.object, record.value);
      default: return;
    }
  }
  std::vector<wire::Range> shared() { return shared_.take(); }

 private:
  void add_region(const wire::Record& record) {
    const auto type = static_cast<wire::RegionType>(record.detail);
    if (type == wire::RegionType::thread_locals || type == wire::RegionType::initial_stack) {
      relocated_.push_back({record.object, record.value});
    }
  }
  // Memory that is neither at a fixed place nor in a known one counts as shared anyway.
  void add_shared(std::uint64_t low, std::uint64_t high) {
    if (low < wire::kCanonicalBase) return shared_.add(low, high);
    for (std::size_t i = 0; i < relocated_.size(); ++i) {
      if (low < relocated_[i].low || low >= relocated_[i].high) continue;
      const std::uint64_t canonical = wire::kCanonicalBase + i * wire::kCanonicalStep;
      return shared_.add(low - relocated_[i].low + canonical, high - relocated_[i].low + canonical);
    }
  }

  std::vector<wire::Range> relocated_;
  SharedRanges shared_;
};

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

std::string reason_of(const ProcessEnd& end) {
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

}  // namespace

Result<Scouted> scout(const RunOptions& run_options) {
  RunOptions options = run_options;
  options.settings.selection = wire::Selection::scout;
  options.settings.input_is_file = input_is_file() ? 1 : 0;
  options.launch.scout = true;
  Findings findings;
  const auto take = [&](std::span<const wire::Record> records) -> Result<bool> {
    for (const wire::Record& record : records) findings.take(record);
    return true;
  };
  TRY(const ProcessEnd end, run_process(options, take, [] { return "the first run"; }));
  const bool interrupted = WIFSIGNALED(end.wait_status) && (WTERMSIG(end.wait_status) == SIGINT ||
                                                            WTERMSIG(end.wait_status) == SIGQUIT);
  if (interrupted) {
    return make_error(
        "interrupted while a first run found out what is shared; --all does without it");
  }
  const std::string reason = reason_of(end);
  if (!reason.empty()) return Scouted{std::nullopt, reason};
  return Scouted{findings.shared(), {}};
}

}  // namespace heddle
