// Replay: the same run again, compared with the trace event by event.
#include "record/debugger.h"
#include "record/notes.h"
#include "record/record.h"
#include "record/schedule.h"
#include "trace/open.h"

namespace heddle {
namespace {

std::string describe(const Tables& tables, const EventRecord& event) {
  std::string text = fmt::format("{} of {}", name_of(event.kind), tables.describe(event.thread));
  if (object_type(event.kind) != ObjectType::none) {
    text += fmt::format(" on {}", tables.describe(object_type(event.kind), event.object));
  }
  if (event.has_value) text += fmt::format(", value {}", event.value);
  return text + fmt::format(", at {}", tables.describe(event.site));
}

// Compares the events of a run with those of a trace, one by one.
class Comparison {
 public:
  explicit Comparison(EventSource& source) : source_(source) {}

  // False at the first difference.
  Result<bool> compare(const Tables& tables, std::span<const EventRecord> events) {
    for (const EventRecord& event : events) {
      TRY(const EventRecord* expected, next());
      if (expected == nullptr || !(*expected == event)) {
        divergence = DivergedEvent{
            count,
            expected != nullptr ? describe(source_.tables(), *expected) : "the end of the run",
            describe(tables, event)};
        return false;
      }
      ++count;
    }
    return true;
  }
  // The run is over; the trace must be, too.
  Result<void> compare_end(const std::string& words) {
    TRY(const EventRecord* expected, next());
    if (expected != nullptr && !divergence) {
      divergence = DivergedEvent{count, describe(source_.tables(), *expected),
                                 fmt::format("the end of the run ({})", words)};
    }
    return {};
  }

  std::uint64_t count = 0;
  std::optional<DivergedEvent> divergence;

 private:
  // The next event of the trace, or null at its end.
  Result<const EventRecord*> next() {
    if (position_ == batch_.size()) {
      TRY_VOID(source_.next(batch_));
      position_ = 0;
      if (batch_.empty()) return static_cast<const EventRecord*>(nullptr);
    }
    return static_cast<const EventRecord*>(&batch_[position_++]);
  }

  EventSource& source_;
  std::vector<EventRecord> batch_;
  std::size_t position_ = 0;
};

// The command and the seed of a trace; known for certain only after all of it was read.
Result<Metadata> metadata_of(const std::string& path) {
  TRY(const auto source, open_trace(path));
  std::vector<EventRecord> batch;
  do {
    TRY_VOID(source->next(batch));
  } while (!batch.empty());
  return source->metadata();
}

}  // namespace

Result<RunOptions> options_to_follow(const std::string& path) {
  RunOptions options;
  TRY(const Metadata metadata, metadata_of(path));
  options.launch.command = metadata.command_line;
  options.settings.seed = metadata.seed.value_or(0);
  if (leaves_out(metadata)) TRY_VOID(take_shared(metadata, options));
  if (leaves_out(metadata) && says_settings(metadata)) {
    TRY_VOID(take_settings(metadata, options));
  } else {
    options.settings.policy = wire::PolicyKind::replay;
    TRY(options.schedule, schedule_of_trace(path));
  }
  return options;
}

namespace {

// The recorded command, unless another one is given. Stopping at an event needs the order of
// events, which a policy and a seed do not give.
Result<RunOptions> options_for_replay(const std::string& path, const ReplayRunOptions& replay) {
  TRY(RunOptions options, options_to_follow(path));
  const std::vector<std::string> recorded_command = options.launch.command;
  options.launch = replay.launch;
  if (options.launch.command.empty()) options.launch.command = recorded_command;
  if (options.launch.command.empty()) {
    return make_error("'{}' does not say which program it is of; give it after --", path);
  }
  if (replay.until || replay.debugger) {
    options.settings.policy = wire::PolicyKind::replay;
    TRY(options.schedule, schedule_of_trace(path));
  }
  options.settings.stop_at = replay.until.value_or(wire::kNoStop);
  options.settings.debugger = replay.debugger ? 1 : 0;
  return options;
}

}  // namespace

Result<ReplayedRun> replay_run(const std::string& trace_path, const ReplayRunOptions& replay) {
  TRY(RunOptions options, options_for_replay(trace_path, replay));
  std::optional<Debugger> debugger;
  if (replay.debugger) {
    TRY(Debugger found, Debugger::find());
    debugger.emplace(std::move(found));
    debugger->put_around(options.launch);
  }
  TRY(const auto source, open_trace(trace_path));
  Comparison comparison(*source);
  const auto take = [&](const Tables& tables, std::span<const EventRecord> events) -> Result<bool> {
    if (comparison.divergence) return true;
    TRY(const bool same, comparison.compare(tables, events));
    return same || replay.debugger;
  };
  const auto finish = [&](const Tables&, const RunResult& result) -> Result<void> {
    if (replay.debugger || result.ending == Ending::reached) return {};
    return comparison.compare_end(result.words);
  };
  TRY(RunResult result, run_program(options, take, finish));
  return ReplayedRun{std::move(result), comparison.count, comparison.divergence};
}

}  // namespace heddle
