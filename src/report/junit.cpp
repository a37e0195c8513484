#include "report/junit.h"

#include <algorithm>

#include <fmt/format.h>

#include "report/kind_words.h"
#include "report/short_names.h"

namespace heddle {
namespace {

// XML 1.0 has no way to write most control characters.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      case '\n': result += "&#10;"; break;
      default: result += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
    }
  }
  return result;
}

std::string failure(const Reported& with_long_names) {
  const Reported reported = with_short_names(with_long_names);
  std::string text = fmt::format(R"(      <failure type="{}" message="{}">)",
                                 name_of(reported.finding.kind), escaped(reported.finding.message));
  for (const FindingEvent& event : reported.finding.events) {
    text += escaped(fmt::format("{}  {}  {}", event.site, event.thread, event.operation));
    text += '\n';
  }
  if (!reported.file.empty()) text += escaped(fmt::format("heddle replay {}", reported.file));
  return text + "</failure>\n";
}

bool fails(const Reported& reported, FindingKind kind) {
  return reported.counts && reported.standing == Standing::confirmed &&
         reported.finding.kind == kind;
}

std::string test_case(std::span<const Reported> findings, std::string_view subject,
                      FindingKind kind) {
  std::string text = fmt::format("    <testcase classname=\"{}\" name=\"no {}\">\n",
                                 escaped(subject), words_of(kind).title);
  for (const Reported& reported : findings) {
    if (fails(reported, kind)) text += failure(reported);
  }
  return text + "    </testcase>\n";
}

// What a check can fail by.
constexpr FindingKind kTested[] = {FindingKind::race,      FindingKind::deadlock,
                                   FindingKind::assertion, FindingKind::crash,
                                   FindingKind::memory,    FindingKind::exit_status,
                                   FindingKind::misuse,    FindingKind::livelock,
                                   FindingKind::atomicity, FindingKind::nondeterminism};

}  // namespace

std::string junit_of(std::span<const Reported> findings, std::string_view subject, double seconds) {
  std::string cases;
  std::size_t failed = 0;
  for (const FindingKind kind : kTested) {
    cases += test_case(findings, subject, kind);
    const auto failing = [&](const Reported& each) { return fails(each, kind); };
    if (std::any_of(findings.begin(), findings.end(), failing)) ++failed;
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
      "  <testsuite name=\"heddle {}\" tests=\"{}\" failures=\"{}\" errors=\"0\" time=\"{:.3f}\">\n"
      "{}  </testsuite>\n</testsuites>\n",
      escaped(subject), std::size(kTested), failed, seconds, cases);
}

}  // namespace heddle
