// Files and functions that are not to be instrumented, in the format of Clang's
// -fsanitize-ignorelist: lines "src:GLOB", "mainfile:GLOB" and "fun:GLOB", sections in brackets
// that name sanitizers, comments after '#'.
//
// Clang reads such a list itself. GCC has no such option, so Heddle reads the list and
// switches the instrumentation off for whole files; what a list says beyond that is
// refused instead of silently forgotten.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace heddle {

// The globs for files of a list (those of sections for other sanitizers left out), or an error
// that names the line which asks for more than whole files.
Result<std::vector<std::string>> whole_file_globs(std::string_view text, const std::string& name);

// '*' stands for any characters, as in Clang's lists; everything else for itself.
bool glob_matches(std::string_view glob, std::string_view text);

}  // namespace heddle
