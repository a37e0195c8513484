// How many of all races the hunt finds, on random models that are small enough to search whole: the
// share of pairs of sites that Lockset warned of, and of those for which there is a witness.
//
//   build/release/bench/hybrid/share [MODELS]
#include <charconv>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "explore/data_races.h"
#include "hybrid/hunt.h"
#include "hybrid/questions.h"
#include "model/compile.h"
#include "model/interpreter.h"
#include "tests/hybrid/handoff_model.h"
#include "tests/model/random_model.h"

namespace heddle {
namespace {

constexpr std::size_t kMaxSteps = 200;

// Ends a search that is too long for a comparison.
class Patience final : public ExplorationListener {
 public:
  bool on_execution(const Execution&) override { return ++executions_ < 20'000; }
  bool on_failure(const Execution&, Failure) override { return true; }
  bool is_over() const { return executions_ >= 20'000; }

 private:
  std::uint64_t executions_ = 0;
};

class Both final : public ExplorationListener {
 public:
  Both(ExplorationListener& a, ExplorationListener& b) : a_(a), b_(b) {}
  bool on_execution(const Execution& e) override {
    return a_.on_execution(e) && b_.on_execution(e);
  }
  bool on_dropped(const Execution& e) override { return a_.on_dropped(e) && b_.on_dropped(e); }
  bool on_failure(const Execution&, Failure) override { return true; }

 private:
  ExplorationListener& a_;
  ExplorationListener& b_;
};

// All pairs of sites that race; nothing if that takes too long.
std::optional<std::set<hybrid::SitePair>> all_races(const model::Model& model) {
  model::Interpreter system(model, {.stop_spinning = true});
  FindingCollector collector(system, {.keep_going = true});
  DataRaceListener races(system, collector);
  Patience patience;
  Both listener(races, patience);
  make_odpor_explorer(system, listener, {.max_steps = kMaxSteps})->run();
  if (patience.is_over()) return std::nullopt;
  std::set<hybrid::SitePair> result;
  for (const Witness& witness : collector.witnesses()) {
    result.insert(hybrid::site_pair(witness.sites[0], witness.sites[1]));
  }
  return result;
}

struct Totals {
  std::size_t warned = 0;
  std::size_t found = 0;
};

void count(const model::Model& model, const std::set<hybrid::SitePair>& races,
           const hybrid::HuntOptions& options, Totals& totals) {
  const hybrid::HuntReport report = hybrid::hunt(model, options);
  std::set<hybrid::SitePair> warned, found;
  for (const hybrid::WarningReport& warning : report.warnings) {
    const auto pair = hybrid::site_pair(warning.sites.front(), warning.sites.back());
    if (races.contains(pair)) warned.insert(pair);
    if (warning.witness && races.contains(pair)) found.insert(pair);
  }
  totals.warned += warned.size();
  totals.found += found.size();
}

double percent(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

void print_table(std::size_t wanted) {
  struct Row {
    std::uint32_t runs;
    bool all_partners;
    Totals totals = {};
  };
  std::vector<Row> rows = {{1, false}, {4, false}, {16, false}, {1, true}, {4, true}, {16, true}};
  std::size_t models = 0, races = 0;
  for (std::uint64_t seed = 1; models < wanted; ++seed) {
    const std::uint32_t threads = seed / 2 % 2 == 0 ? 2 : 3;
    const std::string text = seed % 2 == 0 ? hybrid::handoff_model(threads, seed)
                                           : random_model({.threads = threads}, seed);
    const auto model =
        model::compile("random.hm", text, {.granularity = model::Granularity::access});
    const auto all = all_races(*model);
    if (!all || all->empty()) continue;
    ++models;
    races += all->size();
    for (Row& row : rows) {
      const hybrid::HuntOptions options{.runs = row.runs,
                                        .seed = seed,
                                        .all_partners = row.all_partners,
                                        .max_executions = 2'000,
                                        .max_steps = kMaxSteps};
      count(*model, *all, options, row.totals);
    }
  }
  fmt::print("{} random models with {} races (pairs of sites)\n\n", models, races);
  fmt::print("{:>5}  {:<14}  {:>14}  {:>14}\n", "runs", "pairs", "asked about", "found");
  for (const Row& row : rows) {
    fmt::print("{:>5}  {:<14}  {:>12.1f} %  {:>12.1f} %\n", row.runs,
               row.all_partners ? "all partners" : "warnings", percent(row.totals.warned, races),
               percent(row.totals.found, races));
  }
}

}  // namespace
}  // namespace heddle

int main(int argc, char** argv) {
  std::size_t models = 1000;
  if (argc > 1) {
    const std::string_view word = argv[1];
    std::from_chars(word.data(), word.data() + word.size(), models);
  }
  heddle::print_table(models);
}
