#include "record/record.h"

#include <filesystem>

#include "trace/binary_writer.h"

namespace heddle {
namespace {

constexpr std::string_view policy_name(wire::PolicyKind policy) {
  switch (policy) {
    case wire::PolicyKind::random: return "random";
    case wire::PolicyKind::pct: return "pct";
    case wire::PolicyKind::round_robin: return "round-robin";
    case wire::PolicyKind::replay: return "replay";
  }
  return "";
}

Metadata describe_run(const RunOptions& options) {
  Metadata metadata;
  metadata.command_line = options.launch.command;
  metadata.clock = "virtual";
  metadata.seed = options.settings.seed;
  metadata.notes["schedule"] = policy_name(options.settings.policy);
  return metadata;
}

void describe_ending(Metadata& metadata, const RunResult& result) {
  metadata.notes["ended"] = result.words;
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

}  // namespace

Result<RecordedRun> record_run(const RunOptions& options, const std::string& path) {
  TRY_VOID(make_parent(path));
  TRY(const auto writer, BinaryWriter::create(path));
  Metadata metadata = describe_run(options);
  TRY_VOID(writer->write_metadata(metadata));
  RecordedRun recorded;
  const auto take = [&](const Tables& tables, std::span<const EventRecord> events) -> Result<bool> {
    recorded.events += events.size();
    TRY_VOID(writer->append(tables, events));
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

}  // namespace heddle
