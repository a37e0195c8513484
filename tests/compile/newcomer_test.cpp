// Whole projects, built through the wrappers as somebody new to Heddle would: by make, by
// CMake in both ways, by autotools, by ccache, by `heddle build`; and then recorded.
#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/compile/project.h"

namespace heddle {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

void expect_heddle_in(const Project& project, const std::string& file) {
  EXPECT_THAT(project.needed_libraries(file),
              AllOf(Contains("libheddle_rt.so"), Not(Contains(StartsWith("libtsan")))))
      << file;
  EXPECT_THAT(project.undefined_symbols(file), Contains(StartsWith("__tsan_"))) << file;
}

// What was built is recorded, replayed and compared, and the trace names its lines.
void expect_recordable(const Project& project, const std::string& program,
                       const std::string& source) {
  project.build("heddle record --verify --out trace.heddle -- " + program);
  EXPECT_THAT(project.build("heddle trace show trace.heddle"), HasSubstr(source + ":")) << program;
}

class Newcomer : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Compilers, Newcomer, testing::Values("clang", "gcc"),
                         [](const auto& each) { return each.param; });

TEST_P(Newcomer, BuildsWithMake) {
  const Project project("make");
  project.build("heddle build --compiler " + GetParam() + " -- make");
  expect_heddle_in(project, "counter");
  EXPECT_THAT(project.undefined_symbols("counter.o"), Contains(StartsWith("__tsan_")));
  EXPECT_EQ(project.build("./counter"), "10\n");
  expect_recordable(project, "./counter", "counter.cpp");
}

TEST_P(Newcomer, BuildsWithCMakeAndTheWrapperAsCompiler) {
  const Project project("cmake");
  project.build("HEDDLE_CC=" + GetParam() +
                " HEDDLE_CXX=" + (GetParam() == "gcc" ? "g++" : "clang++") +
                " && export HEDDLE_CC HEDDLE_CXX && cmake -B build "
                "-DCMAKE_CXX_COMPILER=heddle-c++ -DCMAKE_C_COMPILER=heddle-cc "
                "&& cmake --build build -j2");
  for (const char* file : {"build/pipeline", "build/libqueue.so"}) {
    expect_heddle_in(project, file);
  }
  EXPECT_EQ(project.build("./build/pipeline"), "1026\n");
  expect_recordable(project, "build/pipeline", "queue.cpp");
}

TEST_P(Newcomer, BuildsWithAutotools) {
  if (GetParam() == "gcc" && std::getenv("HEDDLE_TEST_FULL") == nullptr) {
    GTEST_SKIP() << "only with HEDDLE_TEST_FULL";
  }
  const Project project("autotools");
  for (const char* tool : {"autoreconf", "automake", "make"}) {
    if (project.run(std::string("command -v ") + tool).exit_status != 0) {
      GTEST_SKIP() << tool << " is not here: apt-get install autoconf automake make";
    }
  }
  project.build("autoreconf -i && heddle build --compiler " + GetParam() +
                " -- ./configure && make");
  expect_heddle_in(project, "relay");
  EXPECT_EQ(project.build("./relay"), "4\n");
  expect_recordable(project, "./relay", "relay.c");
}

TEST_P(Newcomer, BuildsWithCMakeAndThePackage) {
  const Project project("cmake");
  project.build("CC=" + GetParam() + " CXX=" + (GetParam() == "gcc" ? "g++" : "clang++") +
                " cmake -B build -DUSE_PACKAGE=ON -DHeddle_DIR=" HEDDLE_PACKAGE
                " && cmake --build build -j2");
  for (const char* file : {"build/pipeline", "build/libqueue.so"}) {
    expect_heddle_in(project, file);
    EXPECT_EQ(project.needed_libraries(file).front(), "libheddle_rt.so");
  }
  EXPECT_EQ(project.build("./build/pipeline"), "1026\n");
  EXPECT_THAT(project.build("ctest --test-dir build -V"),
              AllOf(HasSubstr("heddle \"record\" \"--seed\" \"7\" \"--\""), HasSubstr("1026"),
                    HasSubstr("pipeline.heddle: "), HasSubstr("100% tests passed")));
}

TEST(NewcomerWithCcache, GetsTheSameObjectsFromTheCache) {
  const Project project("make");
  if (project.run("command -v ccache").exit_status != 0) GTEST_SKIP() << "no ccache here";
  const std::string compile =
      "export CCACHE_DIR=$PWD/cache CCACHE_COMPILERCHECK='%compiler% --version' "
      "&& ccache heddle-c++ -std=c++17 -c counter.cpp -o counter.o";
  project.build(compile + " && mv counter.o first.o && " + compile + " && cmp counter.o first.o");
  EXPECT_THAT(project.undefined_symbols("counter.o"), Contains(StartsWith("__tsan_")));
  EXPECT_THAT(project.build("CCACHE_DIR=$PWD/cache ccache --print-stats"),
              HasSubstr("direct_cache_hit\t1"));
}

TEST(NewcomerWithCcache, RecordsWhatCMakeBuiltByWayOfTheCache) {
  const Project project("cmake");
  if (project.run("command -v ccache").exit_status != 0) GTEST_SKIP() << "no ccache here";
  const std::string build =
      "export CCACHE_DIR=$PWD/cache CCACHE_COMPILERCHECK='%compiler% --version' && rm -rf build && "
      "heddle build -- cmake -B build -DCMAKE_CXX_COMPILER_LAUNCHER=ccache && "
      "cmake --build build -j2";
  project.build(build + " && " + build);
  EXPECT_THAT(project.build("CCACHE_DIR=$PWD/cache ccache --print-stats"),
              HasSubstr("direct_cache_hit\t3"));
  expect_recordable(project, "build/pipeline", "queue.cpp");
}

TEST(HeddleBuild, SetsTheCompilersForItsCommandAndEndsAsItDoes) {
  const Project project;
  EXPECT_EQ(project.build("heddle build -- sh -c 'basename $CC; basename $CXX; basename "
                          "$(command -v heddle-cc)'"),
            "heddle-cc\nheddle-c++\nheddle-cc\n");
  EXPECT_EQ(project.run("heddle build -- sh -c 'exit 7'").exit_status, 7);
  const SubprocessResult missing = project.run("heddle build -- no-such-program");
  EXPECT_EQ(missing.exit_status, 125);
  EXPECT_EQ(missing.errors, "heddle: cannot start 'no-such-program': No such file or directory\n");
}

TEST(HeddleBuild, HandsIgnoreListsToEveryCall) {
  const Project project;
  project.write("list", "src:*vendor.c\n");
  project.write("vendor.c", "int x; void f(void) { x++; }\n");
  project.write("mine.c", "int y; void g(void) { y++; }\n");
  project.build("heddle build --ignore list -- make -f /dev/null vendor.o mine.o");
  EXPECT_THAT(project.undefined_symbols("vendor.o"), Not(Contains("__tsan_write4")));
  EXPECT_THAT(project.undefined_symbols("mine.o"), Contains("__tsan_write4"));
}

TEST(HeddleBuild, HandsListsOfWhatAloneIsInstrumentedToEveryCall) {
  const Project project;
  project.write("list", "src:*mine.c\n");
  project.write("vendor.c", "int x; void f(void) { x++; }\n");
  project.write("mine.c", "int y; void g(void) { y++; }\n");
  project.build("heddle build --only list -- make -f /dev/null vendor.o mine.o");
  EXPECT_THAT(project.undefined_symbols("vendor.o"), Not(Contains("__tsan_write4")));
  EXPECT_THAT(project.undefined_symbols("mine.o"), Contains("__tsan_write4"));
}

TEST(Installed, WorksFromWhereverItWasPut) {
  const Project project("cmake");
  project.build("cmake --install " HEDDLE_BUILD_TREE " --prefix $PWD/usr > /dev/null");
  project.build(
      "mv usr moved && cmake -B build -DUSE_PACKAGE=ON -DCMAKE_PREFIX_PATH=$PWD/moved "
      "-DCMAKE_C_COMPILER=$PWD/moved/bin/heddle-cc "
      "-DCMAKE_CXX_COMPILER=$PWD/moved/bin/heddle-c++ && cmake --build build -j2");
  expect_heddle_in(project, "build/pipeline");
  EXPECT_EQ(project.build("build/pipeline"), "1026\n");
  project.build("PATH=$PWD/moved/bin:$PATH heddle record --verify -- build/pipeline");
}

}  // namespace
}  // namespace heddle
