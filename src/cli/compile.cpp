// heddle cc, heddle c++: the compiler wrappers (compile/) by another name.
#include <span>

#include "cli/commands.h"
#include "cli/output.h"
#include "compile/wrapper.h"

namespace heddle {
namespace {

template <Language language>
ExitStatus wrap(std::span<const std::string> words) {
  return fail(ExitStatus::usage, run_wrapper(language, words));
}

Action declare(CLI::App& app) {
  app.add_option("--heddle-compiler")
      ->type_name("NAME")
      ->description(
          "the compiler to use, such as g++; default: clang++ or clang, or HEDDLE_CXX or "
          "HEDDLE_CC");
  app.add_option("--heddle-ignore")
      ->type_name("FILE")
      ->description(
          "do not instrument the files and functions in this list (Clang's -fsanitize-ignorelist)");
  app.add_option("--heddle-runtime")
      ->type_name("FILE")
      ->description("link this runtime instead of Heddle's own libheddle_rt.so");
  app.add_option("ARGUMENT")->expected(0, 1 << 20)->description("anything that the compiler takes");
  return {};
}

constexpr std::string_view kHelp =
    "Stands in the place of a compiler, as heddle-cc and heddle-c++ do: all arguments are\n"
    "passed on. Code is compiled with instrumentation and debug lines, links get Heddle's\n"
    "runtime. Messages and exit status are the compiler's own; 64 if Heddle itself cannot do\n"
    "what is asked. See docs/compiling.md.";

}  // namespace

constinit const Command kCCommand = {
    .name = "cc",
    .summary = "compile C for Heddle; in the place of cc, like heddle-cc",
    .help = kHelp,
    .declare = declare,
    .take_words = wrap<Language::c>,
};

constinit const Command kCplusplusCommand = {
    .name = "c++",
    .summary = "compile C++ for Heddle; in the place of c++, like heddle-c++",
    .help = kHelp,
    .declare = declare,
    .take_words = wrap<Language::cplusplus>,
};

}  // namespace heddle
