#include "record/debugger.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/subprocess.h"

namespace heddle {
namespace {

// The runtime stops inside itself; the frame to show is the one that called it.
constexpr std::string_view kScript = R"(set startup-with-shell off
set breakpoint pending on
run
if $_isvoid($_exitcode) && $_isvoid($_exitsignal) && *(unsigned long*)&heddle_stop_pc != 0
  while $pc != *(unsigned long*)&heddle_stop_pc
    up-silently
  end
  frame
end
)";

}  // namespace

Result<Debugger> Debugger::find() {
  auto path = find_program("gdb");
  if (!path) {
    return make_error(
        "gdb is not there, so the replay cannot be watched in it: apt-get install gdb");
  }
  const int script = ::memfd_create("heddle-gdb", MFD_CLOEXEC);
  const auto size = static_cast<ssize_t>(kScript.size());
  if (script < 0 || ::write(script, kScript.data(), kScript.size()) != size) {
    return make_error("cannot write a memory file: {}", std::strerror(errno));
  }
  return Debugger(*std::move(path), script);
}

Debugger::Debugger(Debugger&& other) noexcept
    : path_(std::move(other.path_)), script_(std::exchange(other.script_, -1)) {}

Debugger::~Debugger() {
  if (script_ >= 0) ::close(script_);
}

std::vector<std::string> Debugger::words() const {
  return {path_, "-q", "-x", fmt::format("/proc/{}/fd/{}", ::getpid(), script_), "--args"};
}

// gdb does not look for the program in PATH.
void Debugger::put_around(Launch& launch) const {
  launch.debugger = words();
  if (launch.command[0].find('/') != std::string::npos) return;
  launch.command[0] = find_program(launch.command[0]).value_or(launch.command[0]);
}

}  // namespace heddle
