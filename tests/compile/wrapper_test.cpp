// The wrappers themselves, run on small files with both compilers: what is in the objects
// and the programs shows whether it was built right.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/compile/project.h"

namespace heddle {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kCounter = "int shared; int main() { shared++; return 0; }\n";

// How the compiler behind the wrapper is chosen, as a prefix of a line of bash.
class Wrapper : public testing::TestWithParam<std::string> {
 protected:
  std::string cc() const { return "HEDDLE_CC=" + GetParam() + " heddle-cc "; }
  std::string cxx() const {
    return "HEDDLE_CXX=" + std::string(GetParam() == "gcc" ? "g++" : "clang++") + " heddle-c++ ";
  }
  void expect_instrumented(const Project& project, const std::string& object) const {
    EXPECT_THAT(project.undefined_symbols(object), Contains("__tsan_init")) << object;
  }
  void expect_linked(const Project& project, const std::string& file) const {
    EXPECT_THAT(project.needed_libraries(file),
                AllOf(Contains("libheddle_rt.so"), Not(Contains(StartsWith("libtsan")))));
    EXPECT_EQ(project.needed_libraries(file).front(), "libheddle_rt.so");
    EXPECT_THAT(project.build("nm " + file), Not(HasSubstr(" T __tsan_init"))) << file;
  }
};

INSTANTIATE_TEST_SUITE_P(Compilers, Wrapper, testing::Values("clang", "gcc"),
                         [](const auto& each) { return each.param; });

TEST_P(Wrapper, CompilesWithHooksAndDebugLines) {
  const Project project;
  project.write("a.c", kCounter);
  project.build(cc() + "-O1 -c a.c");
  EXPECT_THAT(project.undefined_symbols("a.o"),
              AllOf(Contains("__tsan_read4"), Contains("__tsan_write4")));
  EXPECT_THAT(project.build("objdump -h a.o"), HasSubstr(".debug_line"));
}

TEST_P(Wrapper, CompilesAndLinksAtOnce) {
  const Project project("pthreads");
  project.build(cc() + "bank.c -pthread -o bank");
  expect_linked(project, "bank");
  expect_instrumented(project, "bank");
  EXPECT_EQ(project.build("./bank"), "120\n");
}

TEST_P(Wrapper, CompilesSeveralSourcesAndLinks) {
  const Project project("make");
  project.build(cxx() + "-std=c++17 -MMD main.cpp counter.cpp -pthread -o counter");
  expect_linked(project, "counter");
  EXPECT_EQ(project.build("./counter"), "10\n");
  EXPECT_NE(project.build("ls *.d"), "") << "dependency files stand where the compiler puts them";
}

TEST_P(Wrapper, LinksSharedLibrariesThatMayLeaveNothingUndefined) {
  const Project project;
  project.write("l.c", "int shared; void touch(void) { shared++; }\n");
  project.build(cc() + "-shared -fPIC l.c -Wl,-z,defs -o libl.so");
  expect_linked(project, "libl.so");
}

// There is no operator new then but the runtime's.
TEST_P(Wrapper, LinksProgramsThatRunByThemselvesWithTheLibraryInThem) {
  const Project project;
  project.write(
      "a.cpp",
      "#include <set>\n"
      "struct alignas(64) Wide { int x = 2; };\n"
      "int main() { return std::set<int>{1, 2}.size() == 2 && (new Wide)->x == 2 ? 0 : 1; }\n");
  project.build(cxx() + "-std=c++17 -static-libstdc++ a.cpp -o a");
  expect_linked(project, "a");
  project.build("./a");
}

TEST_P(Wrapper, KeepsItsHooksUnderLinkTimeOptimisation) {
  const Project project;
  project.write("a.c", kCounter);
  project.build(cc() + "-flto -O2 -c a.c && " + cc() + "-flto -O2 a.o -o a");
  expect_instrumented(project, "a.o");
  expect_linked(project, "a");
  project.build("./a");
}

TEST_P(Wrapper, ReadsStandardInputAndResponseFiles) {
  const Project project;
  project.write("words", "-x c -c - -o 'a b.o' -fsanitize=thread");
  project.build("printf 'int x; void f(void) { x++; }' | " + cc() + "@words");
  expect_instrumented(project, "'a b.o'");
}

TEST_P(Wrapper, ShowsTheSanitizersMacrosToThePreprocessor) {
  const Project project;
  project.write("a.c",
                "#if defined(__SANITIZE_THREAD__)\nyes\n#elif defined(__has_feature)\n"
                "#if __has_feature(thread_sanitizer)\nyes\n#endif\n#endif\n");
  EXPECT_THAT(project.build(cc() + "-E a.c"), HasSubstr("\nyes\n"));
  project.write("b.c",
                "#ifdef __SANITIZE_THREAD__\n#elif !__has_feature(thread_sanitizer)\n"
                "#error no\n#endif\nint main(void) { return 0; }\n");
  project.build(cc() + "b.c -o b");
}

TEST_P(Wrapper, UsesPrecompiledHeaders) {
  const Project project;
  project.write("all.h", "#include <stdio.h>\n");
  project.write("a.c", "int main(void) { return puts(\"hello\") < 0; }\n");
  const std::string suffix = GetParam() == "gcc" ? ".gch" : ".pch";
  project.build(cc() + "-x c-header all.h -o all.h" + suffix + " && " + cc() +
                "-Winvalid-pch -Werror -include all.h a.c -o a");
  EXPECT_EQ(project.build("./a"), "hello\n");
}

TEST_P(Wrapper, AssemblesWithoutAWarning) {
  const Project project;
  project.write("a.s", ".globl f\nf: ret\n");
  project.write("b.S", "#define NAME g\n.globl NAME\nNAME: ret\n");
  project.build(cc() + "-Werror -c a.s b.S");
}

TEST_P(Wrapper, HasTheCompilersOwnMessagesAndStatus) {
  const Project project;
  project.write("a.c", "int main(void) { return missing; }\n");
  const SubprocessResult wrapped = project.run(cc() + "-c a.c");
  const SubprocessResult plain = project.run(GetParam() + " -c a.c");
  EXPECT_EQ(wrapped.exit_status, plain.exit_status);
  EXPECT_EQ(wrapped.errors, plain.errors);
  EXPECT_EQ(project.build(cc() + "--version"), project.build(GetParam() + " --version"));
  EXPECT_EQ(project.build(cc() + "-print-file-name=libc.so"),
            project.build(GetParam() + " -print-file-name=libc.so"));
}

TEST_P(Wrapper, GoesWithTheUndefinedBehaviourSanitizer) {
  const Project project;
  project.write("a.c", kCounter);
  project.build(cc() + "-fsanitize=undefined,thread a.c -o a && ./a");
  expect_linked(project, "a");
}

TEST_P(Wrapper, RefusesStaticLinksAndOtherSanitizersInOneLine) {
  const Project project;
  project.write("a.c", kCounter);
  const SubprocessResult fixed = project.run(cc() + "-static a.c");
  EXPECT_EQ(fixed.exit_status, 64);
  EXPECT_THAT(fixed.errors,
              AllOf(StartsWith("heddle-cc: -static cannot work"), testing::EndsWith("\n")));
  const SubprocessResult address = project.run(cc() + "-fsanitize=address -c a.c");
  EXPECT_THAT(address.errors, StartsWith("heddle-cc: -fsanitize=address cannot go with"));
}

TEST_P(Wrapper, LeavesOutTheFilesOfAnIgnoreList) {
  const Project project;
  project.write("list", "src:*vendor*\n");
  project.write("vendor.c", "int x; void f(void) { x++; }\n");
  project.write("mine.c", "int y; void g(void) { y++; }\n");
  project.build(cc() + "--heddle-ignore=list -c vendor.c mine.c; true");
  project.build(cc() + "--heddle-ignore=list -c vendor.c && " + cc() +
                "--heddle-ignore=list -c mine.c");
  EXPECT_THAT(project.undefined_symbols("vendor.o"), Not(Contains("__tsan_write4")));
  EXPECT_THAT(project.undefined_symbols("mine.o"), Contains("__tsan_write4"));
}

TEST_P(Wrapper, InstrumentsOnlyTheFilesOfAnOnlyList) {
  const Project project;
  project.write("list", "src:*mine*\n");
  project.write("empty", "# nothing\n");
  project.write("vendor.c", "int x; void f(void) { x++; }\n");
  project.write("mine.c", "int y; void g(void) { y++; }\n");
  project.build(cc() + "--heddle-only=list -c vendor.c && " + cc() +
                "--heddle-only=list -c mine.c");
  EXPECT_THAT(project.undefined_symbols("vendor.o"), Not(Contains("__tsan_write4")));
  EXPECT_THAT(project.undefined_symbols("mine.o"), Contains("__tsan_write4"));
  EXPECT_THAT(project.run(cc() + "--heddle-only=list -c vendor.c mine.c").errors,
              StartsWith("heddle-cc: by the lists 'vendor.c' is not instrumented and 'mine.c' is"));
  EXPECT_THAT(project.run(cc() + "--heddle-only=empty -c mine.c").errors,
              StartsWith("heddle-cc: the list 'empty' names no file"));
}

TEST(WrapperWithClang, LeavesOutTheFunctionsOfAnIgnoreList) {
  const Project project;
  project.write("list", "fun:spin\n");
  project.write("a.c", "int x; void spin(void) { x++; }\n");
  project.build("heddle-cc --heddle-ignore=list -c a.c");
  EXPECT_THAT(project.undefined_symbols("a.o"), Not(Contains("__tsan_write4")));
}

TEST(WrapperWithGcc, RefusesFunctionsOfAnIgnoreList) {
  const Project project;
  project.write("list", "fun:spin\n");
  project.write("a.c", "int x; void spin(void) { x++; }\n");
  const SubprocessResult result =
      project.run("heddle-cc --heddle-compiler=gcc --heddle-ignore=list -c a.c");
  EXPECT_THAT(result.errors, StartsWith("heddle-cc: list:1: 'fun:spin' needs Clang"));
  EXPECT_EQ(result.exit_status, 64);
}

TEST(WrapperChoice, TakesClangUnlessToldOtherwise) {
  const Project project;
  EXPECT_THAT(project.build("heddle-c++ --version"), HasSubstr("clang"));
  EXPECT_THAT(project.build("heddle-c++ --heddle-compiler=g++ --version"),
              HasSubstr("Free Software"));
  EXPECT_THAT(project.build("HEDDLE_CXX=g++ heddle c++ --version"), HasSubstr("Free Software"));
  EXPECT_THAT(project.run("heddle-cc --heddle-compiler=heddle-cc -c a.c").errors,
              HasSubstr("is Heddle's wrapper itself"));
}

TEST(WrapperChoice, AsksACompilerWhoseNameDoesNotTell) {
  const Project project;
  project.write("a.c", kCounter);
  project.build("ln -s $(command -v gcc) mine && heddle-cc --heddle-compiler=./mine -c a.c");
  EXPECT_THAT(project.undefined_symbols("a.o"), Contains("__tsan_write4"));
  EXPECT_THAT(project.run("heddle-cc --heddle-compiler=echo -c a.c").errors,
              HasSubstr("neither GCC nor Clang"));
}

TEST(WrapperChoice, SaysWhenThereIsNoClang) {
  const Project project;
  project.build("mkdir empty");
  EXPECT_THAT(project.run("PATH=empty " HEDDLE_BIN "/heddle-c++ a.cpp").errors,
              StartsWith("heddle-c++: no clang++ in PATH"));
}

TEST(WrapperRuntime, IsLookedForBesideTheWrapper) {
  const Project project;
  project.build("mkdir -p bin lib/heddle && cp " HEDDLE_BIN
                "/heddle-cc bin/ && cp " HEDDLE_BUILD_TREE "/lib/heddle/thread.specs lib/heddle/");
  project.write("a.c", kCounter);
  const SubprocessResult missing = project.run("bin/heddle-cc a.c");
  EXPECT_EQ(missing.exit_status, 64);
  EXPECT_THAT(missing.errors, HasSubstr("libheddle_rt.so is missing (looked for " +
                                        (project.folder() / "lib/libheddle_rt.so").string()));
  project.build("cp " HEDDLE_RUNTIME " lib/ && bin/heddle-cc a.c && ./a.out");
  EXPECT_THAT(project.build("objdump -p a.out"),
              HasSubstr((project.folder() / "lib").string() + "\n"));
}

}  // namespace
}  // namespace heddle
