// Findings as a JUnit file, which most build servers read: one test case per kind of thing
// that was looked for, failed by what was found.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "report/reported.h"

namespace heddle {

// `subject` is what was checked: "bank.cpp".
std::string junit_of(std::span<const Reported> findings, std::string_view subject, double seconds);

}  // namespace heddle
