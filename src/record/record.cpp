#include "record/record.h"

#include <filesystem>

#include "record/build.h"
#include "record/notes.h"
#include "record/scout.h"
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

Result<void> make_parent(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  if (folder.empty()) return {};
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return make_error("cannot make the folder '{}': {}", folder.string(), error.message());
  return {};
}

Result<RecordedRun> record_selected(const RunOptions& options, const std::string& path) {
  TRY_VOID(make_parent(path));
  TRY(const auto writer, BinaryWriter::create(path));
  Metadata metadata = describe_run(options);
  TRY_VOID(writer->write_metadata(metadata));
  RecordedRun recorded;
  const auto take = [&](Tables& tables, std::span<const EventRecord> events) -> Result<bool> {
    recorded.events += events.size();
    TRY_VOID(writer->append(tables, events));
    writer->forget_written(tables);
    return true;
  };
  const auto finish = [&](const Tables& tables, const RunResult& result) {
    describe_ending(metadata, result);
    return writer->finish(tables, metadata);
  };
  auto result = run_program(options, take, finish);
  if (!result.ok()) {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
    return result.error();
  }
  recorded.result = *std::move(result);
  recorded.bytes = writer->bytes_written();
  return recorded;
}

}  // namespace

Result<RecordedRun> record_run(const RunOptions& options, const std::string& path,
                               bool shared_only) {
  const bool knows = options.settings.selection == wire::Selection::shared_only;
  const bool follows_events = options.settings.policy == wire::PolicyKind::replay;
  if (!shared_only || knows || follows_events) return record_selected(options, path);
  TRY(Scouted scouted, scout(options));
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
