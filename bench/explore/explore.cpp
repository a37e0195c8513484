// Executions per second of `heddle explore -- ./program`, beside the best that is known of
// other checkers on a machine with two cores.
//
// The processor's time counts, start-up included, so that a busy machine does not mislead much;
// the fastest of three runs.
//
//   build/release/bench/explore/explore
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include "base/subprocess.h"

namespace heddle {
namespace {

struct Row {
  std::string program;
  std::string size;  // empty: it has none
  std::string algorithm;
  std::uint64_t executions;  // expected
  double published;          // per second; 0: not known
};

const std::vector<Row> kRows = {
    {"readers", "15", "epor", 32'768, 29'500},   {"ring", "14", "odpor", 16'383, 18'600},
    {"last_zero", "12", "odpor", 12'288, 7'500}, {"last_zero", "15", "odpor", 122'880, 0},
    {"indexer", "15", "odpor", 4'096, 1'500},    {"indexer_locks", "15", "odpor", 4'096, 710},
    {"fib", "", "odpor", 218'243, 33'800},       {"bank", "12", "odpor", 4'094, 1'700},
};

double seconds_of_children() {
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

struct Measured {
  std::uint64_t executions = 0;
  std::uint64_t bytes = 0;
  double seconds = 0;
};

Measured measure_once(const Row& row) {
  std::vector<std::string> words = {
      HEDDLE_PROGRAM, "explore",
      "--json",       "--algorithm",
      row.algorithm,  "--no-progress",
      "--",           fmt::format("{}/{}", HEDDLE_EXPLORE_PROGRAMS, row.program)};
  if (!row.size.empty()) words.push_back(row.size);
  const double before = seconds_of_children();
  const SubprocessResult result = run_subprocess(words).value();
  const double taken = seconds_of_children() - before;
  const auto json = nlohmann::json::parse(result.output);
  return {json["traces"], json["peak_bytes"], taken};
}

Measured measure(const Row& row) {
  Measured best = measure_once(row);
  for (int i = 0; i < 2; ++i) {
    const Measured again = measure_once(row);
    if (again.seconds < best.seconds) best = again;
  }
  return best;
}

void print_row(const Row& row) {
  const Measured measured = measure(row);
  const double speed = static_cast<double>(measured.executions) / measured.seconds;
  fmt::print("{:20} {:6} {:>10} {:>10.3f} {:>10.0f} {:>10} {:>8} {:>6} MB{}\n",
             fmt::format("{} {}", row.program, row.size), row.algorithm, measured.executions,
             measured.seconds, speed, row.published > 0 ? fmt::format("{:.0f}", row.published) : "",
             row.published > 0 ? fmt::format("{:.1f}", speed / row.published) : "",
             measured.bytes >> 20, measured.executions == row.executions ? "" : "  unexpected");
  std::fflush(stdout);
}

// What a search of many executions needs more than one of few.
void print_memory() {
  for (const std::string executions : {"10000", "100000", "1000000"}) {
    const SubprocessResult result =
        run_subprocess({HEDDLE_PROGRAM, "explore", "--json", "--no-progress", "--algorithm",
                        "odpor", "--max-executions", executions, "--",
                        fmt::format("{}/fib", HEDDLE_EXPLORE_PROGRAMS), "6"})
            .value();
    const auto json = nlohmann::json::parse(result.output);
    fmt::print("fib 6, {:>7} executions: {} KB\n", executions,
               json["peak_bytes"].get<std::uint64_t>() >> 10);
  }
}

}  // namespace
}  // namespace heddle

int main() {
  fmt::print("{:20} {:6} {:>10} {:>10} {:>10} {:>10} {:>8} {:>9}\n", "program", "by", "executions",
             "seconds", "per second", "published", "ratio", "memory");
  for (const auto& row : heddle::kRows) heddle::print_row(row);
  fmt::print("\nmemory of the program's process at its peak\n");
  heddle::print_memory();
}
