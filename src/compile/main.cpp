// heddle-cc and heddle-c++: in the place of a compiler. Which of the two it is, is decided
// when they are built (HEDDLE_LANGUAGE), so that links to them may have any name.
#include <cstdio>
#include <string>
#include <vector>

#include "compile/wrapper.h"

int main(int argc, char** argv) {
  constexpr heddle::Language kLanguage = heddle::Language::HEDDLE_LANGUAGE;
  const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  const heddle::Error error = heddle::run_wrapper(kLanguage, words);
  const char* const name = kLanguage == heddle::Language::c ? "heddle-cc" : "heddle-c++";
  std::fprintf(stderr, "%s: %s\n", name, error.message.c_str());
  return heddle::kWrapperFailed;
}
