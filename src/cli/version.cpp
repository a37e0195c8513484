#include "cli/version.h"

#include <fmt/format.h>

namespace heddle {
namespace {

#if defined(__clang__)
constexpr const char* kCompiler = __VERSION__;  // says "Clang" itself
#else
constexpr const char* kCompiler = "g++ " __VERSION__;
#endif

}  // namespace

std::string_view version_number() { return HEDDLE_VERSION; }

std::string version_text() {
  return fmt::format("heddle {}\n{}, {}", version_number(), kCompiler, HEDDLE_BUILD_TYPE);
}

}  // namespace heddle
