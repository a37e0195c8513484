// The ways in which a program says itself that something is wrong: abort, assert, and the
// functions of the verification community's programs.
#include <cstdio>
#include <cstdlib>

#include "runtime/exploration.h"
#include "runtime/interpose.h"

namespace heddle::runtime {
namespace {

class Text {
 public:
  Text& add(const char* part) {
    while (*part != 0 && size_ + 1 < sizeof text_) text_[size_++] = *part++;
    return *this;
  }
  const char* text() {
    text_[size_] = 0;
    return text_;
  }

 private:
  char text_[512];
  std::size_t size_ = 0;
};

bool is_explored() { return exploring && current_thread != nullptr; }

}  // namespace
}  // namespace heddle::runtime

using namespace heddle::runtime;
using heddle::explored::Wrong;

extern "C" void __assert_fail(const char*, const char*, unsigned, const char*) noexcept;
INTERPOSE(void, __assert_fail, const char* assertion, const char* file, unsigned line,
          const char* where) {
  if (!is_explored()) REAL(__assert_fail)(assertion, file, line, where);
  Text text;
  text.add("assertion ").add(assertion).add(" fails");
  fail_explored(Wrong::assertion, text.text(), CALLER);
}

INTERPOSE(void, abort) {
  if (!is_explored()) REAL(abort)();
  fail_explored(Wrong::assertion, "the program calls abort()", CALLER);
}
