// The ways in which a program says itself that something is wrong: abort and assert.
#include <cstdio>
#include <cstdlib>

#include <dlfcn.h>

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

// The name of the exception that nobody caught, if that is why the program gives up. The C++
// library is the program's, if it has one.
const char* uncaught_exception() {
  using CurrentType = const void* (*)();
  using Demangle = char* (*)(const char*, char*, std::size_t*, int*);
  const auto current =
      reinterpret_cast<CurrentType>(::dlsym(RTLD_DEFAULT, "__cxa_current_exception_type"));
  const void* type = current != nullptr ? current() : nullptr;
  if (type == nullptr) return nullptr;
  const char* name = static_cast<const char* const*>(type)[1];  // behind its virtual table
  if (*name == '*') ++name;
  const auto demangle = reinterpret_cast<Demangle>(::dlsym(RTLD_DEFAULT, "__cxa_demangle"));
  const char* readable = demangle != nullptr ? demangle(name, nullptr, nullptr, nullptr) : nullptr;
  return readable != nullptr ? readable : name;
}

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
  if (const char* exception = uncaught_exception()) {
    Text text;
    fail_explored(Wrong::assertion, text.add("nobody catches a ").add(exception).text(), CALLER);
  }
  fail_explored(Wrong::assertion, "the program calls abort()", CALLER);
}
