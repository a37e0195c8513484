// Compilers: which are there, and whether their -fsanitize=thread really instruments.
//
// Each compiler translates a few small functions. That an object file mentions
// __tsan_write4 shows that a store of four bytes got its hook, and so on.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "base/result.h"
#include "base/subprocess.h"
#include "cli/doctor.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAccesses = R"(
int shared;
void put(int value) { shared = value; }
int get() { return shared; }
int count(int* counter) { return __atomic_fetch_add(counter, 1, __ATOMIC_SEQ_CST); }
)";

constexpr const char* kCopy = R"(
struct Block { char bytes[64]; };
void copy(Block* to, const Block* from) { __builtin_memcpy(to, from, sizeof(Block)); }
)";

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code error;
    std::string name = (fs::temp_directory_path(error) / "heddle-doctor-XXXXXX").string();
    if (!error && ::mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const fs::path& path() const { return path_; }  // empty when it could not be made

 private:
  fs::path path_;
};

struct Compiler {
  std::string name;
  std::string path;
  std::string version;
};

// The last word of the first line that looks like a version, the packager's in brackets
// apart: "g++ (Debian 12.2.0-14+deb12u1) 12.2.0" has 12.2.0.
std::string version_in(const std::string& text) {
  std::istringstream line(text.substr(0, text.find('\n')));
  std::string version = "of unknown version";
  for (std::string word; line >> word;) {
    const bool number = word[0] >= '0' && word[0] <= '9' && word.find('.') != std::string::npos;
    if (number && !word.ends_with(')')) version = word;
  }
  return version;
}

std::optional<Compiler> find_compiler(const std::string& name) {
  const auto path = find_program(name);
  if (!path) return std::nullopt;
  const auto answer = run_subprocess({*path, "--version"});
  return Compiler{name, *path, answer.ok() ? version_in(answer->output) : "that does not start"};
}

// g++ and clang++ by their plain names, and every other version of clang++ that is there.
std::vector<Compiler> find_compilers() {
  std::vector<std::string> names = {"g++", "clang++"};
  for (int version = 14; version <= 19; ++version)
    names.push_back(fmt::format("clang++-{}", version));
  std::vector<Compiler> compilers;
  std::set<fs::path> seen;
  for (const std::string& name : names) {
    auto compiler = find_compiler(name);
    std::error_code error;
    if (compiler && seen.insert(fs::canonical(compiler->path, error)).second) {
      compilers.push_back(*std::move(compiler));
    }
  }
  return compilers;
}

// The object file that the compiler makes of `source`, as bytes.
Result<std::string> compile(const Compiler& compiler, const char* source) {
  const TemporaryFolder folder;
  if (folder.path().empty()) return make_error("cannot make a temporary folder (see TMPDIR)");
  const std::string input = folder.path() / "probe.cpp", output = folder.path() / "probe.o";
  std::ofstream(input) << source;
  TRY(const SubprocessResult result,
      run_subprocess({compiler.path, "-O1", "-fsanitize=thread", "-c", input, "-o", output}));
  if (result.exit_status != 0) {
    return make_error("-fsanitize=thread does not compile: {}",
                      result.errors.substr(0, result.errors.find('\n')));
  }
  std::ifstream file(output, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// The hooks that an object file should mention and does not.
std::string missing_hooks(const std::string& object) {
  std::string missing;
  for (const char* hook : {"__tsan_read4", "__tsan_write4", "__tsan_atomic32_fetch_add"}) {
    if (object.find(hook) == std::string::npos) missing += fmt::format(" {}", hook);
  }
  return missing;
}

// A copy is seen through a hook of its own or through a call that can be interposed.
Result<bool> sees_copies(const Compiler& compiler) {
  TRY(const std::string object, compile(compiler, kCopy));
  return object.find("memcpy") != std::string::npos ||
         object.find("__tsan_write") != std::string::npos;
}

Check broken_instrumentation(const Compiler& compiler, std::string problem) {
  return {compiler.name + " instrumentation", Verdict::warn, std::move(problem),
          fmt::format("install {} anew, or use another compiler", compiler.name)};
}

Check check_instrumentation(const Compiler& compiler) {
  const auto object = compile(compiler, kAccesses);
  if (!object.ok()) return broken_instrumentation(compiler, object.error().message);
  const std::string missing = missing_hooks(*object);
  if (!missing.empty()) return broken_instrumentation(compiler, "no calls of" + missing);
  const auto copies = sees_copies(compiler);
  if (!copies.ok()) return broken_instrumentation(compiler, copies.error().message);
  return {compiler.name + " instrumentation", Verdict::ok,
          *copies ? "sees reads, writes, atomics and copies (-fsanitize=thread)"
                  : "sees reads, writes and atomics (-fsanitize=thread), but no memcpy of constant "
                    "size; clang++ does",
          ""};
}

bool none_starts_with(const std::vector<Compiler>& compilers, std::string_view name) {
  return std::none_of(compilers.begin(), compilers.end(),
                      [=](const Compiler& compiler) { return compiler.name.starts_with(name); });
}

void add_absent_compilers(const std::vector<Compiler>& compilers, Checks& checks) {
  if (none_starts_with(compilers, "g++")) {
    checks.push_back({"g++", Verdict::warn, "not found", "apt-get install g++"});
  }
  if (none_starts_with(compilers, "clang++")) {
    checks.push_back({"clang++", Verdict::warn,
                      "not found; it is the compiler that Heddle instruments programs with best",
                      "apt-get install clang"});
  }
}

}  // namespace

Checks check_compilers() {
  Checks checks;
  bool some_works = false;
  const std::vector<Compiler> compilers = find_compilers();
  for (const Compiler& compiler : compilers) {
    checks.push_back(
        {compiler.name, Verdict::ok, fmt::format("{} ({})", compiler.version, compiler.path), ""});
    checks.push_back(check_instrumentation(compiler));
    some_works = some_works || checks.back().verdict == Verdict::ok;
  }
  add_absent_compilers(compilers, checks);
  if (!some_works) {
    checks.push_back({"instrumenting compiler", Verdict::fail,
                      "none works, so no program can be prepared for Heddle",
                      "apt-get install clang"});
  }
  return checks;
}

Checks check_debugger() {
  const auto gdb = find_program("gdb");
  if (gdb) return {{"gdb", Verdict::ok, *gdb, ""}};
  return {{"gdb", Verdict::warn, "not found, so a replay cannot be watched in the debugger",
           "apt-get install gdb"}};
}

}  // namespace heddle
