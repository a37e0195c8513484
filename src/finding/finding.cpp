#include "finding/finding.h"

#include <algorithm>

#include <fmt/format.h>
#include <xxhash.h>

namespace heddle {

std::optional<FindingKind> finding_kind_named(std::string_view name) {
  const auto* const found = std::find(kFindingKindNames.begin(), kFindingKindNames.end(), name);
  if (found == kFindingKindNames.end()) return std::nullopt;
  return static_cast<FindingKind>(found - kFindingKindNames.begin());
}

void Finding::add_step(std::string_view thread, std::uint32_t choice, std::string operation) {
  auto known = std::find(threads.begin(), threads.end(), thread);
  if (known == threads.end()) known = threads.insert(known, std::string(thread));
  schedule.push_back(
      {static_cast<std::uint32_t>(known - threads.begin()), choice, std::move(operation)});
}

std::string text_hash(std::string_view text) {
  return fmt::format("{:016x}", XXH3_64bits(text.data(), text.size()));
}

}  // namespace heddle
