// Runs the benchmarks and prints their counters as the columns of a table.
#include <vector>

#include <benchmark/benchmark.h>

int main(int argc, char** argv) {
  std::vector<char*> arguments(argv, argv + argc);
  char tabular[] = "--benchmark_counters_tabular=true";
  arguments.insert(arguments.begin() + 1, tabular);
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 64;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
