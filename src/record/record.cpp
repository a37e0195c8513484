#include "record/record.h"

#include <filesystem>

#include "record/build.h"
#include "record/held_output.h"
#include "record/notes.h"
#include "record/scout.h"
#include "record/shared_memory.h"
#include "trace/binary_writer.h"

namespace heddle {
namespace {

Metadata describe_run(const RunOptions& options) {
  Metadata metadata;
  metadata.command_line = options.launch.command;
  metadata.clock = "virtual";
  metadata.seed = options.settings.seed;
  if (const auto build = build_of(options.launch.command[0]); build.ok()) {
    metadata.notes[kBuildNote] = *build;
  }
  note_settings(metadata, options);
  return metadata;
}

void describe_ending(Metadata& metadata, const RunResult& result) {
  metadata.notes["ended"] = result.words;
  note_left_out(metadata, result);
  if (result.ending == Ending::exited || result.ending == Ending::killed) {
    metadata.exit_status = result.exit_status();
  }
  if (!result.details.empty()) {
    metadata.notes["deadlock"] = fmt::format("{}", fmt::join(result.details, "\n"));
  }
  if (!result.source_folder.empty()) metadata.notes["sources"] = result.source_folder;
  for (const auto& [thread, name] : result.thread_names) metadata.set_thread_name(thread, name);
  if (!result.unseen.empty()) {
    metadata.notes["not seen"] = fmt::format("{}", fmt::join(result.unseen, "\n"));
  }
}

void remove_file(const std::string& path) {
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
}

Result<void> make_parent(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  if (folder.empty()) return {};
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return make_error("cannot make the folder '{}': {}", folder.string(), error.message());
  return {};
}

// With `memory`, what is shared turns out only while the program runs; when too late, no more
// events are wanted.
Result<RecordedRun> record_selected(const RunOptions& options, const std::string& path,
                                    SharedMemory* memory = nullptr) {
  TRY_VOID(make_parent(path));
  TRY(const auto writer, BinaryWriter::create(path, BinaryWriter::Blocks::in_background));
  Metadata metadata = describe_run(options);
  TRY_VOID(writer->write_metadata(metadata));
  RecordedRun recorded;
  const auto look = [&](std::span<const wire::Record> records) {
    if (memory != nullptr) memory->take(records);
    return memory == nullptr || !memory->late();
  };
  const auto take = [&](Tables& tables, std::span<const EventRecord> events) -> Result<bool> {
    recorded.events += events.size();
    TRY_VOID(writer->append(tables, events));
    writer->forget_written(tables);
    return true;
  };
  const auto finish = [&](const Tables& tables, const RunResult& result) {
    if (memory != nullptr) note_shared(metadata, memory->ranges());
    describe_ending(metadata, result);
    return writer->finish(tables, metadata);
  };
  auto result = run_program(options, take, finish, look);
  if (!result.ok()) {
    remove_file(path);
    return result.error();
  }
  recorded.result = *std::move(result);
  recorded.bytes = writer->bytes_written();
  return recorded;
}

// Either a trace that lacks nothing, or what there is to know for another run.
struct FirstTry {
  std::optional<RecordedRun> recorded;
  Scouted scouted;
};

Result<FirstTry> try_to_record(const RunOptions& options, const Scouted& first_look,
                               const std::string& path) {
  RunOptions trying = confined(options);
  trying.settings.selection = wire::Selection::shared_only;
  trying.shared = *first_look.shared;
  trying.shared_sites = first_look.sites;
  SharedMemory memory(trying.shared);
  TRY(RecordedRun recorded, record_selected(trying, path, &memory));
  const ProcessEnd& end = recorded.result.process;
  FirstTry first;
  first.scouted.reason = refusal_in_words(end);
  if (first.scouted.reason.empty() && !memory.late() && memory.exact() && end.printed) {
    let_out(*end.printed, options.launch);
    first.recorded = std::move(recorded);
    return first;
  }
  remove_file(path);
  TRY_VOID(check_interruption(end));
  if (first.scouted.reason.empty()) first.scouted.shared = memory.ranges();
  return first;
}

}  // namespace

Result<RecordedRun> record_run(const RunOptions& options, const std::string& path,
                               bool shared_only) {
  const bool knows = options.settings.selection == wire::Selection::shared_only;
  const bool follows_events = options.settings.policy == wire::PolicyKind::replay;
  if (!shared_only || knows || follows_events) return record_selected(options, path);
  const bool can_try = inherited_descriptors().size() <= wire::kMostInherited;
  TRY(Scouted scouted, scout(options, can_try ? options.first_look : 0));
  if (scouted.first_look) {
    TRY(FirstTry first, try_to_record(options, scouted, path));
    if (first.recorded) return *std::move(first.recorded);
    scouted = std::move(first.scouted);
  }
  RunOptions selecting = options;
  if (scouted.shared) {
    selecting.settings.selection = wire::Selection::shared_only;
    selecting.shared = *std::move(scouted.shared);
  }
  TRY(RecordedRun recorded, record_selected(selecting, path));
  recorded.everything_because = scouted.reason;
  return recorded;
}

}  // namespace heddle
