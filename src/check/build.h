// Sources to a program that Heddle can check, by the compiler wrapper.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace heddle {

struct BuiltProgram {
  bool ok = false;
  std::string path;
  std::string messages;  // the compiler's, as it wrote them
};

// Compiles and links the sources into `folder`. An error is one of Heddle's; what the compiler
// has to say about the sources is in the result. `options` come before the sources.
Result<BuiltProgram> build_program(const std::vector<std::string>& sources,
                                   const std::vector<std::string>& options,
                                   const std::string& folder);

// Whether a word on the command line names a source in C or C++.
bool is_source(const std::string& word);

}  // namespace heddle
