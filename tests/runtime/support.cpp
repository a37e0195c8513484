#include "tests/runtime/support.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "trace/open.h"
#include "trace/validate.h"

namespace heddle {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "heddle-runtime-XXXXXX").string();
  CHECK(::mkdtemp(name.data()) != nullptr);
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

SubprocessResult heddle(std::vector<std::string> arguments, const SubprocessOptions& options) {
  arguments.insert(arguments.begin(), HEDDLE_PROGRAM);
  return run_subprocess(arguments, options).value();
}

SubprocessResult record(const std::string& path, const std::string& trace,
                        std::vector<std::string> options, const SubprocessOptions& process) {
  std::vector<std::string> words = {"record", "--quiet", "--out", trace};
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), {"--", path});
  return heddle(words, process);
}

std::string program_under_test(const std::string& name) {
  return fmt::format("{}/programs/{}", HEDDLE_RUNTIME_PROGRAMS, name);
}

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<EventRecord> events_of(const std::string& path) {
  const auto source = open_trace(path);
  const auto trace = collect(**source);
  std::vector<EventRecord> events;
  for (const EventId event : trace->events()) events.push_back(trace->record(event));
  return events;
}

std::string first_offence(const std::string& path) {
  const auto source = open_trace(path);
  if (!source.ok()) return source.error().message;
  const auto validation = validate(**source, 1);
  if (!validation.ok()) return validation.error().message;
  if ((*source)->damage()) return (*source)->damage()->message;
  if (validation->total == 0) return "";
  return fmt::format("{}: {}", validation->first[0].where,
                     validation->first[0].offence.explanation);
}

std::string note_of(const std::string& path, const std::string& name) {
  const auto source = open_trace(path);
  const auto trace = collect(**source);
  const auto note = trace->metadata.notes.find(name);
  return note != trace->metadata.notes.end() ? note->second : "";
}

}  // namespace heddle
