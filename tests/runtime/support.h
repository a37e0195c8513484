// What the tests of the runtime share: programs under test, and recording them.
#pragma once

#include <string>
#include <vector>

#include "base/subprocess.h"
#include "trace/event.h"

namespace heddle {

// A folder that goes away with the test.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

SubprocessResult heddle(std::vector<std::string> arguments, const SubprocessOptions& options = {});

// Records the program at `path` into `trace`.
SubprocessResult record(const std::string& path, const std::string& trace,
                        std::vector<std::string> options = {},
                        const SubprocessOptions& process = {});

// The program under test of this name, compiled by Clang.
std::string program_under_test(const std::string& name);

std::string content_of(const std::string& path);
std::vector<EventRecord> events_of(const std::string& path);
// Empty when the trace is well-formed, else the first offence.
std::string first_offence(const std::string& path);
// A note of the trace's metadata.
std::string note_of(const std::string& path, const std::string& name);

}  // namespace heddle
