// Whole projects, built through the wrappers as somebody new to Heddle would: by make, by
// CMake in both ways, by ccache, by `heddle build`.
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

class Newcomer : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Compilers, Newcomer, testing::Values("clang", "gcc"),
                         [](const auto& each) { return each.param; });

TEST_P(Newcomer, BuildsWithMake) {
  const Project project("make");
  project.build("heddle build --compiler " + GetParam() + " -- make LDFLAGS=$RUNTIME");
  expect_heddle_in(project, "counter");
  EXPECT_THAT(project.undefined_symbols("counter.o"), Contains(StartsWith("__tsan_")));
  EXPECT_EQ(project.build("./counter"), "10\n");
}

TEST_P(Newcomer, BuildsWithCMakeAndTheWrapperAsCompiler) {
  const Project project("cmake");
  project.build("HEDDLE_CC=" + GetParam() +
                " HEDDLE_CXX=" + (GetParam() == "gcc" ? "g++" : "clang++") +
                " && export HEDDLE_CC HEDDLE_CXX && cmake -B build "
                "-DCMAKE_CXX_COMPILER=heddle-c++ -DCMAKE_C_COMPILER=heddle-cc "
                "-DCMAKE_EXE_LINKER_FLAGS=$RUNTIME -DCMAKE_SHARED_LINKER_FLAGS=$RUNTIME && "
                "cmake --build build -j2");
  for (const char* file : {"build/pipeline", "build/libqueue.so"}) {
    expect_heddle_in(project, file);
  }
  EXPECT_EQ(project.build("./build/pipeline"), "1026\n");
}

TEST_P(Newcomer, BuildsWithCMakeAndThePackage) {
  const Project project("cmake");
  project.build("CC=" + GetParam() + " CXX=" + (GetParam() == "gcc" ? "g++" : "clang++") +
                " cmake -B build -DUSE_PACKAGE=ON -DHeddle_DIR=" HEDDLE_PACKAGE
                " -DHEDDLE_RUNTIME=" HEDDLE_STUB_RUNTIME " && cmake --build build -j2");
  for (const char* file : {"build/pipeline", "build/libqueue.so"}) {
    expect_heddle_in(project, file);
    EXPECT_EQ(project.needed_libraries(file).front(), "libheddle_rt.so");
  }
  EXPECT_EQ(project.build("./build/pipeline"), "1026\n");
  EXPECT_THAT(project.build("ctest --test-dir build -N -V"),
              HasSubstr("heddle \"record\" \"--seed\" \"7\" \"--\""));
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

TEST(Installed, WorksFromWhereverItWasPut) {
  const Project project("cmake");
  project.build("cmake --install " HEDDLE_BUILD_TREE
                " --prefix $PWD/usr > /dev/null && cp " HEDDLE_STUB_RUNTIME " usr/lib/");
  project.build(
      "mv usr moved && cmake -B build -DUSE_PACKAGE=ON -DCMAKE_PREFIX_PATH=$PWD/moved "
      "-DCMAKE_C_COMPILER=$PWD/moved/bin/heddle-cc "
      "-DCMAKE_CXX_COMPILER=$PWD/moved/bin/heddle-c++ && cmake --build build -j2");
  expect_heddle_in(project, "build/pipeline");
  EXPECT_EQ(project.build("build/pipeline"), "1026\n");
}

}  // namespace
}  // namespace heddle
