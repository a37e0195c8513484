#include "cli/run.h"

#include <csignal>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/output.h"

namespace heddle {
namespace {

// A file opened while descriptor 0, 1 or 2 is closed would take that number and be
// mistaken for the standard stream. Opened for the wrong direction, /dev/null keeps the
// place, and using it still fails.
void occupy_closed_standard_streams() {
  for (int descriptor = 0; descriptor <= 2; ++descriptor) {
    if (::fcntl(descriptor, F_GETFD) >= 0) continue;
    if (::open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY) < 0) return;
  }
}

// Makes a write to a pipe without a reader an error like any other. A handler, unlike
// SIG_IGN, is not inherited by the programs that Heddle starts.
void turn_broken_pipes_into_errors() {
  std::signal(SIGPIPE, [](int) {});
}

ExitStatus run_command(std::span<const std::string> words) {
  try {
    CommandLine command_line(all_commands());
    const ExitStatus status = command_line.run(words);
    finish_output();
    return status;
  } catch (const OutputFailed& failure) {
    return fail(ExitStatus::output_failed, fmt::format("cannot write to standard output: {}",
                                                       std::strerror(failure.error_number)));
  } catch (const std::bad_alloc&) {
    return fail(ExitStatus::unavailable, "out of memory");
  } catch (const std::exception& error) {
    return fail(ExitStatus::internal, fmt::format("internal error: {}", error.what()));
  }
}

}  // namespace

int run(int argc, const char* const* argv) {
  occupy_closed_standard_streams();
  turn_broken_pipes_into_errors();
  const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  return static_cast<int>(run_command(words));
}

}  // namespace heddle
