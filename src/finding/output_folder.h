// The folder that findings go to: finding-1.json, finding-2.json, ...
//
// A subcommand replaces what it found the last time, and nothing else: files in which
// another one's findings stand, or something that is no finding at all, stay, and their
// numbers are passed over.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "finding/finding.h"

namespace heddle {

// Writes the findings, all of one subcommand, and returns the paths. Without findings
// nothing is touched.
Result<std::vector<std::string>> write_findings(const std::string& folder,
                                                std::span<const Finding> findings);

}  // namespace heddle
