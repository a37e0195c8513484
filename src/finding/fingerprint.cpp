#include "finding/fingerprint.h"

#include <algorithm>
#include <filesystem>

#include <fmt/ranges.h>

#include "finding/source_place.h"

namespace heddle {
namespace {

std::string without_blanks(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\t'; });
  return text;
}

std::string place_text(const std::string& site, SourceLines& sources) {
  const auto place = parse_place(site);
  if (!place) return site;
  const auto line = sources.line(place->file, place->line);
  const std::string name = std::filesystem::path(place->file).filename();
  return line ? fmt::format("{}\t{}", name, without_blanks(*line)) : name;
}

}  // namespace

std::string fingerprint(const Finding& finding, SourceLines& sources) {
  std::vector<std::string> events;
  for (const FindingEvent& event : finding.events) {
    events.push_back(fmt::format("{}\t{}", event.operation, place_text(event.site, sources)));
  }
  std::sort(events.begin(), events.end());
  return text_hash(fmt::format("{}\n{}", name_of(finding.kind), fmt::join(events, "\n")))
      .substr(0, 12);
}

}  // namespace heddle
