#include "compile/toolchain.h"

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/subprocess.h"
#include "compile/ignore_list.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

constexpr int kNewestClang = 21;
constexpr int kOldestClang = 14;

// From a program's folder to bin/'s parent: installed, and `heddle` itself in a build tree.
constexpr const char* kRoots[] = {"..", "../.."};

std::string setting(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

const char* variable_of(Language language) {
  return language == Language::c ? "HEDDLE_CC" : "HEDDLE_CXX";
}

Result<std::string> default_compiler(Language language) {
  const std::string plain = language == Language::c ? "clang" : "clang++";
  if (find_program(plain)) return plain;
  for (int version = kNewestClang; version >= kOldestClang; --version) {
    const std::string name = fmt::format("{}-{}", plain, version);
    if (find_program(name)) return name;
  }
  return make_error(
      "no {} in PATH, which instruments best: apt-get install clang, or use GCC by "
      "--heddle-compiler={} or {}={}",
      plain, language == Language::c ? "gcc" : "g++", variable_of(language),
      language == Language::c ? "gcc" : "g++");
}

std::vector<std::string> split_at_blanks(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

Result<CompilerFamily> family_of(const std::vector<std::string>& compiler) {
  const std::string name = fs::path(compiler.back()).filename().string();
  if (name.find("clang") != std::string::npos) return CompilerFamily::clang;
  if (name.find("gcc") != std::string::npos || name.find("g++") != std::string::npos)
    return CompilerFamily::gcc;
  std::vector<std::string> question = compiler;
  question.insert(question.end(), {"-dM", "-E", "-x", "c", "/dev/null"});
  TRY(const SubprocessResult answer, run_subprocess(question));
  if (answer.output.find("#define __clang__") != std::string::npos) return CompilerFamily::clang;
  if (answer.output.find("#define __GNUC__") != std::string::npos) return CompilerFamily::gcc;
  return make_error("'{}' is neither GCC nor Clang, so Heddle cannot instrument with it",
                    fmt::join(compiler, " "));
}

Result<std::vector<std::string>> compiler_words(Language language, const Invocation& invocation) {
  std::string text = invocation.compiler;
  if (text.empty()) text = setting(variable_of(language));
  if (text.empty()) {
    TRY(text, default_compiler(language));
  }
  std::vector<std::string> words = split_at_blanks(text);
  if (words.empty()) return make_error("{} is blank", variable_of(language));
  if (fs::path(words.back()).filename().string().starts_with("heddle")) {
    return make_error("'{}' is Heddle's wrapper itself; name the compiler behind it", text);
  }
  return words;
}

// The first of the places where the file is, or the first place at all.
std::string first_existing(const std::vector<std::string>& places) {
  std::error_code ignored;
  for (const std::string& place : places) {
    if (fs::exists(place, ignored)) return place;
  }
  return "";
}

std::vector<std::string> places_of(const std::string& folder, const std::string& file) {
  std::vector<std::string> places;
  for (const char* root : kRoots) {
    places.push_back((fs::path(folder) / root / file).lexically_normal().string());
  }
  return places;
}

void find_runtime(const Invocation& invocation, const std::string& folder, Toolchain& toolchain) {
  std::error_code ignored;
  toolchain.runtime_places = places_of(folder, "lib/libheddle_rt.so");
  if (!invocation.runtime.empty()) {
    toolchain.runtime_places = {fs::absolute(invocation.runtime, ignored).string()};
  }
  toolchain.runtime = first_existing(toolchain.runtime_places);
  if (toolchain.runtime.empty()) return;
  toolchain.near_hooks =
      first_existing({(fs::path(toolchain.runtime).parent_path() / "heddle_hooks.o").string()});
}

// The variable is how an option of `heddle build` reaches every call.
std::vector<std::string> with_lists_of(const char* variable, std::vector<std::string> lists) {
  std::istringstream more(setting(variable));
  for (std::string list; std::getline(more, list, ':');) {
    if (!list.empty()) lists.push_back(list);
  }
  return lists;
}

Result<std::string> text_of_list(const std::string& list) {
  auto text = read_whole_file(list);
  if (!text) return make_error("cannot read the list '{}'", list);
  return *std::move(text);
}

Result<void> add_globs(const std::string& list, std::vector<std::string>& files) {
  TRY(const std::string text, text_of_list(list));
  TRY(const auto globs, whole_file_globs(text, list));
  files.insert(files.end(), globs.begin(), globs.end());
  return {};
}

Result<void> read_lists(const Invocation& invocation, Toolchain& toolchain) {
  toolchain.ignore_lists = with_lists_of("HEDDLE_IGNORE", invocation.ignore_lists);
  for (const std::string& list : toolchain.ignore_lists) {
    if (toolchain.family == CompilerFamily::gcc) {
      TRY_VOID(add_globs(list, toolchain.ignored_files));
    } else {
      TRY(const std::string text, text_of_list(list));  // Clang's message would not name us
      (void)text;
    }
  }
  for (const std::string& list : with_lists_of("HEDDLE_ONLY", invocation.only_lists)) {
    TRY_VOID(add_globs(list, toolchain.only_files));
    if (toolchain.only_files.empty()) {
      return make_error("the list '{}' names no file, so nothing would be instrumented", list);
    }
  }
  return {};
}

}  // namespace

Result<std::string> own_folder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return make_error("cannot read /proc/self/exe: {}", error.message());
  return program.parent_path().string();
}

Result<std::string> own_program(const std::string& name) {
  TRY(const std::string folder, own_folder());
  std::vector<std::string> places = places_of(folder, "bin/" + name);
  places.insert(places.begin(), (fs::path(folder) / name).string());
  const std::string found = first_existing(places);
  if (found.empty()) {
    return make_error("{} is missing (looked for {}); build it or install Heddle anew", name,
                      fmt::join(places, ", "));
  }
  return found;
}

Result<Toolchain> find_toolchain(Language language, const Invocation& invocation) {
  Toolchain toolchain;
  TRY(toolchain.compiler, compiler_words(language, invocation));
  if (invocation.stage == Stage::information) return toolchain;
  TRY(toolchain.family, family_of(toolchain.compiler));
  TRY(const std::string folder, own_folder());
  find_runtime(invocation, folder, toolchain);
  toolchain.specs = first_existing(places_of(folder, "lib/heddle/thread.specs"));
  if (toolchain.specs.empty()) {
    return make_error("Heddle's file lib/heddle/thread.specs is missing; install Heddle anew");
  }
  TRY_VOID(read_lists(invocation, toolchain));
  return toolchain;
}

}  // namespace heddle
