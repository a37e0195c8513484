// A finding as reports show it: with its number, whether replay has confirmed it, and the
// steps that lead to it. What a finding knows is here; how it is printed is each report's own.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "finding/run.h"

namespace heddle {

enum class Standing : std::uint8_t {
  confirmed,  // it happened on the program
  predicted,  // nobody has seen it happen; `why` says what kept Heddle from showing it
  refuted,    // the replay went along and it did not happen: a mistake of Heddle's
};

constexpr std::string_view name_of(Standing standing) {
  switch (standing) {
    case Standing::confirmed: return "confirmed";
    case Standing::predicted: return "predicted";
    case Standing::refuted: return "refuted";
  }
  return "";
}

struct Reported {
  Finding finding;
  std::string id;  // finding/fingerprint.h
  Standing standing = Standing::predicted;
  std::string why = {};   // it is not confirmed
  bool counts = true;     // it fails a check; else it is information
  Run run = {};           // the last steps before it and the thing itself; empty: not known
  std::string file = {};  // what `heddle replay` takes
};

}  // namespace heddle
