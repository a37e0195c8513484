// Names of variables on the stack, compared with what a running program says about itself:
// where its frames are, and which address it knows under which name.
#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/subprocess.h"
#include "native/program.h"
#include "tests/native/programs.h"

namespace heddle {
namespace {

// ENTER notes the frame of the function that it stands in. here(address, size, name) is what is
// asked about, in the frame that was noted last and not left yet.
constexpr const char* kSource = R"(#include <cstdint>
#include <cstdio>
extern "C" char __executable_start;
using Address = std::uintptr_t;
static Address base() { return reinterpret_cast<Address>(&__executable_start); }
// Like a hook: below its return address stands the frame pointer of its caller.
__attribute__((noinline, optimize_off)) void enter() {
  const auto* frame = static_cast<Address*>(__builtin_frame_address(0));
  std::printf("enter %lx %lx %lx\n", frame[1] - base(),
              reinterpret_cast<Address>(frame) + 16, frame[0]);
}
__attribute__((noinline)) void leave() { std::puts("leave"); }
__attribute__((noinline)) void here(void* place, unsigned long size, const char* name) {
  std::printf("here %lx %lx %lx %s\n", reinterpret_cast<Address>(__builtin_return_address(0)) - base(),
              reinterpret_cast<Address>(place), size, name);
}
struct Account { int id; long balance; };
struct Worker {
  int kept = 0;
  __attribute__((noinline)) void run(int parameter);
};
void Worker::run(int parameter) {
  enter();
  here(&parameter, 4, "parameter in Worker::run");
  here(&kept, 4, "worker.kept in main, seen from main");
  leave();
}
__attribute__((noinline)) void blocks(int count) {
  enter();
  for (int i = 0; i < count; ++i) {
    { long first = i; here(&first, 8, "first in blocks"); }
    { long second[2] = {i, i}; here(&second[1], 8, "second[1] in blocks"); }
    { long third = i; here(&third, 8, "third in blocks"); }
  }
  here(&count, 4, "count in blocks");
  leave();
}
__attribute__((noinline)) void aligned() {
  enter();
  struct alignas(64) Padded { long value; } padded[2] = {};
  here(&padded[1].value, 8, "padded[1].value in aligned");
  leave();
}
__attribute__((always_inline)) inline void inlined(int start) {
  int own = start;
  here(&own, 4, "own in inlined");
}
namespace bank { namespace {
template <typename T> __attribute__((noinline)) void deep(int depth) {
  enter();
  T level = depth;
  here(&level, sizeof level, "level in bank::deep");
  if (depth > 0) deep<T>(depth - 1);
  here(&level, sizeof level, "level in bank::deep");
  leave();
}
} }
int main() {
  enter();
  int counter = 0;
  Account accounts[4] = {};
  here(&counter, 4, "counter in main");
  here(&accounts[3].balance, 8, "accounts[3].balance in main");
  here(&accounts[2], 16, "accounts[2] in main");
  here(reinterpret_cast<char*>(&accounts[1].balance) + 2, 2, "accounts[1].balance +2 in main");
  here(&accounts[1].id, 4, "accounts[1].id in main");
  const auto add = [&](int amount) __attribute__((noinline)) {
    enter();
    int inner = amount;
    counter += amount;
    here(&inner, 4, "inner in main::lambda");
    leave();
  };
  add(3);
  inlined(counter);
  Worker worker;
  worker.run(5);
  blocks(2);
  aligned();
  bank::deep<int>(3);
  here(&worker.kept, 4, "worker.kept in main");
  leave();
}
)";

constexpr std::uint64_t kBase = 0x7f0000000000;

struct Asked {
  StackFrame frame;
  std::uint64_t pc = 0;
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  std::string name;
};

// What the program printed.
std::vector<Asked> questions_of(const CompiledProgram& program) {
  std::vector<StackFrame> frames;
  std::vector<Asked> questions;
  const auto result = run_subprocess({program.path()});
  std::istringstream lines(result->output);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string verb;
    words >> verb >> std::hex;
    if (verb == "enter") {
      StackFrame& frame = frames.emplace_back();
      words >> frame.entry >> frame.stack_pointer >> frame.frame_pointer;
      frame.entry += kBase - 1;
    } else if (verb == "leave") {
      frames.pop_back();
    } else {
      Asked& asked = questions.emplace_back();
      asked.frame = frames.back();
      words >> asked.pc >> asked.address >> asked.size;
      asked.pc += kBase - 1;
      std::getline(words >> std::ws, asked.name);
    }
  }
  return questions;
}

std::string name_of(NativeProgram& program, const Asked& asked) {
  const auto name = program.local_name(asked.frame, asked.pc, asked.address, asked.size);
  return name.part.empty() ? "" : fmt::format("{} in {}", name.part, name.function);
}

class Locals : public testing::TestWithParam<std::string> {
 protected:
  // The hook must have a frame pointer, as that of the runtime does.
  std::string command() const {
    const bool clang = GetParam().starts_with("clang");
    return GetParam() + " -std=c++17 " +
           (clang ? "-Wno-unknown-attributes -fstandalone-debug '-Doptimize_off=optnone' "
                    "-mllvm -instcombine-lower-dbg-declare=0"
                  : "-fno-var-tracking-assignments "
                    "'-Doptimize_off=optimize(\"no-omit-frame-pointer\")'");
  }
};

INSTANTIATE_TEST_SUITE_P(Compilers, Locals,
                         testing::Values("clang++ -O0 -gdwarf-4", "clang++ -O1 -g",
                                         "clang++ -O2 -gdwarf-4 -mno-red-zone",
                                         "clang++ -O2 -g -fno-omit-frame-pointer", "g++ -O0 -g",
                                         "g++ -O1 -gdwarf-4", "g++ -O2 -g"),
                         [](const auto& each) {
                           std::string name;
                           for (const char c : each.param) name += std::isalnum(c) ? c : '_';
                           return name;
                         });

// `this` of Worker::run is in main, so it is not for the frame of run to name.
TEST_P(Locals, HaveTheNamesOfTheSourceInTheFrameThatHoldsThem) {
  const CompiledProgram compiled(command(), "frames.cpp", kSource);
  NativeProgram program({compiled.mapped_at(kBase)});
  int names = 0;
  for (const Asked& asked : questions_of(compiled)) {
    const auto end = program.frame_end(asked.frame);
    const bool inside = !asked.name.ends_with("seen from main");
    EXPECT_EQ(name_of(program, asked), inside ? asked.name : "");
    if (end) {
      EXPECT_EQ(asked.address < *end, inside) << asked.name;
    }
    EXPECT_TRUE(end || asked.name.ends_with("in aligned")) << asked.name;
    names += inside ? 1 : 0;
  }
  EXPECT_EQ(names, 25);
}

TEST(LocalsOfBlocks, ThatShareAPlaceAreToldApartByTheInstruction) {
  const CompiledProgram compiled(
      "clang++ -O1 -g -std=c++17 -Wno-unknown-attributes '-Doptimize_off=optnone' -mllvm "
      "-instcombine-lower-dbg-declare=0",
      "frames.cpp", kSource);
  NativeProgram program({compiled.mapped_at(kBase)});
  std::map<std::uint64_t, std::set<std::string>> names;
  for (const Asked& asked : questions_of(compiled)) {
    if (!asked.name.ends_with(" in blocks")) continue;
    const auto name = program.local_name(asked.frame, asked.pc, asked.address, asked.size);
    names[asked.address].insert(name.part);
    EXPECT_EQ(name.certain, name.part == "count" || name.part == "second[1]") << name.part;
    if (name.certain) continue;
    const auto at_entry =
        program.local_name(asked.frame, asked.frame.entry, asked.address, asked.size);
    EXPECT_EQ(at_entry.part, "");
    EXPECT_FALSE(at_entry.certain);
  }
  EXPECT_TRUE(std::any_of(names.begin(), names.end(),
                          [](const auto& each) { return each.second.size() == 2; }));
}

}  // namespace
}  // namespace heddle
