#include "cli/progress.h"

#include <cmath>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

namespace heddle {
namespace {

using namespace std::chrono_literals;

constexpr auto kOften = 200ms;  // on a terminal
constexpr auto kSeldom = 5s;    // elsewhere

bool is_terminal() { return ::isatty(STDERR_FILENO) == 1; }

void put(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);  // nobody to tell if this fails
  std::fflush(stderr);
}

// Two digits are more than an estimate is worth.
std::string rounded(double number) {
  double unit = 1;
  while (number / unit >= 100) unit *= 10;
  const double shown = std::round(number / unit) * unit;
  return shown < 1e15 ? fmt::format("{:.0f}", shown) : fmt::format("{:.1e}", shown);
}

}  // namespace

void ProgressOptions::declare(CLI::App& app) {
  app.add_flag_callback(
      "--progress", [this] { wanted = true; },
      "show a progress line on standard error even if that is no terminal");
  app.add_flag_callback(
      "--no-progress", [this] { wanted = false; }, "show no progress line");
}

bool ProgressOptions::shows() const { return wanted.value_or(is_terminal()); }

ProgressLine::ProgressLine(TraceEstimate& estimate)
    : estimate_(estimate), on_terminal_(is_terminal()), next_(start_ + kOften) {}

ProgressLine::~ProgressLine() {
  if (on_terminal_ && drawn_) put("\r\x1b[K");
  if (!on_terminal_) draw(Clock::now());
}

bool ProgressLine::on_execution(const Execution& execution) {
  ++traces_;
  look_at_clock(execution);
  return true;
}

bool ProgressLine::on_dropped(const Execution& execution) {
  look_at_clock(execution);
  return true;
}

void ProgressLine::look_at_clock(const Execution& execution) {
  if (!meter_.is_due(execution.size())) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  estimate_.sample();
  draw(now);
  next_ = Clock::now() + (on_terminal_ ? Clock::duration(kOften) : Clock::duration(kSeldom));
}

void ProgressLine::draw(Clock::time_point now) {
  drawn_ = true;
  const std::string line = text(std::chrono::duration<double>(now - start_).count());
  put(on_terminal_ ? fmt::format("\r{}\x1b[K", line) : line + "\n");
}

std::string ProgressLine::text(double seconds) const {
  const double speed = seconds > 0 ? static_cast<double>(traces_) / seconds : 0;
  std::string line = fmt::format("{} traces, {:.0f} per second, {:.0f} s", traces_, speed, seconds);
  const std::optional<double> total = estimate_.agreed();
  if (!total || *total <= static_cast<double>(traces_)) return line;
  const double rest = *total - static_cast<double>(traces_);
  return line + fmt::format("; estimate: {} to go, {} s", rounded(rest), rounded(rest / speed));
}

}  // namespace heddle
