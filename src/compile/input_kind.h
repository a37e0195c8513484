// Which files the compiler driver compiles, and which it hands to the linker.
#pragma once

#include <string_view>

#include "compile/invocation.h"

namespace heddle {

InputKind kind_by_name(std::string_view path);
// What "-x LANGUAGE" makes of a file; "none" and unknown languages leave it to the name.
InputKind kind_by_language(std::string_view language, std::string_view path);

}  // namespace heddle
