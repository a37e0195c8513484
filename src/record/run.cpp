#include "record/run.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

#include <sys/wait.h>

#include "record/channel.h"
#include "record/thread_names.h"

namespace heddle {
namespace {

constexpr std::uint64_t kNap = 2'000;  // microseconds; a program that died wakes nobody
constexpr std::chrono::seconds kPatience(10);

// Events are handed over so many at a time, whatever pieces they come in: which definitions
// stand before which events in the file must not depend on timing.
constexpr std::size_t kBatch = 4096;

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

class ProgramRun {
 public:
  ProgramRun(Channel channel, pid_t process, const TakeEvents& take,
             std::function<void(const std::string&)> warn)
      : channel_(std::move(channel)), process_(process), take_(take), warn_(std::move(warn)) {}
  ~ProgramRun() { kill(); }
  ProgramRun(const ProgramRun&) = delete;
  ProgramRun& operator=(const ProgramRun&) = delete;

  Result<void> follow();
  bool attached() const { return channel_.attached(); }
  RunResult result();
  const Tables& tables() const { return translator_.tables(); }

 private:
  Result<void> take(std::span<const wire::Record> records);
  Result<void> hand_over();
  void watch(bool any_event);
  bool reap(int flags);
  void kill();

  Channel channel_;
  pid_t process_;
  const TakeEvents& take_;
  Translator translator_;
  ThreadNames thread_names_;
  std::vector<EventRecord> events_;
  int wait_status_ = 0;
  bool stopped_ = false;
  std::function<void(const std::string&)> warn_;
  std::chrono::steady_clock::time_point last_event_ = std::chrono::steady_clock::now();
  bool said_so_ = false;
};

Result<void> ProgramRun::take(std::span<const wire::Record> records) {
  EventRecord event;
  for (const wire::Record& record : records) {
    if (!translator_.translate(record, event)) continue;
    events_.push_back(event);
    if (events_.size() == kBatch) TRY_VOID(hand_over());
  }
  return {};
}

Result<void> ProgramRun::hand_over() {
  thread_names_.look_at(translator_.tables(), events_);
  if (!stopped_ && !events_.empty()) {
    TRY(const bool go_on, take_(translator_.tables(), events_));
    stopped_ = !go_on;
  }
  events_.clear();
  return {};
}

bool ProgramRun::reap(int flags) {
  if (process_ < 0) return true;
  const pid_t got = ::waitpid(process_, &wait_status_, flags);
  if (got == process_) process_ = -1;
  return process_ < 0;
}

void ProgramRun::kill() {
  if (process_ < 0) return;
  ::kill(process_, SIGKILL);
  reap(0);
}

Result<void> ProgramRun::follow() {
  const auto taker = [this](std::span<const wire::Record> records) { return take(records); };
  while (!stopped_) {
    TRY(const bool any, channel_.drain(taker));
    watch(any);
    if (any) continue;
    if (reap(channel_.complete() ? 0 : WNOHANG)) break;
    channel_.wait(kNap);
  }
  if (stopped_) kill();
  TRY(const bool rest, channel_.drain_rest(taker));
  (void)rest;
  return hand_over();
}

// A program that hangs outside the gate (an endless loop without a visible operation, a lock
// that Heddle does not know) gets one line.
void ProgramRun::watch(bool any_event) {
  const auto now = std::chrono::steady_clock::now();
  if (any_event) last_event_ = now;
  if (said_so_ || now - last_event_ < kPatience || !channel_.attached()) return;
  said_so_ = true;
  if (warn_) {
    warn_(fmt::format("no event for {} s: {} has not come to the gate again, or waits for input",
                      kPatience.count(), translator_.describe_last()));
  }
}

RunResult ProgramRun::result() {
  RunResult result;
  result.unseen = translator_.unseen();
  result.source_folder = translator_.source_folder();
  for (const auto& [thread, name] : thread_names_.names(translator_.thread_names())) {
    result.thread_names[tables().describe(thread)] = name;
  }
  result.diverged = translator_.diverged();
  if (stopped_) {
    result.ending = Ending::stopped;
    result.words = "stopped";
  } else if (translator_.deadlocked()) {
    result.ending = Ending::deadlock;
    result.words = "deadlock";
    for (const BlockedThread& thread : translator_.blocked()) {
      result.details.push_back(translator_.describe(thread));
    }
  } else if (translator_.stopped()) {
    result.ending = Ending::reached;
    result.words = "stopped";
  } else if (result.diverged) {
    result.ending = Ending::diverged;
    result.words = "diverged";
    for (const BlockedThread& thread : translator_.blocked()) {
      result.details.push_back(translator_.describe(thread));
    }
  } else if (WIFSIGNALED(wait_status_)) {
    result.ending = Ending::killed;
    result.status = WTERMSIG(wait_status_);
    const char* name = ::sigabbrev_np(result.status);
    result.words = name != nullptr ? fmt::format("killed by SIG{}", name)
                                   : fmt::format("killed by signal {}", result.status);
  } else {
    result.status = WEXITSTATUS(wait_status_);
    result.words = fmt::format("exit status {}", result.status);
  }
  return result;
}

}  // namespace

Result<RunResult> run_program(const RunOptions& options, const TakeEvents& take,
                              const FinishRun& finish) {
  TRY(Channel channel, Channel::create(options.settings, options.schedule));
  Launch launch_options = options.launch;
  launch_options.channel = channel.descriptor();
  const LeaveInterruptsToProgram leave_interrupts(launch_options);
  TRY(const pid_t process, launch(launch_options));
  ProgramRun run(std::move(channel), process, take, options.warn);
  TRY_VOID(run.follow());
  if (!run.attached()) {
    return make_error(
        "'{}' does not contain Heddle's runtime; build it with heddle-c++ (or heddle-cc)",
        options.launch.command[0]);
  }
  RunResult result = run.result();
  if (!options.launch.randomise_addresses && !can_fix_addresses()) {
    result.unseen.emplace_back(
        "addresses: the kernel does not let Heddle fix them, so what depends on them may differ");
  }
  TRY_VOID(finish(run.tables(), result));
  return result;
}

}  // namespace heddle
