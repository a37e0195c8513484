#include "record/run.h"

#include <csignal>
#include <cstring>

#include <sys/wait.h>

#include "finding/event_words.h"
#include "record/thread_names.h"

namespace heddle {
namespace {

// Events are handed over so many at a time, whatever pieces they come in: which definitions
// stand before which events in the file must not depend on timing.
constexpr std::size_t kBatch = 4096;
constexpr std::ptrdiff_t kAhead = 16;  // records come from another processor, which takes its time

class ProgramRun {
 public:
  explicit ProgramRun(const TakeEvents& take) : take_(take) {}

  // False when no more is wanted.
  Result<bool> take(std::span<const wire::Record> records);
  // There are no more records.
  Result<void> end();
  RunResult result(const ProcessEnd& end);
  const Tables& tables() const { return translator_.tables(); }
  std::string describe_last() const { return translator_.describe_last(); }

 private:
  Result<void> fetch();
  Result<void> hand_over();
  WaitingThread waiting(const BlockedThread& thread) const;

  const TakeEvents& take_;
  Translator translator_;
  ThreadNames thread_names_;
  std::vector<EventRecord> events_ = std::vector<EventRecord>(kBatch);
  std::size_t size_ = 0;  // of them are there
  bool stopped_ = false;
};

Result<bool> ProgramRun::take(std::span<const wire::Record> records) {
  for (const wire::Record& record : records) {
    __builtin_prefetch(&record + kAhead);
    translator_.take(record);
    TRY_VOID(fetch());
  }
  return !stopped_;
}

Result<void> ProgramRun::fetch() {
  while (const std::size_t count = translator_.fetch(std::span(events_).subspan(size_))) {
    size_ += count;
    if (size_ == kBatch) TRY_VOID(hand_over());
  }
  return {};
}

Result<void> ProgramRun::end() {
  translator_.end();
  TRY_VOID(fetch());
  return hand_over();
}

Result<void> ProgramRun::hand_over() {
  const auto events = std::span<const EventRecord>(events_).first(std::exchange(size_, 0));
  thread_names_.look_at(translator_.tables(), events);
  if (!stopped_ && !events.empty()) {
    TRY(const bool go_on, take_(translator_.tables(), events));
    stopped_ = !go_on;
  }
  return {};
}

WaitingThread ProgramRun::waiting(const BlockedThread& thread) const {
  WaitingThread words;
  words.thread = tables().describe(thread.thread);
  words.operation = operation_in_words(tables(), thread.kind, thread.object);
  if (thread.holder.valid()) words.holder = tables().describe(thread.holder);
  words.site = place_in_words(tables(), thread.site);
  words.words = translator_.describe(thread);
  return words;
}

RunResult ProgramRun::result(const ProcessEnd& end) {
  RunResult result;
  result.message = end.message;
  result.unseen = translator_.unseen();
  result.source_folder = translator_.source_folder();
  for (const auto& [thread, name] : thread_names_.names(translator_.thread_names())) {
    result.thread_names[tables().describe(thread)] = name;
  }
  result.diverged = translator_.diverged();
  result.process = end;
  result.late_shared = translator_.late_shared();
  for (const BlockedThread& thread : translator_.blocked()) {
    result.waiting.push_back(waiting(thread));
  }
  if (end.hung) {
    result.ending = Ending::hung;
    result.words = "ended, since nothing happened any more";
  } else if (stopped_ || end.late) {
    result.ending = Ending::stopped;
    result.words = "stopped";
  } else if (translator_.deadlocked()) {
    result.ending = Ending::deadlock;
    result.words = "deadlock";
    for (const WaitingThread& thread : result.waiting) result.details.push_back(thread.words);
  } else if (translator_.stopped()) {
    result.ending = Ending::reached;
    result.words = "stopped";
  } else if (result.diverged) {
    result.ending = Ending::diverged;
    result.words = "diverged";
    for (const WaitingThread& thread : result.waiting) result.details.push_back(thread.words);
  } else if (WIFSIGNALED(end.wait_status)) {
    result.ending = Ending::killed;
    result.status = WTERMSIG(end.wait_status);
    const char* name = ::sigabbrev_np(result.status);
    result.words = name != nullptr ? fmt::format("killed by SIG{}", name)
                                   : fmt::format("killed by signal {}", result.status);
  } else {
    result.status = WEXITSTATUS(end.wait_status);
    result.words = fmt::format("exit status {}", result.status);
  }
  return result;
}

}  // namespace

Result<RunResult> run_program(const RunOptions& options, const TakeEvents& take,
                              const FinishRun& finish, const LookAtRecords& look) {
  ProgramRun run(take);
  const auto take_records = [&](std::span<const wire::Record> records) -> Result<bool> {
    if (look && !look(records)) return true;
    return run.take(records);
  };
  TRY(const ProcessEnd end,
      run_process(options, take_records, [&] { return run.describe_last(); }));
  TRY_VOID(run.end());
  RunResult result = run.result(end);
  if (!options.launch.randomise_addresses && !can_fix_addresses()) {
    result.unseen.emplace_back(
        "addresses: the kernel does not let Heddle fix them, so what depends on them may differ");
  }
  TRY_VOID(finish(run.tables(), result));
  return result;
}

}  // namespace heddle
