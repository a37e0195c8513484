#include "compile/plan.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compile/ignore_list.h"

namespace heddle {
namespace {

using Words = std::vector<std::string>;

void append(Words& words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
}

Result<void> refuse_what_cannot_work(const Invocation& invocation, const Toolchain& toolchain) {
  if (!invocation.other_sanitizer.empty() && (invocation.compiles_code() || invocation.links())) {
    return make_error(
        "-fsanitize={} cannot go with Heddle, which is a thread sanitizer of its own; build "
        "with one of them at a time",
        invocation.other_sanitizer);
  }
  if (!invocation.links()) return {};
  if (invocation.fully_static) {
    return make_error(
        "-static cannot work: Heddle's runtime stands between the program and the shared C "
        "library; link without -static (-static-libstdc++ and -static-libgcc are fine)");
  }
  if (toolchain.runtime.empty()) {
    return make_error(
        "Heddle's runtime libheddle_rt.so is missing (looked for {}); build it, "
        "install Heddle anew, or give --heddle-runtime=FILE",
        fmt::join(toolchain.runtime_places, ", "));
  }
  return {};
}

bool matches_some(const Words& globs, const std::string& path) {
  return std::any_of(globs.begin(), globs.end(),
                     [&](const std::string& glob) { return glob_matches(glob, path); });
}

bool left_out(const Toolchain& toolchain, const std::string& path) {
  const bool listed = toolchain.only_files.empty() || matches_some(toolchain.only_files, path);
  return !listed || matches_some(toolchain.ignored_files, path);
}

// Whether to instrument: all of the code files, or none of them.
Result<bool> wanted_by_lists(const Invocation& invocation, const Toolchain& toolchain) {
  std::string ignored, kept;
  for (const InputFile& file : invocation.inputs) {
    if (file.kind == InputKind::linked || file.kind == InputKind::assembly) continue;
    (left_out(toolchain, file.path) ? ignored : kept) = file.path;
  }
  if (!ignored.empty() && !kept.empty()) {
    return make_error(
        "by the lists '{}' is not instrumented and '{}' is: compile them by calls of their own",
        ignored, kept);
  }
  return ignored.empty();
}

// The user's words; a response file stays one unless a word in it has to change.
Words edited_words(const Invocation& invocation) {
  Words words;
  auto argument = invocation.arguments.begin();
  for (std::size_t i = 0; i < invocation.words.size(); ++i) {
    Words edited;
    bool changed = false;
    for (; argument != invocation.arguments.end() && argument->origin == i; ++argument) {
      auto word = without_thread_sanitizer(argument->text);
      changed = changed || word != argument->text;
      if (word) edited.push_back(*std::move(word));
    }
    append(words, changed ? edited : Words{invocation.words[i]});
  }
  return words;
}

Words past_clangs_driver(const Words& options) {
  Words words;
  for (const std::string& option : options) append(words, {"-Xclang", option});
  return words;
}

Words instrumenting_options(const Invocation& invocation, const Toolchain& toolchain) {
  if (toolchain.family == CompilerFamily::gcc) {
    if (invocation.links()) return {fmt::format("-specs={}", toolchain.specs)};
    // Copies of a known size become code that has no hooks, unless they stay calls. The last: or
    // where a parameter that others use lies on the stack is not said.
    return {"-fsanitize=thread",
            "--param",
            "tsan-distinguish-volatile=1",
            "-fno-builtin-memcpy",
            "-fno-builtin-memmove",
            "-fno-builtin-memset",
            "-fno-var-tracking-assignments"};
  }
  Words sanitizer = {"-fsanitize=thread"};
  for (const std::string& list : toolchain.ignore_lists) {
    sanitizer.push_back(fmt::format("-fsanitize-ignorelist={}", list));
  }
  // The third: Clang up to 20 leaves out accesses to members of locals that other threads use,
  // unless it takes every address for one that escapes. The last: where a local that others use
  // lies on the stack is not said once it is optimised. It changes no code.
  Words options = {"-mllvm", "-tsan-instrument-read-before-write=1",
                   "-mllvm", "-tsan-distinguish-volatile=1",
                   "-mllvm", "-capture-tracking-max-uses-to-explore=0",
                   "-mllvm", "-instcombine-lower-dbg-declare=0"};
  const bool linker_runs = invocation.links() || invocation.stage == Stage::relocatable;
  append(options, linker_runs ? past_clangs_driver(sanitizer) : sanitizer);
  return options;
}

// The linker must keep the runtime even where nothing has asked for it yet. The hooks that are
// linked into the program come before the runtime's own.
Words runtime_first(const Toolchain& toolchain) {
  const std::string& runtime = toolchain.runtime;
  const std::size_t slash = runtime.rfind('/');
  Words words;
  if (!toolchain.near_hooks.empty()) words.push_back(toolchain.near_hooks);
  append(words, {"-Wl,--push-state,--no-as-needed", runtime, "-Wl,--pop-state",
                 fmt::format("-Wl,-rpath,{}",
                             slash == std::string::npos ? "." : runtime.substr(0, slash))});
  return words;
}

}  // namespace

Result<std::vector<std::string>> plan_command(const Invocation& invocation,
                                              const Toolchain& toolchain) {
  Words command = toolchain.compiler;
  if (invocation.stage == Stage::information) {
    append(command, invocation.words);
    return command;
  }
  TRY_VOID(refuse_what_cannot_work(invocation, toolchain));
  TRY(const bool wanted, wanted_by_lists(invocation, toolchain));
  const bool instruments = invocation.compiles_code() && !invocation.thread_refused && wanted;
  if (invocation.links()) append(command, runtime_first(toolchain));
  append(command, edited_words(invocation));
  if (invocation.compiles_code() && invocation.stage != Stage::preprocess) {
    if (!invocation.has_debug_option) command.emplace_back("-g");
    if (toolchain.family == CompilerFamily::clang) command.emplace_back("-fstandalone-debug");
    if (invocation.link_time_optimisation) command.emplace_back("-fno-lto");
    if (instruments && invocation.has_atomic_functions) command.emplace_back("-fno-inline");
  }
  if (instruments) append(command, instrumenting_options(invocation, toolchain));
  return command;
}

}  // namespace heddle
