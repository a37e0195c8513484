// A run: what happened when a schedule was followed, in words.
//
// Whoever replays makes one (a model's in explore/replay.h), whoever reports shows it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "finding/finding.h"

namespace heddle {

struct RunStep {
  std::uint32_t thread = 0;  // in Run::threads
  std::string site;
  std::string operation;
  std::string values;
  std::string switch_reason = {};  // why another thread than before; empty: it is the same one
};

// Where a run left its schedule for the first time.
struct Divergence {
  std::uint64_t step = 0;  // from 1
  std::string expected;
  std::string came;
};

// What a run came to in the end.
struct RunEnd {
  FindingKind kind = FindingKind::assertion;
  std::string message;
  std::vector<FindingEvent> events;
};

struct Run {
  std::vector<std::string> threads;
  std::vector<RunStep> steps;
  std::uint64_t steps_before = 0;  // that were left out
  std::optional<Divergence> divergence = {};
  std::optional<RunEnd> end = {};  // none: nothing is wrong where the schedule ends

  bool shows(const Finding& finding) const {
    return end && end->kind == finding.kind && end->message == finding.message;
  }
};

}  // namespace heddle
