// What `heddle doctor` looks at: one Check per thing, each tried for real where that is
// possible (a file is compiled, a child process is traced) instead of guessed from versions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle {

// `warn`: Heddle works, with something missing. `fail`: a part of Heddle cannot work.
enum class Verdict { ok, warn, fail };
std::string_view name_of(Verdict verdict);

struct Check {
  std::string what;
  Verdict verdict = Verdict::ok;
  std::string found;   // what is there, or what the problem is
  std::string remedy;  // what to do about it; empty only when the verdict is ok
};
using Checks = std::vector<Check>;

Checks check_compilers();  // doctor_compilers.cpp
Checks check_kernel();     // doctor_kernel.cpp
Checks check_debugger();   // doctor_compilers.cpp
Checks check_libraries();  // doctor_libraries.cpp
Checks check_runtime();    // doctor_runtime.cpp

}  // namespace heddle
