#include "base/subprocess.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace heddle {
namespace {

constexpr int kCouldNotStart = 127;

class Pipe {
 public:
  Pipe() { CHECK(::pipe2(ends_.data(), O_CLOEXEC) == 0, "pipe: {}", std::strerror(errno)); }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int read_end() const { return ends_[0]; }
  int write_end() const { return ends_[1]; }
  void close_write_end() { close_end(1); }

 private:
  void close_end(std::size_t end) {
    if (ends_[end] >= 0) ::close(ends_[end]);
    ends_[end] = -1;
  }
  std::array<int, 2> ends_{-1, -1};
};

std::vector<char*> as_exec_wants_them(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  return arguments;
}

// The settings must live as long as the process, or until another program takes its place.
bool add_to_environment(const std::vector<std::string>& settings) {
  return std::all_of(settings.begin(), settings.end(), [](const std::string& setting) {
    return ::putenv(const_cast<char*>(setting.c_str())) == 0;
  });
}

// Runs in the child; tells the parent through `failure` why the program did not start.
[[noreturn]] void become(const std::vector<std::string>& command, const SubprocessOptions& options,
                         int output, int errors, int failure) {
  const std::vector<char*> arguments = as_exec_wants_them(command);
  const int input = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (!options.output_path.empty()) {
    output = ::open(options.output_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  }
  bool ready = ::dup2(input, 0) >= 0 && ::dup2(output, 1) >= 0 && ::dup2(errors, 2) >= 0;
  ready = ready && add_to_environment(options.environment);
  ready = ready && (options.directory.empty() || ::chdir(options.directory.c_str()) == 0);
  if (ready) ::execvp(arguments[0], arguments.data());
  const int reason = errno;
  const ssize_t told = ::write(failure, &reason, sizeof reason);
  ::_exit(told == sizeof reason ? kCouldNotStart : kCouldNotStart + 1);
}

// Takes what is there; false at the end.
bool drain(int descriptor, std::string& text) {
  std::array<char, 4096> chunk;
  const ssize_t got = ::read(descriptor, chunk.data(), chunk.size());
  if (got > 0) text.append(chunk.data(), static_cast<std::size_t>(got));
  return got > 0 || (got < 0 && errno == EINTR);
}

void read_both(int output, int errors, SubprocessResult& result) {
  std::array<pollfd, 2> open = {{{output, POLLIN, 0}, {errors, POLLIN, 0}}};
  while (open[0].fd >= 0 || open[1].fd >= 0) {
    if (::poll(open.data(), open.size(), -1) < 0) continue;
    if (open[0].revents != 0 && !drain(output, result.output)) open[0].fd = -1;
    if (open[1].revents != 0 && !drain(errors, result.errors)) open[1].fd = -1;
  }
}

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) CHECK(errno == EINTR, "{}", std::strerror(errno));
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

Result<SubprocessResult> run_subprocess(const std::vector<std::string>& command,
                                        const SubprocessOptions& options) {
  CHECK(!command.empty());
  Pipe output, errors, failure;
  const pid_t child = ::fork();
  if (child < 0) return make_error("cannot start '{}': {}", command[0], std::strerror(errno));
  if (child == 0) {
    become(command, options, output.write_end(), errors.write_end(), failure.write_end());
  }
  for (Pipe* pipe : {&output, &errors, &failure}) pipe->close_write_end();
  SubprocessResult result;
  read_both(output.read_end(), errors.read_end(), result);
  result.exit_status = wait_for(child);
  int reason = 0;
  if (::read(failure.read_end(), &reason, sizeof reason) == sizeof reason) {
    return make_error("cannot start '{}': {}", command[0], std::strerror(reason));
  }
  return result;
}

Error become_program(const std::vector<std::string>& command,
                     const std::vector<std::string>& environment) {
  const std::vector<char*> arguments = as_exec_wants_them(command);
  if (add_to_environment(environment)) ::execvp(arguments[0], arguments.data());
  const int reason = errno;
  for (const std::string& setting : environment) {  // the environment must not keep our strings
    ::unsetenv(setting.substr(0, setting.find('=')).c_str());
  }
  return make_error("cannot start '{}': {}", command[0], std::strerror(reason));
}

std::optional<std::string> find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::string rest = path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
  for (std::size_t start = 0; start <= rest.size();) {
    const std::size_t end = std::min(rest.find(':', start), rest.size());
    const std::string candidate = rest.substr(start, end - start) + "/" + name;
    if (::access(candidate.c_str(), X_OK) == 0) return candidate;
    start = end + 1;
  }
  return std::nullopt;
}

}  // namespace heddle
