// A finding as a JSON file; docs/findings.md describes the format.
//
// Read strictly: an unknown key, a wrong type or another version is an error that names the
// file and the cause, since a schedule that was half understood shows something else.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "base/result.h"
#include "finding/finding.h"

namespace heddle {

inline constexpr std::uint32_t kFindingVersion = 3;

nlohmann::ordered_json json_of(const Finding& finding);
Result<Finding> parse_finding(std::string_view text);

Result<void> write_finding(const std::string& path, const Finding& finding);
Result<Finding> read_finding(const std::string& path);

}  // namespace heddle
