#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace heddle {

void fail_check(const char* file, int line, const char* condition, const std::string& message) {
  std::fprintf(stderr, "heddle: internal error: %s:%d: %s does not hold%s%s\n", file, line,
               condition, message.empty() ? "" : ": ", message.c_str());
  std::fflush(nullptr);
  std::_Exit(70);
}

}  // namespace heddle
