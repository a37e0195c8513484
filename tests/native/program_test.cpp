// Names and lines in compiled programs, compared with what the source says: two compilers,
// two languages, DWARF 4 and 5.
#include "native/program.h"

#include <cctype>
#include <filesystem>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/subprocess.h"
#include "native/module_file.h"
#include "tests/native/programs.h"

namespace heddle {
namespace {

using ::testing::HasSubstr;

constexpr std::uint64_t kBase = 0x7f0000000000;

constexpr const char* kC = R"(#include <stdint.h>
struct account { int id; long balance; union { double rate; char text[8]; } u; };
typedef struct account account_t;
const volatile int limit = 7;
long balance = 100;
account_t accounts[4];
int grid[2][3];
struct { struct account first; struct { int inner; }; } outer;
__thread int per_thread[2] = {1, 2};
static int hidden = 3;
int next_id(void) {
  static int last = 0;
  return last += hidden;
}
int main(void) {
  balance += per_thread[1];
  return next_id() + limit;
}
)";

constexpr const char* kCplusplus = R"(#include <atomic>
namespace bank {
struct Base { virtual ~Base() {} int kept = 1; };
class Account : public Base {
 public:
  long balance = 2;
  static int count;
};
int Account::count = 5;
Account vault;
std::atomic<int> hits;
namespace { int secret = 4; }
inline int shared_inline = 6;
}
thread_local long mine = 9;
volatile int sink;
__attribute__((always_inline)) inline void poke(int value) {
  sink = value;
}
__attribute__((noinline)) int deposit(bank::Account& to, long amount) {
  static int calls = 1;
  poke(7);
  to.balance += amount;
  return ++calls;
}
int main() {
  bank::hits++;
  mine += bank::secret + bank::shared_inline;
  return deposit(bank::vault, mine) + bank::Account::count;
}
)";

class Native : public testing::TestWithParam<std::string> {
 protected:
  std::string c() const { return GetParam(); }
  std::string cplusplus() const {
    const bool clang = GetParam().starts_with("clang");
    // As heddle-c++ does: without it, Clang leaves out classes that it expects elsewhere.
    return (clang ? "clang++ -fstandalone-debug" : "g++") + GetParam().substr(clang ? 5 : 3) +
           " -std=c++17";
  }
};

INSTANTIATE_TEST_SUITE_P(Compilers, Native,
                         testing::Values("clang -O0 -gdwarf-4", "clang -O1 -gdwarf-5",
                                         "gcc -O0 -gdwarf-5", "gcc -O1 -gdwarf-4"),
                         [](const auto& each) {
                           std::string name;
                           for (const char c : each.param) name += std::isalnum(c) ? c : '_';
                           return name;
                         });

std::string data_name(const CompiledProgram& compiled, const std::string& symbol,
                      std::uint64_t offset, std::uint64_t size) {
  NativeProgram program({compiled.mapped_at(kBase)});
  const auto name = program.data_name(kBase + compiled.symbol(symbol).address + offset, size);
  return name.ok() ? std::string(*name) : name.error().message;
}

TEST_P(Native, NamesDataInC) {
  const CompiledProgram bank(c(), "bank.c", kC);
  EXPECT_EQ(data_name(bank, "balance", 0, 8), "balance");
  EXPECT_EQ(data_name(bank, "balance", 4, 2), "balance +4");
  EXPECT_EQ(data_name(bank, "accounts", 3 * 24 + 8, 8), "accounts[3].balance");
  EXPECT_EQ(data_name(bank, "accounts", 24 + 16, 8), "accounts[1].u.rate");
  EXPECT_EQ(data_name(bank, "accounts", 24 + 18, 1), "accounts[1].u.text[2]");
  EXPECT_EQ(data_name(bank, "accounts", 24, 24), "accounts[1]");
  EXPECT_EQ(data_name(bank, "grid", 4 * 4, 4), "grid[1][1]");
  EXPECT_EQ(data_name(bank, "outer", 24, 4), "outer.inner");
  EXPECT_EQ(data_name(bank, "outer", 8, 8), "outer.first.balance");
  EXPECT_EQ(data_name(bank, "limit", 0, 4), "limit");
}

TEST_P(Native, NamesDataInCplusplus) {
  const CompiledProgram bank(cplusplus(), "bank.cpp", kCplusplus);
  EXPECT_EQ(data_name(bank, "bank::vault", 16, 8), "bank::vault.balance");
  EXPECT_EQ(data_name(bank, "bank::vault", 8, 4), "bank::vault.kept");
  EXPECT_EQ(data_name(bank, "bank::vault", 0, 8), "bank::vault._vptr");
  EXPECT_EQ(data_name(bank, "bank::Account::count", 0, 4), "bank::Account::count");
  EXPECT_EQ(data_name(bank, "bank::hits", 0, 4), "bank::hits");
  EXPECT_EQ(data_name(bank, "bank::shared_inline", 0, 4), "bank::shared_inline");
  EXPECT_EQ(data_name(bank, "deposit(bank::Account&, long)::calls", 0, 4), "deposit()::calls");
}

TEST_P(Native, HasTheLinkersNamesWhereNoSourceIsWanted) {
  const CompiledProgram bank(cplusplus(), "bank.cpp", kCplusplus);
  MappedModule module = bank.mapped_at(kBase);
  module.has_source = false;
  NativeProgram program({module});
  const std::uint64_t vault = kBase + bank.symbol("bank::vault").address;
  EXPECT_EQ(*program.symbol_name(vault), "bank::vault");
  EXPECT_EQ(*program.symbol_name(vault + 8), "bank::vault +8");
  EXPECT_FALSE(program.data_name(vault, 8).ok());
  EXPECT_FALSE(program.frames_at(kBase + bank.symbol("main").address).ok());
}

TEST_P(Native, KnowsWhereItsSourcesAre) {
  const CompiledProgram bank(c(), "bank.c", kC);
  NativeProgram program({bank.mapped_at(kBase)});
  EXPECT_EQ(*program.source_folder(0), bank.source().parent_path());
}

TEST_P(Native, LearnsOfModulesThatAreLoadedLater) {
  const CompiledProgram first(c(), "bank.c", kC);
  const CompiledProgram second(cplusplus(), "bank.cpp", kCplusplus);
  NativeProgram program({first.mapped_at(kBase)});
  EXPECT_EQ(*program.data_name(kBase + first.symbol("balance").address, 8), "balance");
  constexpr std::uint64_t kLater = kBase - 0x1000'0000;
  program.add(second.mapped_at(kLater));
  EXPECT_EQ(*program.data_name(kLater + second.symbol("bank::hits").address, 4), "bank::hits");
  EXPECT_EQ(*program.data_name(kBase + first.symbol("balance").address, 8), "balance");
}

TEST(ModuleFile, SaysWhatItNeedsAndWhereItWantsToBe) {
  const CompiledProgram anywhere("gcc -pie -fPIE", "a.c", "int main(void) { return 0; }");
  const CompiledProgram fixed("gcc -no-pie -fno-pie", "a.c", "int main(void) { return 0; }");
  EXPECT_EQ(ModuleFile::open(anywhere.path())->lowest_address(), 0u);
  EXPECT_EQ(ModuleFile::open(fixed.path())->lowest_address(), 0x400000u);
  EXPECT_TRUE(ModuleFile::open(anywhere.path())->needs_library("libc.so.6"));
  EXPECT_FALSE(ModuleFile::open(anywhere.path())->needs_library("libheddle_rt.so"));
}

TEST_P(Native, NamesThreadLocals) {
  const CompiledProgram c_program(c(), "bank.c", kC);
  NativeProgram first({c_program.mapped_at(kBase)});
  EXPECT_EQ(*first.thread_local_name(0, c_program.symbol("per_thread").address + 4, 4),
            "per_thread[1]");
  const CompiledProgram cplusplus_program(cplusplus(), "bank.cpp", kCplusplus);
  NativeProgram second({cplusplus_program.mapped_at(kBase)});
  EXPECT_EQ(*second.thread_local_name(0, cplusplus_program.symbol("mine").address, 8), "mine");
  EXPECT_EQ(*second.thread_local_name(0, 4096, 8), "");
}

TEST_P(Native, FindsFunctionsAndTheirLines) {
  const CompiledProgram bank(c(), "bank.c", kC);
  NativeProgram program({bank.mapped_at(kBase)});
  const auto frames = *program.frames_at(kBase + bank.symbol("next_id").address);
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_EQ(frames[0].function, "next_id");
  EXPECT_EQ(std::filesystem::path(frames[0].file), bank.source());
  EXPECT_GE(frames[0].line, 11u);
  EXPECT_LE(frames[0].line, 13u);
  EXPECT_FALSE(frames[0].inlined);
}

TEST_P(Native, FindsInlinedCallsAndWhereTheyStand) {
  const CompiledProgram bank(cplusplus(), "bank.cpp", kCplusplus);
  NativeProgram program({bank.mapped_at(kBase)});
  const Symbol deposit = bank.symbol("deposit(bank::Account&, long)");
  bool found = false;
  for (std::uint64_t at = deposit.address; at < deposit.address + deposit.size; ++at) {
    const auto frames = *program.frames_at(kBase + at);
    ASSERT_FALSE(frames.empty());
    EXPECT_EQ(frames.back().function, "deposit(bank::Account&, long)");
    if (frames.size() < 2 || frames[0].line != 18) continue;
    found = true;
    EXPECT_EQ(frames[0].function, "poke(int)");
    EXPECT_TRUE(frames[0].inlined);
    EXPECT_EQ(std::filesystem::path(frames[1].file), bank.source());
    EXPECT_EQ(frames[1].line, 22u);
    EXPECT_GT(frames[1].column, 0u);
    EXPECT_FALSE(frames[1].inlined);
  }
  EXPECT_TRUE(found);
}

// addr2line is the slow twin: it walks the debug information for every address.
TEST_P(Native, AgreesWithAddr2lineOnEveryAddress) {
  const CompiledProgram bank(cplusplus(), "bank.cpp", kCplusplus);
  NativeProgram program({bank.mapped_at(kBase)});
  const Symbol main = bank.symbol("main");
  std::string addresses;
  std::vector<std::string> ours;
  for (std::uint64_t at = main.address; at < main.address + main.size; ++at) {
    addresses += fmt::format(" {:#x}", at);
    const auto frames = program.frames_at(kBase + at);
    for (const SourceFrame& frame : *frames) {
      const std::string file = std::filesystem::path(frame.file).filename().string();
      EXPECT_NE(frame.line, 0u);
      ours.emplace_back(frame.function);
      ours.push_back(fmt::format("{}:{}", file, frame.line));
    }
  }
  const auto theirs = run_subprocess({"bash", "-c",
                                      "addr2line -f -C -i -s -e " + bank.path() + addresses +
                                          " | sed 's/ (discriminator [0-9]*)//'"});
  std::istringstream lines(theirs->output);
  std::size_t position = 0;
  for (std::string line; std::getline(lines, line); ++position) {
    ASSERT_LT(position, ours.size());
    if (line.ends_with(":?")) continue;  // ours is the line next to it
    EXPECT_EQ(ours[position], line);
  }
  EXPECT_EQ(position, ours.size());
}

TEST_P(Native, FindsAddressesInSharedLibrariesByTheirModule) {
  const CompiledProgram bank(c(), "bank.c", kC);
  const CompiledProgram library(c() + " -shared -fPIC", "library.c",
                                "int tally[3];\nint count(void) {\n  return ++tally[1];\n}\n");
  NativeProgram program({library.mapped_at(kBase + (1u << 30)), bank.mapped_at(kBase)});
  const std::uint64_t in_library = kBase + (1u << 30);
  EXPECT_EQ(*program.data_name(in_library + library.symbol("tally").address + 4, 4), "tally[1]");
  EXPECT_EQ((*program.frames_at(in_library + library.symbol("count").address))[0].function,
            "count");
  EXPECT_EQ(*program.data_name(kBase + bank.symbol("balance").address, 8), "balance");
}

TEST(NativeTypes, OfAClassThatOneUnitOnlyDeclaresAreFoundInAnother) {
  const CompiledProgram program(
      "g() { clang++ -g -c -x c++ \"$1\" -DOTHER -o other.o && clang++ -g -x c++ \"$1\" -x none "
      "other.o \"${@:2}\"; }; g",
      "split.cpp",
      "struct Shape { Shape(); virtual ~Shape(); virtual int area(); int width; };\n"
      "#ifdef OTHER\nShape::Shape() : width(1) {}\nShape::~Shape() {}\n"
      "int Shape::area() { return width; }\n"
      "#else\nShape square;\nint main() { return square.area(); }\n#endif\n");
  EXPECT_EQ(data_name(program, "square", 8, 4), "square.width");
}

TEST(NativeErrors, AreClearAboutMissingDebugInformation) {
  const CompiledProgram bare("gcc -g0 -s", "bare.c", "int x; int main(void) { return x; }\n");
  NativeProgram program({bare.mapped_at(kBase)});
  const auto frames = program.frames_at(kBase + 0x1100);
  ASSERT_FALSE(frames.ok());
  EXPECT_THAT(frames.error().message,
              HasSubstr("program' has no debug information, so its lines and names are unknown; "
                        "compile it with -g"));
  EXPECT_FALSE(program.data_name(kBase + 0x4000, 4).ok());
}

TEST(NativeErrors, NameFilesThatCannotBeRead) {
  NativeProgram program({{"/no/such/file", "", kBase, kBase, kBase + 4096}});
  EXPECT_EQ(program.frames_at(kBase).error().message,
            "cannot read '/no/such/file': No such file or directory");
  EXPECT_THAT(program.frames_at(kBase - 1).error().message, HasSubstr("no module of the program"));
  EXPECT_THAT(program.data_name(kBase + 4096, 1).error().message, HasSubstr("no module"));
  const CompiledProgram bank("gcc -g", "bank.c", kC);
  EXPECT_THAT(build_id_of(bank.source()).error().message, HasSubstr("is no executable"));
}

TEST(BuildId, IsThatOfTheFile) {
  const CompiledProgram bank("gcc -g -Wl,--build-id=0x0123456789abcdef", "bank.c", kC);
  EXPECT_EQ(*build_id_of(bank.path()), "0123456789abcdef");
  const CompiledProgram without("gcc -g -Wl,--build-id=none", "bank.c", kC);
  EXPECT_EQ(*build_id_of(without.path()), "");
}

TEST(BuildId, TellsAFileThatHasChangedSinceTheRun) {
  const CompiledProgram bank("gcc -g -Wl,--build-id=0xaabbccdd", "bank.c", kC);
  MappedModule module = bank.mapped_at(kBase);
  module.build_id = "aabbccde";
  NativeProgram program({module});
  EXPECT_THAT(program.frames_at(kBase + 0x1100).error().message,
              HasSubstr("its build id is aabbccdd instead of aabbccde"));
}

}  // namespace
}  // namespace heddle
