// What a compiler's command line asks for, as far as Heddle has to know.
//
// A pure function of the words, and of the files that they name: it says which stage is the
// last (preprocess, compile, link), which files are compiled, and what the user already decided
// about sanitizers and debug information. Everything else passes through unseen. Heddle's own
// options (--heddle-...) are taken out here.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "compile/response_file.h"

namespace heddle {

enum class Language { c, cplusplus };

// How far the compiler goes.
enum class Stage {
  information,  // --version, -print-..., or nothing to work on
  preprocess,   // -E, -M, -MM
  compile,      // -c, -S, -fsyntax-only, a header to be precompiled
  relocatable,  // -r: objects into one object
  link,         // an executable or a shared library
};

// What becomes of an input file on its own.
enum class InputKind { code, header, assembly, linked };

struct InputFile {
  std::string path;  // "-" is standard input
  InputKind kind = InputKind::linked;

  friend bool operator==(const InputFile&, const InputFile&) = default;
};

struct Invocation {
  std::vector<std::string> words;   // as given, without Heddle's own options
  std::vector<Argument> arguments;  // the same with response files opened
  Stage stage = Stage::information;
  std::vector<InputFile> inputs;
  bool shared = false;            // -shared
  bool fully_static = false;      // -static or -static-pie
  bool has_debug_option = false;  // some -g that sets the kind or level
  bool link_time_optimisation = false;
  bool thread_refused = false;  // the last word on it is -fno-sanitize=thread (or all)
  std::string other_sanitizer;  // one that cannot go with thread: "address"
  // A file has functions of the name __VERIFIER_atomic_..., which are atomic, but only while they
  // are functions.
  bool has_atomic_functions = false;

  // Heddle's own options.
  std::string compiler;
  std::string runtime;
  std::vector<std::string> ignore_lists;
  std::vector<std::string> only_lists;

  bool compiles_code() const;  // or preprocesses it
  bool links() const { return stage == Stage::link; }
};

Result<Invocation> parse_invocation(std::span<const std::string> words, const FileReader& read);

// The names of a -fsanitize= or -fno-sanitize= list without `thread`; nothing if that was
// the only one, and the word as it is if it is no such list.
std::optional<std::string> without_thread_sanitizer(const std::string& word);

}  // namespace heddle
