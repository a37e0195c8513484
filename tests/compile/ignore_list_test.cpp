// Lists of what is not instrumented, as far as Heddle reads them itself (for GCC).
#include "compile/ignore_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace heddle {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(IgnoreList, GivesTheFilesThatAreMeantForThreads) {
  const auto globs = whole_file_globs(
      "# vendored\nsrc:vendor/*\n\n  src: *_generated.cpp # made by a tool\n"
      "[address]\nsrc:other.cpp\nfun:other\n[cfi|thread]\nsrc:last.c\n[*]\nmainfile:any.c",
      "list");
  ASSERT_TRUE(globs.ok());
  EXPECT_THAT(*globs, ElementsAre("vendor/*", "*_generated.cpp", "last.c", "any.c"));
}

TEST(IgnoreList, RefusesWhatOnlyClangCanDo) {
  const auto globs = whole_file_globs("src:a.c\nfun:spin_*\n", "my.list");
  ASSERT_FALSE(globs.ok());
  EXPECT_THAT(globs.error().message, HasSubstr("my.list:2: 'fun:spin_*' needs Clang"));
}

TEST(IgnoreList, StarsStandForAnyCharacters) {
  EXPECT_TRUE(glob_matches("*/vendor/*.c", "/home/vendor/x/y.c"));
  EXPECT_TRUE(glob_matches("a.c", "a.c"));
  EXPECT_TRUE(glob_matches("*", ""));
  EXPECT_FALSE(glob_matches("a.c", "xa.c"));
  EXPECT_FALSE(glob_matches("*.c", "a.cpp"));
  EXPECT_FALSE(glob_matches("", "a"));
}

// The slow, obvious twin: tries every length for every star.
bool twin(std::string_view glob, std::string_view text) {
  if (glob.empty()) return text.empty();
  if (glob[0] != '*') {
    return !text.empty() && glob[0] == text[0] && twin(glob.substr(1), text.substr(1));
  }
  for (std::size_t length = 0; length <= text.size(); ++length) {
    if (twin(glob.substr(1), text.substr(length))) return true;
  }
  return false;
}

RC_GTEST_PROP(IgnoreList, MatchesAsItsTwinDoes, ()) {
  constexpr int kLongest = 9;  // the twin takes exponential time
  const auto glob =
      *rc::gen::resize(kLongest, rc::gen::container<std::string>(rc::gen::element('a', 'b', '*')));
  const auto text =
      *rc::gen::resize(kLongest, rc::gen::container<std::string>(rc::gen::element('a', 'b')));
  RC_ASSERT(glob_matches(glob, text) == twin(glob, text));
}

}  // namespace
}  // namespace heddle
