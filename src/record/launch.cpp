#include "record/launch.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/wire.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

constexpr int kCouldNotStart = 127;

void set_environment(const Launch& options) {
  ::setenv(wire::kChannelVariable, fmt::format("{}", options.channel).c_str(), 1);
  if (options.bind_now) ::setenv("LD_BIND_NOW", "1", 1);
  const char* old = std::getenv("LD_LIBRARY_PATH");
  const std::string folder = runtime_folder();
  if (folder.empty()) return;
  const std::string path = old != nullptr ? fmt::format("{}:{}", folder, old) : folder;
  ::setenv("LD_LIBRARY_PATH", path.c_str(), 1);
}

// A confined run gets its own position in a file that is standard input, and no other descriptors
// than the standard ones: they are taken by something that nothing can be done with.
void hide_descriptors(const Launch& options) {
  if (input_is_file()) {
    const off_t position = ::lseek(0, 0, SEEK_CUR);
    const int again = ::open("/proc/self/fd/0", O_RDONLY | O_CLOEXEC);
    if (again > 0) ::dup2(again, 0);
    ::lseek(0, position, SEEK_SET);
  }
  ::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
  const int useless = ::open("/dev/null", O_PATH | O_CLOEXEC);
  for (const int descriptor : options.inherited) ::dup2(useless, descriptor);
  ::fcntl(options.channel, F_SETFD, 0);
}

void discard_output(const Launch& options) {
  const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (!input_is_file()) ::dup2(nowhere, STDIN_FILENO);
  const int output = options.keep_output ? ::memfd_create("output", MFD_CLOEXEC) : nowhere;
  ::dup2(output, STDOUT_FILENO);
  ::dup2(nowhere, STDERR_FILENO);
  if (options.output >= 0) {
    ::dup2(options.output, STDOUT_FILENO);
    ::dup2(options.output, STDERR_FILENO);
  }
  if (options.errors_path.empty()) return;
  const int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC;
  const int errors = ::open(options.errors_path.c_str(), flags, 0600);
  if (errors >= 0) ::dup2(errors, STDERR_FILENO);
}

[[noreturn]] void become(const Launch& options, int failure) {
  std::vector<char*> words;
  for (const auto* part : {&options.debugger, &options.command}) {
    for (const std::string& word : *part) words.push_back(const_cast<char*>(word.c_str()));
  }
  words.push_back(nullptr);
  set_environment(options);
  if (!options.randomise_addresses) {
    const int now = ::personality(0xffffffff);
    if (now >= 0) ::personality(static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE);
  }
  if (options.confined) hide_descriptors(options);
  if (options.discard_output) discard_output(options);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::signal(SIGINT, options.on_interrupt);
  ::signal(SIGQUIT, options.on_quit);
  ::execvp(words[0], words.data());
  const int reason = errno;
  const ssize_t told = ::write(failure, &reason, sizeof reason);
  ::_exit(told == sizeof reason ? kCouldNotStart : kCouldNotStart + 1);
}

}  // namespace

bool input_is_file() {
  struct stat input;
  return ::fstat(0, &input) == 0 && S_ISREG(input.st_mode);
}

std::vector<int> inherited_descriptors() {
  std::vector<int> inherited;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/proc/self/fd", error)) {
    const int descriptor = std::atoi(entry.path().filename().c_str());
    if (descriptor <= STDERR_FILENO) continue;
    const int flags = ::fcntl(descriptor, F_GETFD);
    if (flags >= 0 && (flags & FD_CLOEXEC) == 0) inherited.push_back(descriptor);
  }
  std::ranges::sort(inherited);
  return inherited;
}

std::string runtime_folder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return {};
  for (fs::path folder = program.parent_path(); folder.has_relative_path();
       folder = folder.parent_path()) {
    for (const char* name : {"lib", "lib/x86_64-linux-gnu", "lib64"}) {
      if (fs::exists(folder / name / "libheddle_rt.so", error)) return (folder / name).string();
    }
  }
  return {};
}

bool can_fix_addresses() {
  const int now = ::personality(0xffffffff);
  if (now < 0) return false;
  const bool can = ::personality(static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE) >= 0;
  ::personality(static_cast<unsigned long>(now));
  return can;
}

Result<pid_t> launch(const Launch& options) {
  int failure[2];
  if (::pipe2(failure, O_CLOEXEC) != 0) return make_error("pipe: {}", std::strerror(errno));
  const pid_t child = ::fork();
  if (child == 0) become(options, failure[1]);
  ::close(failure[1]);
  int reason = 0;
  const bool failed = ::read(failure[0], &reason, sizeof reason) == sizeof reason;
  ::close(failure[0]);
  if (child < 0 || failed) {
    return make_error("cannot start '{}': {}", options.command[0],
                      std::strerror(failed ? reason : errno));
  }
  return child;
}

}  // namespace heddle
