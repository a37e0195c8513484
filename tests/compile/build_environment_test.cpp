// What `heddle build` sets for its command.
#include "compile/build_environment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

TEST(BuildEnvironment, NamesTheWrappersAndPutsThemIntoThePath) {
  EXPECT_THAT(
      *build_environment({}, "/opt/bin", "/usr/bin"),
      ElementsAre("CC=/opt/bin/heddle-cc", "CXX=/opt/bin/heddle-c++", "PATH=/opt/bin:/usr/bin"));
}

TEST(BuildEnvironment, ChoosesBothCompilersByTheNameOfOne) {
  for (const char* name : {"gcc-12", "g++-12"}) {
    EXPECT_THAT(*build_environment({.compiler = name, .ignore_lists = {}}, "/b", "/p"),
                IsSupersetOf({"HEDDLE_CC=gcc-12", "HEDDLE_CXX=g++-12"}));
  }
}

TEST(BuildEnvironment, KnowsTheCompilerOfTheOtherLanguage) {
  EXPECT_EQ(c_compiler_of("/usr/bin/clang++-15"), "/usr/bin/clang-15");
  EXPECT_EQ(c_compiler_of("x86_64-linux-gnu-g++"), "x86_64-linux-gnu-gcc");
  EXPECT_EQ(c_compiler_of("clang"), "clang");
  EXPECT_EQ(cplusplus_compiler_of("clang"), "clang++");
  EXPECT_EQ(cplusplus_compiler_of("ccache gcc"), "ccache g++");
  EXPECT_EQ(cplusplus_compiler_of("/opt/gcc/bin/cxx"), "/opt/gcc/bin/cxx");
}

TEST(BuildEnvironment, RefusesAListThatIsNotThere) {
  const auto environment = build_environment({.compiler = "", .ignore_lists = {"no-list"}}, "", "");
  ASSERT_FALSE(environment.ok());
  EXPECT_THAT(environment.error().message, HasSubstr("cannot read the list 'no-list'"));
}

}  // namespace
}  // namespace heddle
