#include "record/seen_run.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

namespace heddle {
namespace {

constexpr std::size_t kMostText = std::size_t{16} << 20;

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

using Lines = std::vector<std::string_view>;

void compare_lines(Lines lines, Lines others, SeenChange& change) {
  const auto [mine, theirs] =
      std::mismatch(lines.begin(), lines.end(), others.begin(), others.end());
  if (mine == lines.end() && theirs == others.end()) return;
  if (mine != lines.end()) change.line = *mine;
  if (theirs != others.end()) change.other_line = *theirs;
  std::sort(lines.begin(), lines.end());
  std::sort(others.begin(), others.end());
  change.printed = lines == others ? PrintedChange::order : PrintedChange::lines;
}

// As the C library puts it.
std::string assertion_in(const std::string& line) {
  constexpr std::string_view kBefore = "Assertion `";
  const std::size_t before = line.find(kBefore);
  const std::size_t after = line.rfind("' failed.");
  if (before == std::string::npos || after == std::string::npos || after < before) return {};
  const std::size_t begin = before + kBefore.size();
  return line.substr(begin, after - begin);
}

}  // namespace

bool ended_by_itself(const RunResult& result) {
  return result.ending == Ending::exited || result.ending == Ending::killed ||
         result.ending == Ending::deadlock;
}

SeenChange seen_change(const SeenRun& run, const SeenRun& other) {
  SeenChange change;
  change.ending = run.ending;
  change.other_ending = other.ending;
  compare_lines(lines_of(run.printed), lines_of(other.printed), change);
  change.assertion = assertion_in(change.line);
  return change;
}

Result<PrintedText> PrintedText::create() {
  const int descriptor = ::memfd_create("printed", MFD_CLOEXEC);
  if (descriptor < 0) return make_error("memfd_create: {}", std::strerror(errno));
  return PrintedText(descriptor);
}

PrintedText::~PrintedText() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::string PrintedText::text() const {
  std::string text;
  char piece[1 << 16];
  while (text.size() < kMostText) {
    const ssize_t got = ::pread(descriptor_, piece, sizeof piece, static_cast<off_t>(text.size()));
    if (got <= 0) break;
    text.append(piece, static_cast<std::size_t>(got));
  }
  return text;
}

}  // namespace heddle
