// Tables of command lines, and the commands that are run for them with both compilers.
//
// In the expected commands, [RUNTIME] stands for what puts the runtime first, [CLANG] and
// [GCC] for the options that instrument, [CLANG, LINKS] for those that the driver must not see.
#include "compile/plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kRuntime =
    "/h/lib/heddle_hooks.o -Wl,--push-state,--no-as-needed /h/lib/libheddle_rt.so -Wl,--pop-state "
    "-Wl,-rpath,/h/lib";
constexpr std::string_view kClang =
    "-mllvm -tsan-instrument-read-before-write=1 -mllvm -tsan-distinguish-volatile=1 "
    "-mllvm -capture-tracking-max-uses-to-explore=0 -mllvm -instcombine-lower-dbg-declare=0 "
    "-fsanitize=thread";
constexpr std::string_view kClangLinks =
    "-mllvm -tsan-instrument-read-before-write=1 -mllvm -tsan-distinguish-volatile=1 "
    "-mllvm -capture-tracking-max-uses-to-explore=0 -mllvm -instcombine-lower-dbg-declare=0 "
    "-Xclang -fsanitize=thread";
constexpr std::string_view kGcc =
    "-fsanitize=thread --param tsan-distinguish-volatile=1 -fno-builtin-memcpy "
    "-fno-builtin-memmove -fno-builtin-memset -fno-var-tracking-assignments";

Toolchain toolchain(CompilerFamily family) {
  return {.compiler = {family == CompilerFamily::clang ? "clang++" : "g++"},
          .family = family,
          .runtime = "/h/lib/libheddle_rt.so",
          .runtime_places = {"/h/lib/libheddle_rt.so"},
          .near_hooks = "/h/lib/heddle_hooks.o",
          .specs = "/h/lib/heddle/thread.specs",
          .ignore_lists = {},
          .ignored_files = {}};
}

// Response files: "@plain" without, "@thread" with something to change; and a source.
std::optional<std::string> read_test_file(const std::string& path) {
  if (path == "plain") return "-O2 'a b.cpp'";
  if (path == "thread") return "-O2 -fsanitize=thread 'a b.cpp'";
  if (path == "atomic.c") return "void __VERIFIER_atomic_add(int n) { x += n; }";
  return std::nullopt;
}

Result<std::vector<std::string>> plan(const std::string& line, const Toolchain& tools) {
  TRY(const Invocation invocation, parse_invocation(split_response_file(line), read_test_file));
  return plan_command(invocation, tools);
}

std::string with_placeholders(std::string text) {
  const std::pair<std::string_view, std::string_view> names[] = {{kRuntime, "[RUNTIME]"},
                                                                 {kClang, "[CLANG]"},
                                                                 {kClangLinks, "[CLANG, LINKS]"},
                                                                 {kGcc, "[GCC]"}};
  for (const auto& [long_form, name] : names) {
    const std::size_t at = text.find(long_form);
    if (at != text.npos) text.replace(at, long_form.size(), name);
  }
  return text;
}

std::string planned(const std::string& line, const Toolchain& tools) {
  const auto command = plan(line, tools);
  return command.ok() ? with_placeholders(fmt::format("{}", fmt::join(*command, " ")))
                      : command.error().message;
}

struct Row {
  const char* line;
  const char* clang;
  const char* gcc;
};
constexpr Row kRows[] = {
    // Nothing to do.
    {"--version", "clang++ --version", "g++ --version"},
    {"-v", "clang++ -v", "g++ -v"},
    {"-print-file-name=libtsan.so", "clang++ -print-file-name=libtsan.so",
     "g++ -print-file-name=libtsan.so"},
    {"-fsanitize=address --version", "clang++ -fsanitize=address --version",
     "g++ -fsanitize=address --version"},
    // Compile steps.
    {"-c a.cpp", "clang++ -c a.cpp -g -fstandalone-debug [CLANG]", "g++ -c a.cpp -g [GCC]"},
    {"-O2 -g1 -c a.cpp -o a.o", "clang++ -O2 -g1 -c a.cpp -o a.o -fstandalone-debug [CLANG]",
     "g++ -O2 -g1 -c a.cpp -o a.o [GCC]"},
    {"-S a.cpp", "clang++ -S a.cpp -g -fstandalone-debug [CLANG]", "g++ -S a.cpp -g [GCC]"},
    {"-c a.cpp b.cpp", "clang++ -c a.cpp b.cpp -g -fstandalone-debug [CLANG]",
     "g++ -c a.cpp b.cpp -g [GCC]"},
    {"-x c++ -c -", "clang++ -x c++ -c - -g -fstandalone-debug [CLANG]",
     "g++ -x c++ -c - -g [GCC]"},
    {"-flto -c a.cpp", "clang++ -flto -c a.cpp -g -fstandalone-debug -fno-lto [CLANG]",
     "g++ -flto -c a.cpp -g -fno-lto [GCC]"},
    {"-O2 -c atomic.c", "clang++ -O2 -c atomic.c -g -fstandalone-debug -fno-inline [CLANG]",
     "g++ -O2 -c atomic.c -g -fno-inline [GCC]"},
    {"-static -c a.cpp", "clang++ -static -c a.cpp -g -fstandalone-debug [CLANG]",
     "g++ -static -c a.cpp -g [GCC]"},
    {"-fsanitize=thread,undefined -c a.cpp",
     "clang++ -fsanitize=undefined -c a.cpp -g -fstandalone-debug [CLANG]",
     "g++ -fsanitize=undefined -c a.cpp -g [GCC]"},
    {"-fno-sanitize=thread -c a.cpp", "clang++ -c a.cpp -g -fstandalone-debug", "g++ -c a.cpp -g"},
    {"all.h", "clang++ all.h -g -fstandalone-debug [CLANG]", "g++ all.h -g [GCC]"},
    // Assembly and objects are left alone.
    {"-c a.s", "clang++ -c a.s", "g++ -c a.s"},
    {"-c a.S -DX", "clang++ -c a.S -DX", "g++ -c a.S -DX"},
    {"-r a.o b.o -o c.o", "clang++ -r a.o b.o -o c.o", "g++ -r a.o b.o -o c.o"},
    {"-r a.cpp -o c.o", "clang++ -r a.cpp -o c.o -g -fstandalone-debug [CLANG, LINKS]",
     "g++ -r a.cpp -o c.o -g [GCC]"},
    // Preprocessing sees the sanitizer's macros, as the compile step does.
    {"-E a.cpp", "clang++ -E a.cpp [CLANG]", "g++ -E a.cpp [GCC]"},
    {"-MM a.cpp", "clang++ -MM a.cpp [CLANG]", "g++ -MM a.cpp [GCC]"},
    // Links: the runtime first, no sanitizer.
    {"a.o b.o -o p", "clang++ [RUNTIME] a.o b.o -o p", "g++ [RUNTIME] a.o b.o -o p"},
    {"-fsanitize=thread a.o", "clang++ [RUNTIME] a.o", "g++ [RUNTIME] a.o"},
    {"-shared a.o -Wl,-z,defs -o l.so", "clang++ [RUNTIME] -shared a.o -Wl,-z,defs -o l.so",
     "g++ [RUNTIME] -shared a.o -Wl,-z,defs -o l.so"},
    {"-flto a.o", "clang++ [RUNTIME] -flto a.o", "g++ [RUNTIME] -flto a.o"},
    // Both at once.
    {"a.cpp b.o -o p", "clang++ [RUNTIME] a.cpp b.o -o p -g -fstandalone-debug [CLANG, LINKS]",
     "g++ [RUNTIME] a.cpp b.o -o p -g -specs=/h/lib/heddle/thread.specs"},
    {"-fsanitize=thread -x c++ a.txt",
     "clang++ [RUNTIME] -x c++ a.txt -g -fstandalone-debug [CLANG, LINKS]",
     "g++ [RUNTIME] -x c++ a.txt -g -specs=/h/lib/heddle/thread.specs"},
    {"a.cpp -fno-sanitize=all", "clang++ [RUNTIME] a.cpp -fno-sanitize=all -g -fstandalone-debug",
     "g++ [RUNTIME] a.cpp -fno-sanitize=all -g"},
    // Response files stay files unless a word in them has to go.
    {"-c @plain", "clang++ -c @plain -g -fstandalone-debug [CLANG]", "g++ -c @plain -g [GCC]"},
    {"-c @thread", "clang++ -c -O2 a b.cpp -g -fstandalone-debug [CLANG]",
     "g++ -c -O2 a b.cpp -g [GCC]"},
    {"-c @missing", "clang++ -c @missing", "g++ -c @missing"},
};

TEST(Plan, OfEveryKindOfCommandLine) {
  for (const Row& row : kRows) {
    EXPECT_EQ(planned(row.line, toolchain(CompilerFamily::clang)), row.clang);
    EXPECT_EQ(planned(row.line, toolchain(CompilerFamily::gcc)), row.gcc);
  }
}

TEST(Plan, KeepsWordsOfTheUserWholeAndInOrder) {
  const auto command = plan("-c 'a b.cpp' '-DX=\"y z\"'", toolchain(CompilerFamily::gcc));
  ASSERT_TRUE(command.ok());
  EXPECT_THAT(std::vector(command->begin() + 1, command->begin() + 4),
              ::testing::ElementsAre("-c", "a b.cpp", "-DX=\"y z\""));
}

TEST(Plan, PutsALauncherBeforeTheCompiler) {
  Toolchain tools = toolchain(CompilerFamily::gcc);
  tools.compiler = {"ccache", "g++"};
  EXPECT_EQ(planned("-c a.s", tools), "ccache g++ -c a.s");
}

TEST(Plan, RefusesWhatCannotWorkInOneLine) {
  const Toolchain tools = toolchain(CompilerFamily::clang);
  EXPECT_THAT(planned("-static a.cpp", tools), HasSubstr("-static cannot work"));
  EXPECT_THAT(planned("-static-pie a.o", tools), HasSubstr("-static cannot work"));
  EXPECT_THAT(planned("-fsanitize=address -c a.cpp", tools),
              HasSubstr("-fsanitize=address cannot go with Heddle"));
  EXPECT_THAT(planned("-fsanitize=memory a.o", tools), HasSubstr("-fsanitize=memory cannot"));
}

TEST(Plan, SaysWhereItLookedForAMissingRuntimeButOnlyWhenLinking) {
  Toolchain tools = toolchain(CompilerFamily::clang);
  tools.runtime.clear();
  EXPECT_THAT(planned("a.o", tools), HasSubstr("libheddle_rt.so is missing (looked for /h/lib/"));
  EXPECT_EQ(planned("-c a.s", tools), "clang++ -c a.s");
}

TEST(Plan, HandsIgnoreListsToClang) {
  Toolchain tools = toolchain(CompilerFamily::clang);
  tools.ignore_lists = {"x.txt", "y.txt"};
  EXPECT_EQ(planned("-c a.cpp", tools),
            "clang++ -c a.cpp -g -fstandalone-debug [CLANG] -fsanitize-ignorelist=x.txt "
            "-fsanitize-ignorelist=y.txt");
  EXPECT_EQ(planned("-c a.s", tools), "clang++ -c a.s");
}

TEST(Plan, LeavesOutWholeFilesWithGcc) {
  Toolchain tools = toolchain(CompilerFamily::gcc);
  tools.ignored_files = {"*/vendor/*", "v.cpp"};
  EXPECT_EQ(planned("-c v.cpp", tools), "g++ -c v.cpp -g");
  EXPECT_EQ(planned("-c x/vendor/y.cpp z.o", tools), "g++ -c x/vendor/y.cpp z.o -g");
  EXPECT_EQ(planned("-c a.cpp", tools), "g++ -c a.cpp -g [GCC]");
  EXPECT_THAT(planned("-c a.cpp v.cpp", tools), HasSubstr("by calls of their own"));
}

}  // namespace
}  // namespace heddle
