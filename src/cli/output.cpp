#include "cli/output.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include <sys/ioctl.h>
#include <unistd.h>

namespace heddle {
namespace {

// NO_COLOR as on https://no-color.org: any value but the empty one switches colour off.
bool wants_colour() {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return ::isatty(STDOUT_FILENO) == 1 && (no_colour == nullptr || *no_colour == '\0') &&
         terminal != nullptr && std::string_view(terminal) != "dumb";
}

std::string_view escape_of(Colour colour) {
  switch (colour) {
    case Colour::none: return "";
    case Colour::green: return "\033[32m";
    case Colour::yellow: return "\033[33m";
    case Colour::red: return "\033[31m";
    case Colour::bold: return "\033[1m";
  }
  return "";
}

}  // namespace

void print_text(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) throw OutputFailed{errno};
}

void finish_output() {
  if (std::fclose(stdout) != 0) throw OutputFailed{errno};
}

ExitStatus fail(ExitStatus status, std::string_view message) {
  warn(message);
  return status;
}

void warn(std::string_view message) {
  const std::string line = fmt::format("heddle: {}\n", message);
  std::fwrite(line.data(), 1, line.size(), stderr);  // there is nowhere to say that this failed
}

bool colour_wanted() {
  static const bool wanted = wants_colour();
  return wanted;
}

std::size_t terminal_width() {
  winsize size{};
  const bool known = ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 100;
}

std::string coloured(Colour colour, std::string_view text) {
  if (!colour_wanted() || colour == Colour::none) return std::string(text);
  return fmt::format("{}{}\033[0m", escape_of(colour), text);
}

}  // namespace heddle
