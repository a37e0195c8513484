// The version of this program, and how it was built.
#pragma once

#include <string>
#include <string_view>

namespace heddle {

std::string_view version_number();

// "heddle 0.1.0" and, on a second line, compiler and build type.
std::string version_text();

}  // namespace heddle
