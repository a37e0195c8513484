// Response files: quoting as GCC and Clang read it, and files inside files.
#include "compile/response_file.h"

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace heddle {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

FileReader files(std::map<std::string, std::string> contents) {
  return [contents](const std::string& path) -> std::optional<std::string> {
    const auto found = contents.find(path);
    return found == contents.end() ? std::nullopt : std::optional(found->second);
  };
}

TEST(ResponseFile, SplitsAtBlanksAndKeepsWhatIsQuoted) {
  EXPECT_THAT(split_response_file("-c a.c\t-o\n'a b.o'\r\n\"c d\"\\ e"),
              ElementsAre("-c", "a.c", "-o", "a b.o", "c d e"));
  EXPECT_THAT(split_response_file(R"(-DTEXT=\"x\" "" 'it'\''s')"),
              ElementsAre("-DTEXT=\"x\"", "", "it's"));
  EXPECT_THAT(split_response_file("  \n"), ElementsAre());
}

TEST(ResponseFile, IsOpenedInItsPlaceAndRemembersWhereItStood) {
  const std::vector<std::string> words = {"-c", "@all", "-g"};
  const auto arguments = open_response_files(words, files({{"all", "-O2 @more"}, {"more", "a.c"}}));
  EXPECT_THAT(*arguments, ElementsAre(Argument{"-c", 0}, Argument{"-O2", 1}, Argument{"a.c", 1},
                                      Argument{"-g", 2}));
}

TEST(ResponseFile, ThatIsNotThereIsAWord) {
  const std::vector<std::string> words = {"@missing", "@"};
  EXPECT_THAT(*open_response_files(words, files({})),
              ElementsAre(Argument{"@missing", 0}, Argument{"@", 1}));
}

TEST(ResponseFile, ThatNamesItselfIsRefused) {
  const std::vector<std::string> words = {"@loop"};
  const auto arguments = open_response_files(words, files({{"loop", "@loop"}}));
  ASSERT_FALSE(arguments.ok());
  EXPECT_THAT(arguments.error().message, HasSubstr("too many response files"));
}

RC_GTEST_PROP(ResponseFile, GivesBackWordsThatWereQuoted, (std::vector<std::string> words)) {
  std::string text;
  for (const std::string& word : words) {
    text += "\"";
    for (const char c : word) text += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
    text += "\" ";
  }
  RC_ASSERT(split_response_file(text) == words);
}

}  // namespace
}  // namespace heddle
