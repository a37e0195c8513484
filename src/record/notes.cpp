#include "record/notes.h"

#include <array>

#include "record/shared_ranges.h"

namespace heddle {
namespace {

constexpr const char* kSchedule = "schedule";
constexpr const char* kSettings = "schedule settings";
constexpr const char* kLeftOut = "left out";
constexpr const char* kIncomplete = "incomplete";

constexpr std::array<std::string_view, 5> kPolicies = {"random", "pct", "round-robin", "replay",
                                                       "explore"};

std::string note_of(const Metadata& metadata, const char* name) {
  const auto note = metadata.notes.find(name);
  return note != metadata.notes.end() ? note->second : std::string();
}

}  // namespace

void note_settings(Metadata& metadata, const RunOptions& options) {
  const wire::Settings& settings = options.settings;
  metadata.notes[kSchedule] = kPolicies[static_cast<std::size_t>(settings.policy)];
  if (settings.selection != wire::Selection::shared_only) return;
  metadata.notes[kSettings] =
      fmt::format("quantum {} depth {} steps {}", settings.quantum, settings.depth, settings.steps);
  note_shared(metadata, options.shared);
}

void note_shared(Metadata& metadata, const std::vector<wire::Range>& shared) {
  metadata.notes[kSharedNote] = text_of(shared);
}

void note_left_out(Metadata& metadata, const RunResult& result) {
  if (!leaves_out(metadata)) return;
  metadata.notes[kLeftOut] =
      fmt::format("{} accesses to memory that one thread at a time owns", result.process.left_out);
  if (result.late_shared == 0) return;
  metadata.notes[kIncomplete] = fmt::format(
      "{} places that several threads touch lack earlier accesses: the first run went another way",
      result.late_shared);
}

bool leaves_out(const Metadata& metadata) { return metadata.notes.contains(kSharedNote); }
bool says_settings(const Metadata& metadata) { return metadata.notes.contains(kSettings); }

Result<void> take_settings(const Metadata& metadata, RunOptions& options) {
  wire::Settings& settings = options.settings;
  const std::string policy = note_of(metadata, kSchedule);
  for (std::size_t i = 0; i < kPolicies.size(); ++i) {
    if (kPolicies[i] == policy) settings.policy = static_cast<wire::PolicyKind>(i);
  }
  const std::string text = note_of(metadata, kSettings);
  const int read = std::sscanf(text.c_str(), "quantum %lu depth %u steps %lu", &settings.quantum,
                               &settings.depth, &settings.steps);
  if (read != 3) {
    return make_error("the note '{}' of the trace is damaged; record it again", kSettings);
  }
  return {};
}

Result<void> take_shared(const Metadata& metadata, RunOptions& options) {
  options.settings.selection = wire::Selection::shared_only;
  TRY(options.shared, ranges_of_text(note_of(metadata, kSharedNote)));
  return {};
}

}  // namespace heddle
