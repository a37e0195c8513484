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

// Whether findings can be put there, as far as can be told before there are any: better said
// before a long search than after it. Makes nothing.
Result<void> check_output_folder(const std::string& folder);

// Writes the findings, all of one subcommand, and returns the paths. Without findings
// nothing is touched.
Result<std::vector<std::string>> write_findings(const std::string& folder,
                                                std::span<const Finding> findings);

}  // namespace heddle
