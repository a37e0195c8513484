// Tables 2 to 4 of the HYBRID paper on our programs of the same kinds (examples/hybrid): the hunt
// without the hint, with it, and with the paused thread kept in the search; the paper's seconds and
// megabytes beside ours. Then what other tools say in 20 runs each.
//
// The paper's programs are not to be had, so rows compare kinds of programs, not programs.
//
// A warning gets half a minute, so all of it takes some minutes. Helgrind is valgrind's; without it
// that column says so.
//
//   build/release/bench/hybrid/hybrid [THREADS...]
#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/subprocess.h"

namespace heddle {
namespace {

using Words = std::vector<std::string>;

constexpr const char* kSecondsPerWarning = "30";

// Seconds and megabytes for 2, 3 and 4 threads, as the paper prints them.
struct Published {
  std::array<const char*, 3> plain;
  std::array<const char*, 3> hint;
  std::array<const char*, 3> with_paused;
};
struct Program {
  const char* name;
  const char* paper_name;
  Published published;
};

const std::vector<Program> kPrograms = {
    {"tsp_locked",
     "our_tsp",
     {{"35070/353", "mem out", "mem out"},
      {"35070/353", "mem out", "mem out"},
      {"mem out", "mem out", "mem out"}}},
    {"sort",
     "SortArray",
     {{"569/123", "7019/607", "mem out"},
      {"569/123", "1335/396", "mem out"},
      {"1041/400", "mem out", "mem out"}}},
    {"primes",
     "PrimeFinder",
     {{"889/116", "44696/697", "timeout"},
      {"889/116", "2646/143", "4547/168"},
      {"1871/200", "5355/268", "17261/295"}}},
    {"elevator",
     "Elevsim",
     {{"33/28", "1394/151", "55519/720"},
      {"33/28", "68/33", "148/48"},
      {"36/31", "125/49", "409/73"}}},
    {"queries",
     "DQueries",
     {{"140/60", "10159/321", "timeout"},
      {"140/60", "202/89", "586/136"},
      {"202/96", "463/135", "1844/202"}}},
    {"crawler",
     "hedc",
     {{"2.7/11", "11/17", "24/17"}, {"2.7/11", "7.3/12", "9/17"}, {"7/12", "9.5/16", "123/21"}}},
    {"tsp",
     "tsp",
     {{"35243/337", "mem out", "mem out"},
      {"35243/337", "mem out", "mem out"},
      {"mem out", "mem out", "mem out"}}},
    {"raytracer", "mtrt", {{"", "", ""}, {"", "", ""}, {"", "", ""}}},
};

std::string path_of(const Program& program, const std::string& kind) {
  return fmt::format("{}/{}{}", HEDDLE_HYBRID_PROGRAMS, program.name, kind);
}
std::string folder() { return fmt::format("{}/out", HEDDLE_HYBRID_PROGRAMS); }

// "0.31/12 r1+2 s0 o0": seconds, megabytes; races that a run showed, and that a search found;
// spurious and open warnings.
std::string hunt(const Program& program, int threads, const Words& options) {
  Words words = {HEDDLE_PROGRAM, "hunt", "--json", "--time", kSecondsPerWarning, "--out", folder()};
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), {"--", path_of(program, ""), std::to_string(threads)});
  const auto result = run_subprocess(words);
  if (!result.ok()) return "failed";
  const auto json = nlohmann::json::parse(result->output, nullptr, false);
  if (json.is_discarded()) return "failed";
  int in_runs = 0;
  for (const auto& warning : json["per_warning"]) {
    in_runs +=
        warning["result"] == "witness" && warning["prefix_events"] == 0 && warning["pairs"] == 0
            ? 1
            : 0;
  }
  return fmt::format("{:.2f}/{} r{}+{} s{} o{}", json["seconds"].get<double>(),
                     json["peak_bytes"].get<std::uint64_t>() >> 20, in_runs,
                     json["witnesses"].get<int>() - in_runs, json["spurious"].get<int>(),
                     json["open"].get<int>());
}

void print_table(const char* title, const std::vector<int>& threads, const Words& options,
                 std::array<const char*, 3> Published::*published) {
  fmt::print("{}\n{:12} {:12}", title, "program", "paper's");
  for (const int count : threads) {
    const bool known = count >= 2 && count <= 4;
    fmt::print(" {:>22}{:>12}", fmt::format("{} threads", count), known ? "paper" : "");
  }
  fmt::print("\n");
  for (const Program& program : kPrograms) {
    fmt::print("{:12} {:12}", program.name, program.paper_name);
    std::fflush(stdout);
    for (const int count : threads) {
      const bool known = count >= 2 && count <= 4;
      fmt::print(" {:>22}{:>12}", hunt(program, count, options),
                 known ? (program.published.*published)[static_cast<std::size_t>(count - 2)] : "");
    }
    fmt::print("\n");
  }
  fmt::print("\n");
}

// In how many of 20 runs the tool reported something that it calls a race.
int reports(const Words& words, const std::string& sign) {
  int count = 0;
  for (int i = 0; i < 20; ++i) {
    const auto result = run_subprocess(words);
    if (!result.ok()) return -1;
    const std::string all = result->output + result->errors;
    count += all.find(sign) != std::string::npos ? 1 : 0;
  }
  return count;
}

// The races that prediction finds in one recorded run.
std::string predicted(const Program& program, int threads) {
  const std::string trace = folder() + "/predict.heddle";
  const auto recorded = run_subprocess({HEDDLE_PROGRAM, "record", "--out", trace, "--",
                                        path_of(program, ""), std::to_string(threads)});
  const auto result =
      run_subprocess({HEDDLE_PROGRAM, "predict", "--json", "--out", folder(), trace});
  if (!recorded.ok() || !result.ok()) return "failed";
  const auto json = nlohmann::json::parse(result->output, nullptr, false);
  if (json.is_discarded() || !json.contains("findings")) return "failed";
  int races = 0;
  for (const auto& finding : json["findings"]) races += finding["kind"] == "race" ? 1 : 0;
  return std::to_string(races);
}

void print_others(int threads) {
  fmt::print("Other tools, {} threads: runs of 20 with a report; races predicted from one run\n",
             threads);
  fmt::print("{:12} {:>10} {:>10} {:>10}\n", "program", "tsan", "helgrind", "predict");
  const bool has_valgrind = std::filesystem::exists("/usr/bin/valgrind");
  for (const Program& program : kPrograms) {
    const std::string count = std::to_string(threads);
    std::fflush(stdout);
    const int tsan = reports({path_of(program, "-tsan"), count}, "data race");
    const int helgrind =
        has_valgrind
            ? reports({"/usr/bin/valgrind", "--tool=helgrind", path_of(program, "-plain"), count},
                      "Possible data race")
            : -1;
    fmt::print("{:12} {:>10} {:>10} {:>10}\n", program.name, tsan,
               helgrind < 0 ? "absent" : std::to_string(helgrind), predicted(program, threads));
  }
}

void run(const std::vector<int>& threads) {
  std::filesystem::create_directories(folder());
  fmt::print(
      "seconds/megabytes of the whole hunt; r: races that a run showed + that a search found, s: "
      "spurious, o: open warnings\n\n");
  print_table("Table 2: without the hint", threads, {"--no-hint"}, &Published::plain);
  print_table("Table 3: with the hint", threads, {}, &Published::hint);
  print_table("Table 4: with the hint, the paused thread kept in", threads, {"--with-paused"},
              &Published::with_paused);
  print_others(threads.front());
}

}  // namespace
}  // namespace heddle

int main(int argc, char** argv) {
  std::vector<int> threads;
  for (int i = 1; i < argc; ++i) threads.push_back(std::atoi(argv[i]));
  if (threads.empty()) threads = {2, 3, 4, 8, 16};
  heddle::run(threads);
}
