// Standard output and standard error: the one way in which commands speak.
//
// Results go to standard output through print(). When that cannot be written (a full
// disk, a pipe that nobody reads), print() throws OutputFailed, which run() turns into
// one line and an exit status; so a command never goes on for nobody, and a result that
// was cut off never looks like success.
#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/result.h"
#include "cli/exit_status.h"

namespace heddle {

// Thrown inside cli/ only.
struct OutputFailed {
  int error_number;
};

void print_text(std::string_view text);

template <typename... Args>
void print(fmt::format_string<Args...> format, Args&&... args) {
  print_text(fmt::format(format, std::forward<Args>(args)...));
}

// Writes out what is buffered and closes standard output.
void finish_output();

// Says "heddle: MESSAGE" on standard error and hands the status back.
ExitStatus fail(ExitStatus status, std::string_view message);
inline ExitStatus fail(ExitStatus status, const Error& error) {
  return fail(status, error.message);
}

// Says "heddle: MESSAGE" on standard error and goes on.
void warn(std::string_view message);

enum class Colour { none, green, yellow, red, bold };
// The text in that colour where standard output is a terminal that wants it, else as it is.
std::string coloured(Colour colour, std::string_view text);
// Whether coloured() colours, and how wide the terminal is (100 where there is none).
bool colour_wanted();
std::size_t terminal_width();

}  // namespace heddle
