// What `heddle check` says in the end, for people and as JSON.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "check/check.h"
#include "report/column_layout.h"

namespace heddle {

// One finding, as in that report.
std::string finding_in_words(const Reported& reported, std::size_t number,
                             const std::string& source_folder, ColumnLayout::Options options);

// The whole report, ready to print. `subject` is what was checked.
std::string check_in_words(const CheckResult& result, const Suppressions& suppressions,
                           const std::string& subject, ColumnLayout::Options options);

nlohmann::ordered_json json_of(const CheckResult& result);

}  // namespace heddle
