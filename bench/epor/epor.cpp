// The tables of the EPOR paper, with our figures beside the paper's.
//
// For every benchmark and size, all algorithms are run in turn, several times while that is
// quick, and the fastest run of each counts; so the ratios compare what was measured side by
// side. They mean something from one run to the next, the seconds only on one machine.
//
//   build/release/bench/epor/epor [--most SECONDS] [BENCHMARK[:N]...]
#include <algorithm>
#include <charconv>
#include <chrono>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <sys/resource.h>

#include "explore/algorithms.h"
#include "model/compile.h"
#include "model/interpreter.h"

namespace heddle {
namespace {

struct Paper {
  std::string seconds, traces, dependency_checks, race_checks;  // empty: not known
};
using Row = std::pair<std::string, int>;  // benchmark and N
using PaperTable = std::map<Row, std::map<std::string, Paper>>;

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> fields(1);
  for (const char c : line) c == ',' ? void(fields.emplace_back()) : fields.back().push_back(c);
  return fields;
}

PaperTable read_paper() {
  PaperTable table;
  std::ifstream file(HEDDLE_EPOR_PAPER);
  for (std::string line; std::getline(file, line);) {
    const std::vector<std::string> f = split(line);
    if (f.size() != 7 || f[0] == "benchmark") continue;
    table[{f[0], std::stoi(f[1])}][f[2]] = {f[3], f[4], f[5], f[6]};
  }
  return table;
}

class Deaf final : public ExplorationListener {
 public:
  bool on_execution(const Execution&) override { return true; }
  bool on_failure(const Execution&, Failure) override { return true; }
};

struct Measured {
  double seconds = 0;
  ExploreCounters counters;
};

Measured run_once(const model::Model& model, const Algorithm& algorithm) {
  const auto start = std::chrono::steady_clock::now();
  model::Interpreter system(model, {.stop_spinning = true});
  Deaf listener;
  const auto explorer = algorithm.make(system, listener, {});
  explorer->run();
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  return {taken.count(), explorer->counters()};
}

using Measurements = std::map<std::string, Measured>;

// Rounds over all algorithms, until a second is used up or there were eleven.
Measurements measure(const model::Model& model) {
  Measurements best;
  double used = 0;
  for (int round = 0; round < 11 && used < 1; ++round) {
    for (const char* name : {"sdpor", "odpor", "epor", "epor-sh"}) {
      const Measured measured = run_once(model, *algorithm_named(name));
      used += measured.seconds;
      Measured& known = best.try_emplace(name, measured).first->second;
      if (measured.seconds < known.seconds) known = measured;
    }
  }
  return best;
}

std::string value_or_dash(const std::string& text) { return text.empty() ? "-" : text; }

void print_header() {
  fmt::print(
      "{:<20} {:>9} | {:>8} {:>8} {:>8} {:>8} | {:>6} {:>6} | {:>11} {:>11} {:>9} | "
      "{:>9} {:>9} {:>7} | {:>9} {:>11} {:>9}\n",
      "", "traces", "sdpor s", "odpor s", "epor s", "epor-sh", "e:s", "e:o", "dep. sdpor",
      "dep. epor", "race epor", "P sdpor s", "P epor s", "P e:s", "P traces", "P dep. epor",
      "P race");
}

std::string paper_ratio(const Paper& epor, const Paper& sdpor) {
  if (epor.seconds.empty() || sdpor.seconds.empty()) return "-";
  const double divisor = std::stod(sdpor.seconds);
  return divisor > 0 ? fmt::format("{:.2f}", std::stod(epor.seconds) / divisor) : "-";
}

void print_row(const Row& row, const Measurements& ours,
               const std::map<std::string, Paper>& paper) {
  const auto of_paper = [&](const char* name) {
    const auto found = paper.find(name);
    return found == paper.end() ? Paper{} : found->second;
  };
  const Measured& sdpor = ours.at("sdpor");
  const Measured& odpor = ours.at("odpor");
  const Measured& epor = ours.at("epor");
  const Paper theirs = of_paper("epor");
  const Paper theirs_sdpor = of_paper("sdpor");
  fmt::print(
      "{:<20} {:>9} | {:>8.3f} {:>8.3f} {:>8.3f} {:>8.3f} | {:>6.2f} {:>6.2f} | {:>11} "
      "{:>11} {:>9} | {:>9} {:>9} {:>7} | {:>9} {:>11} {:>9}\n",
      fmt::format("{}({})", row.first, row.second), epor.counters.traces, sdpor.seconds,
      odpor.seconds, epor.seconds, ours.at("epor-sh").seconds, epor.seconds / sdpor.seconds,
      epor.seconds / odpor.seconds, sdpor.counters.dependency_checks,
      epor.counters.dependency_checks, epor.counters.race_checks,
      value_or_dash(theirs_sdpor.seconds), value_or_dash(theirs.seconds),
      paper_ratio(theirs, theirs_sdpor), value_or_dash(theirs.traces),
      value_or_dash(theirs.dependency_checks), value_or_dash(theirs.race_checks));
  std::fflush(stdout);
}

bool wanted(const Row& row, const std::vector<std::string>& filters) {
  return filters.empty() || std::any_of(filters.begin(), filters.end(), [&](const auto& filter) {
           return filter == row.first || filter == fmt::format("{}:{}", row.first, row.second);
         });
}

// The sizes of the paper, and those that its programs were too slow for.
std::vector<Row> rows(const PaperTable& paper) {
  std::vector<Row> all;
  for (const char* name : {"readers-writers", "indexer", "last-zero", "shared-pointer", "ring",
                           "branching", "ring-extended"}) {
    for (const auto& [row, unused] : paper) {
      if (row.first == name) all.push_back(row);
    }
  }
  return all;
}

int main(std::vector<std::string> words) {
  double most = 60;
  if (words.size() >= 2 && words[0] == "--most") {
    most = std::stod(words[1]);
    words.erase(words.begin(), words.begin() + 2);
  }
  const PaperTable paper = read_paper();
  fmt::print("P: as published. e:s, e:o: time of epor against sdpor and odpor, in this run.\n");
  print_header();
  std::map<std::string, double> last;  // seconds of a benchmark's last row
  for (const Row& row : rows(paper)) {
    if (!wanted(row, words) || last[row.first] > most) continue;
    model::CompileOptions options;
    options.definitions = {{"N", row.second}};
    const auto model = model::load(HEDDLE_MODELS "/epor/" + row.first + ".hm", options);
    if (!model.ok()) {
      fmt::print(stderr, "{}\n", model.error().message);
      return 65;
    }
    const Measurements ours = measure(*model);
    for (const auto& [name, measured] : ours) {
      last[row.first] = std::max(last[row.first], measured.seconds);
    }
    print_row(row, ours, paper.at(row));
  }
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  fmt::print("at most {} MB of memory, over all rows\n", usage.ru_maxrss / 1024);
  return 0;
}

}  // namespace
}  // namespace heddle

int main(int argc, char** argv) { return heddle::main({argv + 1, argv + argc}); }
