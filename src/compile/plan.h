// From what a command line asks for to the command that is run. A pure function.
//
// It is always one command, so that the wrapper can turn into the compiler and its
// messages, exit status, temporary files and dependency files are the compiler's own:
//
//   - Code is compiled with -fsanitize=thread, with the read of `x++` and volatile
//     accesses told apart where the compiler can do that, with -g unless the user chose
//     some -g (and with all classes in it, which names of data need), and without
//     link-time optimisation, which would instrument too late. Functions stay functions where
//     some are atomic by their name.
//   - The link gets Heddle's runtime first and never the sanitizer's. When one call both
//     compiles and links, the option is handed past the driver, which would link it: by
//     -Xclang with Clang, by a spec file with GCC.
//   - `thread` is taken out of the user's own -fsanitize= lists: ours says it already, and a
//     link must not see it.
//
// What cannot work (a static link, another sanitizer that wants all of memory) is an error
// of one line.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "compile/invocation.h"

namespace heddle {

enum class CompilerFamily { clang, gcc };

// What the plan needs to know of the machine.
struct Toolchain {
  std::vector<std::string> compiler;  // {"clang++"}, {"ccache", "g++"}
  CompilerFamily family = CompilerFamily::clang;
  std::string runtime;                       // libheddle_rt.so; empty if it is not there
  std::vector<std::string> runtime_places;   // where it was looked for
  std::string near_hooks;                    // heddle_hooks.o beside it; empty if it is not there
  std::string specs;                         // thread.specs
  std::vector<std::string> ignore_lists;     // files for Clang
  std::vector<std::string> ignored_files;    // globs for GCC
  std::vector<std::string> only_files = {};  // globs; if there are any, other files are ignored
};

Result<std::vector<std::string>> plan_command(const Invocation& invocation,
                                              const Toolchain& toolchain);

}  // namespace heddle
