// Mistakes in models: each file in errors/ has the message that it must get beside it.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/model/support.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::vector<std::string> wrong_models() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(HEDDLE_MODEL_ERRORS)) {
    if (entry.path().extension() == ".hm") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class WrongModel : public testing::TestWithParam<std::string> {};

TEST_P(WrongModel, IsRefusedWithPlaceLineAndCaret) {
  fs::path path = fs::path(HEDDLE_MODEL_ERRORS) / (GetParam() + ".hm");
  const auto model = model::compile(GetParam() + ".hm", contents(path));
  ASSERT_FALSE(model.ok());
  EXPECT_EQ(model.error().message + "\n", contents(path.replace_extension("expected")));
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Errors, WrongModel, testing::ValuesIn(wrong_models()), test_name);

TEST(WrongModel, MayBeEmpty) {
  EXPECT_FALSE(model::compile("empty.hm", "").ok());
  EXPECT_FALSE(model::compile("empty.hm", "\n// nothing\n").ok());
}

TEST(WrongModel, MayBeNestedDeeply) {
  const std::string open(100000, '('), close(100000, ')');
  EXPECT_FALSE(
      model::compile("deep.hm", "int x; thread t { x = " + open + "1" + close + "; }").ok());
  const std::string minus(100000, '-');
  EXPECT_FALSE(model::compile("deep.hm", "int x; thread t { x = " + minus + "1; }").ok());
  const std::string braces(100000, '{');
  EXPECT_FALSE(model::compile("deep.hm", "thread t " + braces).ok());
  std::string sum = "1";
  for (int i = 0; i < 10000; ++i) sum += " + 1";
  EXPECT_FALSE(model::compile("deep.hm", "int x; thread t { x = " + sum + "; }").ok());
  std::string indices;
  for (int i = 0; i < 100000; ++i) indices += "a[";
  EXPECT_FALSE(model::compile("deep.hm", "int a[1]; thread t { a[0] = " + indices).ok());
  std::string questions;
  for (int i = 0; i < 100000; ++i) questions += "true ? 1 : ";
  EXPECT_FALSE(model::compile("deep.hm", "int x; thread t { x = " + questions + "1; }").ok());
}

TEST(Definition, SetsAParameter) {
  const auto model = model_of("param N = 2; bool b; thread t(i : 1..N) { b = true; }",
                              {.definitions = {{"N", 5}}});
  EXPECT_EQ(model.threads.size(), 5U);
}

TEST(Definition, OfNoParameterIsAnError) {
  const auto model = model::compile("m.hm", "param COUNT = 2; thread t { skip; }",
                                    {.definitions = {{"CONUT", 5}}});
  ASSERT_FALSE(model.ok());
  EXPECT_EQ(model.error().message, "m.hm: there is no parameter 'CONUT'; did you mean 'COUNT'?");
}

TEST(Definition, IsANameAndANumber) {
  EXPECT_EQ(model::parse_definition("N=4").value(), std::pair(std::string("N"), std::int64_t{4}));
  EXPECT_EQ(model::parse_definition("N=-4").value().second, -4);
  EXPECT_EQ(model::parse_definition("F=true").value().second, 1);
  for (const char* wrong : {"", "N", "N=", "=4", "N=x", "N=4x", "N=99999999999999999999"}) {
    EXPECT_FALSE(model::parse_definition(wrong).ok()) << wrong;
  }
}

}  // namespace
}  // namespace heddle
