// Names and lines of a native program: this one, which is compiled with -g.
//
// "first" reads the debug information anew and asks once for each address, "again" asks for
// addresses whose answers are known, as happens for the millions of events of a trace.
#include <cstdint>

#include <benchmark/benchmark.h>
#include <link.h>

#include "native/program.h"

namespace heddle::bench {
namespace {

constexpr std::uint64_t kAddresses = 20000;

struct Account {
  int id;
  long balance;
};
Account accounts[kAddresses];  // the data that is looked up

std::uint64_t load_base() {
  std::uint64_t base = 0;
  const auto take_first = [](dl_phdr_info* info, std::size_t, void* result) {
    *static_cast<std::uint64_t*>(result) = info->dlpi_addr;
    return 1;
  };
  ::dl_iterate_phdr(take_first, &base);
  return base;
}

NativeProgram this_program() {
  const std::uint64_t base = load_base();
  return NativeProgram({{"/proc/self/exe", "", base, base, base + (std::uint64_t{1} << 28)}});
}

template <typename T>
std::uint64_t address_of(T* thing) {
  return reinterpret_cast<std::uint64_t>(thing);
}

// Asks for the source of that many neighbouring addresses; how many of them have one.
std::uint64_t look_up_code(NativeProgram& program) {
  std::uint64_t found = 0;
  const std::uint64_t start = address_of(&this_program);
  for (std::uint64_t i = 0; i < kAddresses; ++i) found += program.frames_at(start + i)->size() > 0;
  return found;
}

std::uint64_t look_up_data(NativeProgram& program) {
  std::uint64_t found = 0;
  for (Account& account : accounts) {
    found += !program.data_name(address_of(&account.balance), sizeof account.balance)->empty();
  }
  return found;
}

void report(benchmark::State& state, std::uint64_t found) {
  state.counters["lookups/s"] =
      benchmark::Counter(static_cast<double>(kAddresses) * static_cast<double>(state.iterations()),
                         benchmark::Counter::kIsRate);
  state.counters["found"] = static_cast<double>(found);
}

template <std::uint64_t (*look_up)(NativeProgram&)>
void first(benchmark::State& state) {
  std::uint64_t found = 0;
  for (auto iteration : state) {
    NativeProgram program = this_program();
    found = look_up(program);
  }
  report(state, found);
}

template <std::uint64_t (*look_up)(NativeProgram&)>
void again(benchmark::State& state) {
  NativeProgram program = this_program();
  std::uint64_t found = look_up(program);
  for (auto iteration : state) found = look_up(program);
  report(state, found);
}

BENCHMARK(first<look_up_code>)->Name("native/code/first")->Unit(benchmark::kMillisecond);
BENCHMARK(again<look_up_code>)->Name("native/code/again")->Unit(benchmark::kMillisecond);
BENCHMARK(first<look_up_data>)->Name("native/data/first")->Unit(benchmark::kMillisecond);
BENCHMARK(again<look_up_data>)->Name("native/data/again")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace heddle::bench
