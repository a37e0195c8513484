// Tables of command lines, and what they ask for.
#include "compile/invocation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compile/option_values.h"

namespace heddle {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::optional<std::string> no_files(const std::string&) { return std::nullopt; }

Result<Invocation> parse(const std::string& line) {
  return parse_invocation(split_response_file(line), no_files);
}

struct StageRow {
  Stage stage;
  const char* line;
};
constexpr StageRow kStages[] = {
    {Stage::information, ""},
    {Stage::information, "--version"},
    {Stage::information, "-v"},
    {Stage::information, "-v --version a.cpp"},
    {Stage::information, "-dumpmachine"},
    {Stage::information, "-print-file-name=libc.so"},
    {Stage::information, "--print-search-dirs"},
    {Stage::information, "-print-prog-name=ld -m32"},
    {Stage::information, "--help=optimizers"},
    {Stage::information, "-cc1 -emit-obj a.cpp"},
    {Stage::information, "-c -o a.o"},
    {Stage::information, "-I include -include a.h"},
    {Stage::preprocess, "-E a.cpp"},
    {Stage::preprocess, "-E -c a.cpp"},
    {Stage::preprocess, "-M a.cpp"},
    {Stage::preprocess, "-MM -MF a.d a.cpp"},
    {Stage::preprocess, "-E -x c++ -"},
    {Stage::preprocess, "-dM -E -x c /dev/null"},
    {Stage::compile, "-c a.cpp"},
    {Stage::compile, "-c a.cpp -MD -MT a.o -MF a.o.d -o a.o"},
    {Stage::compile, "-S a.cpp"},
    {Stage::compile, "-fsyntax-only a.cpp"},
    {Stage::compile, "-x c++-header all.h -o all.h.pch"},
    {Stage::compile, "all.hpp"},
    {Stage::compile, "-c a.cpp b.cpp"},
    {Stage::compile, "-c -static a.cpp"},
    {Stage::compile, "--compile a.c"},
    {Stage::relocatable, "-r a.o b.o -o ab.o"},
    {Stage::relocatable, "-nostdlib -Wl,-r a.o"},
    {Stage::relocatable, "-Xlinker --relocatable a.o"},
    {Stage::link, "a.cpp"},
    {Stage::link, "a.cpp b.c c.o libd.a -o prog"},
    {Stage::link, "-v a.o"},
    {Stage::link, "-### a.cpp"},
    {Stage::link, "-shared -fPIC a.cpp -o liba.so"},
    {Stage::link, "a.o -lpthread"},
    {Stage::link, "-x c -"},
    {Stage::link, "-MD a.cpp"},
    {Stage::link, "-Wl,-rpath,/r,-z,defs a.o"},
};

TEST(Invocation, KnowsTheLastStage) {
  for (const StageRow& row : kStages) {
    EXPECT_EQ(static_cast<int>(parse(row.line)->stage), static_cast<int>(row.stage)) << row.line;
  }
}

// Each input as "path:kind", in their order.
std::string inputs_of(const std::string& line) {
  constexpr const char* kKinds[] = {"code", "header", "assembly", "linked"};
  std::string text;
  const Invocation invocation = parse(line).value();
  for (const InputFile& file : invocation.inputs) {
    text += (text.empty() ? "" : " ") + file.path + ":" + kKinds[static_cast<int>(file.kind)];
  }
  return text;
}

TEST(Invocation, TellsInputsFromTheValuesOfOptions) {
  const std::pair<const char*, const char*> rows[] = {
      {"-c a.cpp -o b.cpp", "a.cpp:code"},
      {"-I inc -D X.c -U Y.c -isystem s.c -include i.c -L l.c m.c", "m.c:code"},
      {"-MF d.c -MT t.c -MQ q.c -Xlinker l.c -Xclang x.c -mllvm y.c -u z.c -z defs m.c",
       "m.c:code"},
      {"--param p.c -T script.c -target t -wrapper w.c -e main m.o", "m.o:linked"},
      {"a.c b.cc c.cxx d.C e.s f.S g.o h.a i.so j.so.1 k.i l.ii",
       "a.c:code b.cc:code c.cxx:code d.C:code e.s:assembly f.S:assembly g.o:linked h.a:linked "
       "i.so:linked j.so.1:linked k.i:code l.ii:code"},
      {"-x c++ a.txt -x none b.txt c.c", "a.txt:code b.txt:linked c.c:code"},
      {"-xassembler-with-cpp a.c", "a.c:assembly"},
      {"--language=c-header a.c", "a.c:header"},
      {"-x c - -o p", "-:code"},
      {"dir.c/file dir.o/file.c ./.c", "dir.c/file:linked dir.o/file.c:code ./.c:code"},
  };
  for (const auto& [line, inputs] : rows) EXPECT_EQ(inputs_of(line), inputs) << line;
}

TEST(Invocation, KnowsWhetherSomeDebugInformationWasChosen) {
  for (const char* option : {"-g", "-g0", "-g1", "-g3", "-ggdb", "-ggdb3", "-gdwarf-4", "-gdwarf",
                             "-gline-tables-only", "-gmlt"}) {
    EXPECT_TRUE(parse(std::string("-c a.c ") + option)->has_debug_option) << option;
  }
  for (const char* option : {"-gz", "-gsplit-dwarf", "-gno-column-info", "-grecord-gcc-switches",
                             "-gpubnames", "-O2", "--gcc-toolchain=/opt"}) {
    EXPECT_FALSE(parse(std::string("-c a.c ") + option)->has_debug_option) << option;
  }
}

TEST(Invocation, TheLastWordOnTheThreadSanitizerCounts) {
  EXPECT_FALSE(parse("-c a.c")->thread_refused);
  EXPECT_TRUE(parse("-c a.c -fno-sanitize=thread")->thread_refused);
  EXPECT_TRUE(parse("-c a.c -fsanitize=thread -fno-sanitize=all")->thread_refused);
  EXPECT_TRUE(parse("-c a.c -fno-sanitize=vptr,thread")->thread_refused);
  EXPECT_FALSE(parse("-c a.c -fno-sanitize=all -fsanitize=undefined,thread")->thread_refused);
  EXPECT_FALSE(parse("-c a.c -fno-sanitize=vptr")->thread_refused);
}

TEST(Invocation, SeesSanitizersThatCannotGoWithThread) {
  EXPECT_EQ(parse("-c a.c -fsanitize=undefined,address")->other_sanitizer, "address");
  EXPECT_EQ(parse("-c a.c -fsanitize=memory")->other_sanitizer, "memory");
  EXPECT_EQ(parse("-c a.c -fsanitize=thread,undefined")->other_sanitizer, "");
  EXPECT_EQ(parse("-c a.c -fsanitize=address -fno-sanitize=address")->other_sanitizer, "");
  EXPECT_EQ(parse("-c a.c -fsanitize=address -fno-sanitize=all")->other_sanitizer, "");
}

TEST(Invocation, SeesHowItIsLinked) {
  EXPECT_TRUE(parse("-shared a.o")->shared);
  EXPECT_TRUE(parse("-static a.o")->fully_static);
  EXPECT_TRUE(parse("-static-pie a.o")->fully_static);
  EXPECT_TRUE(parse("-Wl,-static a.o")->fully_static);
  EXPECT_FALSE(parse("-static-libstdc++ -static-libgcc a.o -Wl,-Bstatic -lx")->fully_static);
  EXPECT_TRUE(parse("-flto=thin a.o")->link_time_optimisation);
  EXPECT_FALSE(parse("-flto -fno-lto a.o")->link_time_optimisation);
}

TEST(Invocation, TakesHeddlesOwnOptions) {
  const auto invocation = parse(
      "--heddle-compiler=g++ -c a.c --heddle-ignore=x.txt --heddle-ignore=y --heddle-runtime=/r");
  EXPECT_THAT(invocation->words, ElementsAre("-c", "a.c"));
  EXPECT_EQ(invocation->compiler, "g++");
  EXPECT_EQ(invocation->runtime, "/r");
  EXPECT_THAT(invocation->ignore_lists, ElementsAre("x.txt", "y"));
}

TEST(Invocation, RefusesHeddlesOptionsThatItDoesNotKnow) {
  EXPECT_THAT(parse("--heddle-compilr=g++").error().message, HasSubstr("unknown option"));
  EXPECT_THAT(parse("--heddle-ignore").error().message, HasSubstr("--heddle-ignore needs a value"));
  EXPECT_THAT(parse("--heddle-compiler=").error().message, HasSubstr("needs a value"));
}

TEST(Invocation, ReadsResponseFiles) {
  const std::vector<std::string> words = {"@all", "-o", "p"};
  const auto read = [](const std::string& path) -> std::optional<std::string> {
    return path == "all" ? std::optional<std::string>("-c 'a b.cpp' -g") : std::nullopt;
  };
  const auto invocation = parse_invocation(words, read);
  EXPECT_EQ(invocation->inputs, (std::vector<InputFile>{{"a b.cpp", InputKind::code}}));
  EXPECT_TRUE(invocation->has_debug_option);
  EXPECT_EQ(invocation->words, words);
}

TEST(Invocation, TakesThreadOutOfListsOfSanitizers) {
  EXPECT_EQ(without_thread_sanitizer("-fsanitize=thread"), std::nullopt);
  EXPECT_EQ(without_thread_sanitizer("-fno-sanitize=thread"), std::nullopt);
  EXPECT_EQ(without_thread_sanitizer("-fsanitize=undefined,thread,vptr"),
            "-fsanitize=undefined,vptr");
  EXPECT_EQ(without_thread_sanitizer("-fsanitize=threads"), "-fsanitize=threads");
  EXPECT_EQ(without_thread_sanitizer("thread"), "thread");
}

TEST(OptionValues, KnowsOptionsWithAWordOfTheirOwn) {
  for (const char* option : {"-o", "-x", "-MF", "-Xlinker", "-isystem", "--param", "-z"}) {
    EXPECT_TRUE(takes_next_word(option)) << option;
  }
  for (const char* option : {"-c", "-O2", "-Wall", "-oprog", "-MD", "-pthread", "-"}) {
    EXPECT_FALSE(takes_next_word(option)) << option;
  }
}

}  // namespace
}  // namespace heddle
