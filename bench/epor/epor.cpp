// The tables of the EPOR paper, with our figures beside the paper's.
//
// For every benchmark and size, all algorithms are run in turn, several times while that is
// quick, and the fastest run of each counts; so the ratios compare what was measured side by
// side. They mean something from one run to the next, the seconds only on one machine. They are
// seconds of processor time, which other programs on the machine disturb the least.
//
//   build/release/bench/epor/epor [--most SECONDS] [BENCHMARK[:N]...]
#include <algorithm>
#include <ctime>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
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

double processor_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

Measured run_once(const model::Model& model, const Algorithm& algorithm) {
  const double start = processor_seconds();
  model::Interpreter system(model, {.stop_spinning = true});
  Deaf listener;
  const auto explorer = algorithm.make(system, listener, {});
  explorer->run();
  return {processor_seconds() - start, explorer->counters()};
}

using Measurements = std::map<std::string, Measured>;

// Rounds over all algorithms, at least three, until two seconds are used up or there were enough
// for the fastest to be much the same each time.
Measurements measure(const model::Model& model) {
  Measurements best;
  double used = 0;
  for (int round = 0; round < 3 || (round < 101 && used < 2); ++round) {
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

// A tenth of a millisecond is mostly what it costs to begin.
std::string ratio(const Measured& ours, const Measured& other) {
  if (ours.seconds < 1e-4 && other.seconds < 1e-4) return "-";
  return fmt::format("{:.2f}", ours.seconds / other.seconds);
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
      "{:<20} {:>9} | {:>8.3f} {:>8.3f} {:>8.3f} {:>8.3f} | {:>6} {:>6} | {:>11} "
      "{:>11} {:>9} | {:>9} {:>9} {:>7} | {:>9} {:>11} {:>9}\n",
      fmt::format("{}({})", row.first, row.second), epor.counters.traces, sdpor.seconds,
      odpor.seconds, epor.seconds, ours.at("epor-sh").seconds, ratio(epor, sdpor),
      ratio(epor, odpor), sdpor.counters.dependency_checks, epor.counters.dependency_checks,
      epor.counters.race_checks, value_or_dash(theirs_sdpor.seconds), value_or_dash(theirs.seconds),
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

struct Options {
  double most = 60;
  std::vector<std::string> wanted;
};

// What was asked for; or the exit status, if that is an answer already.
std::optional<int> parse(int argc, char** argv, const std::vector<Row>& all, Options& options) {
  CLI::App app("The tables of the EPOR paper, with our figures beside the paper's");
  app.add_option("--most", options.most,
                 "Leave out larger sizes once an algorithm took longer (default 60)")
      ->type_name("SECONDS");
  app.add_option("benchmark", options.wanted, "Only these, as in ring or ring:12")
      ->type_name("NAME[:N]");
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success&) {
    fmt::print("{}", app.help());
    return 0;
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "epor: {}; see epor --help\n", error.what());
    return 64;
  }
  for (const std::string& name : options.wanted) {
    const auto is_named = [&](const Row& row) { return wanted(row, {name}); };
    if (std::any_of(all.begin(), all.end(), is_named)) continue;
    fmt::print(stderr, "epor: no benchmark {} in the paper's tables; see bench/epor/paper.csv\n",
               name);
    return 64;
  }
  return std::nullopt;
}

int main(int argc, char** argv) {
  const PaperTable paper = read_paper();
  Options options;
  if (const auto status = parse(argc, argv, rows(paper), options)) return *status;
  fmt::print("P: as published. e:s, e:o: time of epor against sdpor and odpor, in this run.\n");
  print_header();
  std::map<std::string, double> last;  // seconds of a benchmark's last row
  for (const Row& row : rows(paper)) {
    if (!wanted(row, options.wanted) || last[row.first] > options.most) continue;
    model::CompileOptions definitions;
    definitions.definitions = {{"N", row.second}};
    const auto model = model::load(HEDDLE_MODELS "/epor/" + row.first + ".hm", definitions);
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

int main(int argc, char** argv) { return heddle::main(argc, argv); }
