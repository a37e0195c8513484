#include "record/process_run.h"

#include <chrono>
#include <csignal>

#include <sys/wait.h>

#include "record/channel.h"

namespace heddle {
namespace {

constexpr std::uint64_t kPrintedBytes = 4 << 20;  // so much output is held back
constexpr std::uint64_t kNap = 2'000;             // microseconds; a program that died wakes nobody
constexpr std::chrono::seconds kPatience(10);

// Ctrl-C is for the program; what it did until then is written all the same.
class LeaveInterruptsToProgram {
 public:
  explicit LeaveInterruptsToProgram(Launch& options)
      : interrupt_(::signal(SIGINT, SIG_IGN)), quit_(::signal(SIGQUIT, SIG_IGN)) {
    options.on_interrupt = interrupt_;
    options.on_quit = quit_;
  }
  ~LeaveInterruptsToProgram() {
    ::signal(SIGINT, interrupt_);
    ::signal(SIGQUIT, quit_);
  }
  LeaveInterruptsToProgram(const LeaveInterruptsToProgram&) = delete;
  LeaveInterruptsToProgram& operator=(const LeaveInterruptsToProgram&) = delete;

 private:
  sighandler_t interrupt_;
  sighandler_t quit_;
};

using Clock = std::chrono::steady_clock;

class ProcessRun {
 public:
  ProcessRun(Channel channel, pid_t process, const TakeRecords& take)
      : channel_(std::move(channel)), process_(process), take_(take) {}
  ~ProcessRun() { kill(); }
  ProcessRun(const ProcessRun&) = delete;
  ProcessRun& operator=(const ProcessRun&) = delete;

  // Calls `on_hang` once if nothing happens for long; `false` ends the run.
  Result<void> follow(const std::function<bool()>& on_hang, Clock::time_point until);
  bool attached() const { return channel_.attached(); }
  ProcessEnd end() const;

 private:
  bool hangs(bool any_record);
  bool reap(int flags);
  void kill();

  Channel channel_;
  pid_t process_;
  const TakeRecords& take_;
  int wait_status_ = 0;
  bool stopped_ = false;
  bool given_up_ = false;
  bool late_ = false;
  Clock::time_point last_sign_ = Clock::now();
  std::uint32_t last_progress_ = 0;
  bool said_so_ = false;
};

ProcessEnd ProcessRun::end() const {
  ProcessEnd end;
  end.wait_status = wait_status_;
  end.left_out = channel_.left_out();
  end.refused = channel_.refused();
  end.cut = channel_.cut();
  if (const auto printed = channel_.printed()) end.printed = std::string(*printed);
  end.hung = given_up_;
  end.late = late_;
  end.message = channel_.message();
  return end;
}

bool ProcessRun::reap(int flags) {
  if (process_ < 0) return true;
  const pid_t got = ::waitpid(process_, &wait_status_, flags);
  if (got == process_) process_ = -1;
  return process_ < 0;
}

void ProcessRun::kill() {
  if (process_ < 0) return;
  ::kill(process_, SIGKILL);
  reap(0);
}

Result<void> ProcessRun::follow(const std::function<bool()>& on_hang, Clock::time_point until) {
  const auto taker = [this](std::span<const wire::Record> records) -> Result<void> {
    if (stopped_) return {};
    TRY(const bool go_on, take_(records));
    stopped_ = !go_on;
    return {};
  };
  while (!stopped_) {
    TRY(const bool any, channel_.drain(taker));
    if (hangs(any) && !on_hang()) stopped_ = given_up_ = true;
    if (Clock::now() >= until) stopped_ = late_ = true;
    if (any) continue;
    if (reap(channel_.complete() ? 0 : WNOHANG)) break;
    channel_.wait(kNap);
  }
  if (stopped_) kill();
  TRY(const bool rest, channel_.drain_rest(taker));
  (void)rest;
  return {};
}

// A program that hangs outside the gate (an endless loop without a visible operation, a lock
// that Heddle does not know) is worth one line.
bool ProcessRun::hangs(bool any_record) {
  const auto now = std::chrono::steady_clock::now();
  const bool progressed = channel_.progress() != last_progress_;
  last_progress_ = channel_.progress();
  if (any_record || progressed) last_sign_ = now;
  if (said_so_ || now - last_sign_ < kPatience || !channel_.attached()) return false;
  return said_so_ = true;
}

}  // namespace

Result<ProcessEnd> run_process(const RunOptions& options, const TakeRecords& take,
                               const std::function<std::string()>& describe_last) {
  TRY(Channel channel,
      Channel::create({.settings = options.settings,
                       .schedule = options.schedule,
                       .shared = options.shared,
                       .shared_sites = options.shared_sites,
                       .result_bytes = options.settings.confined != 0 ? kPrintedBytes : 0}));
  Launch launch_options = options.launch;
  launch_options.channel = channel.descriptor();
  const LeaveInterruptsToProgram leave_interrupts(launch_options);
  TRY(const pid_t process, launch(launch_options));
  ProcessRun run(std::move(channel), process, take);
  const auto on_hang = [&] {
    if (options.warn) {
      options.warn(
          fmt::format("no event for {} s: {} has not come to the gate again, or waits for input",
                      kPatience.count(), describe_last()));
    }
    return !options.end_when_hanging;
  };
  TRY_VOID(run.follow(on_hang, options.until));
  const ProcessEnd end = run.end();
  if (!run.attached() && end.late) {
    return make_error(
        "'{}' came to no visible operation before the time was up; does it compute for ever, or "
        "lack Heddle's runtime?",
        options.launch.command[0]);
  }
  if (!run.attached()) {
    return make_error(
        "'{}' does not contain Heddle's runtime; build it with heddle-c++ (or heddle-cc)",
        options.launch.command[0]);
  }
  return end;
}

}  // namespace heddle
