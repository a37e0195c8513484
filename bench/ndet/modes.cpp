// Paper mode against the truth, for each of the paper's three kinds of witness: on small random
// traces, of which all reorderings are enumerated.
//
//   build/release/bench/ndet/modes [TRACES [SEED]]   2000 of each sort, and seed 1, unless given
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <fmt/format.h>

#include "base/random.h"
#include "predict/paper.h"
#include "trace/derived.h"
#include "trace/enumerate.h"
#include "trace/generate.h"

namespace heddle::ndet {
namespace {

using predict::PaperVerdict;
using predict::PaperWitness;

struct Comparison {
  std::uint64_t both = 0;
  std::uint64_t paper_only = 0;  // false alarms
  std::uint64_t truth_only = 0;  // missed
  std::uint64_t neither = 0;
  std::uint64_t undecided = 0;
};
using Comparisons = std::array<Comparison, kTripletKindCount>;

bool is_feasible(PaperVerdict verdict) {
  return verdict == PaperVerdict::no_choice || verdict == PaperVerdict::feasible_by_choice;
}

void compare(const PaperWitness& witness, const Oracle& truth, Comparisons& result) {
  Comparison& kind = result[static_cast<std::size_t>(witness.kind)];
  const bool happens = truth.of_kind(witness.kind).contains(witness.triplet);
  if (witness.verdict == PaperVerdict::undecided) {
    ++kind.undecided;
  } else if (is_feasible(witness.verdict)) {
    ++(happens ? kind.both : kind.paper_only);
  } else {
    ++(happens ? kind.truth_only : kind.neither);
  }
}

void compare(const Trace& trace, Comparisons& result) {
  const Derived derived(trace);
  const order::Facts facts(trace, derived);
  const Oracle truth = enumerate(trace);
  if (!truth.complete) return;
  predict::run_paper_mode(facts, {},
                          [&](const PaperWitness& witness) { compare(witness, truth, result); });
}

GenerateOptions only_locks(Random& random) {
  GenerateOptions options = lock_only_options();
  options.events = 8 + random.below(7);
  options.threads = 2 + random.below(3);
  options.locations = 1 + random.below(2);
  options.locks = 1 + random.below(3);
  options.begin_end = false;
  options.fork_join = false;
  return options;
}

GenerateOptions with_forks_and_conditions(Random& random) {
  GenerateOptions options = only_locks(random);
  options.fork_join = true;
  options.conditions = 1;
  return options;
}

void print(const char* sort, const Comparisons& comparisons) {
  constexpr std::array<const char*, kTripletKindCount> kKinds = {"c r w", "w c r", "c r, no w"};
  for (std::size_t i = 0; i < kKinds.size(); ++i) {
    const Comparison& kind = comparisons[i];
    fmt::print("{:<22} {:<10} {:>10} {:>12} {:>8} {:>10} {:>10}\n", sort, kKinds[i], kind.both,
               kind.paper_only, kind.truth_only, kind.neither, kind.undecided);
  }
  std::fflush(stdout);
}

void run(const char* sort, GenerateOptions (*options)(Random&), std::uint64_t traces,
         std::uint64_t seed) {
  Comparisons result;
  Random random(seed);
  for (std::uint64_t i = 0; i < traces; ++i) {
    const GenerateOptions chosen = options(random);
    compare(generate_trace(chosen, random.next()), result);
  }
  print(sort, result);
}

std::uint64_t number_or(int argc, char** argv, int at, std::uint64_t otherwise) {
  return at < argc ? std::strtoull(argv[at], nullptr, 10) : otherwise;
}

int main(int argc, char** argv) {
  const std::uint64_t traces = number_or(argc, argv, 1, 2000);
  const std::uint64_t seed = number_or(argc, argv, 2, 1);
  if (traces == 0) {
    fmt::print(stderr, "modes: usage: modes [TRACES [SEED]]\n");
    return 64;
  }
  fmt::print("{} traces of each sort, seed {}; witnesses by what paper mode and the truth say\n",
             traces, seed);
  fmt::print("{:<22} {:<10} {:>10} {:>12} {:>8} {:>10} {:>10}\n", "traces", "witness", "both yes",
             "false alarm", "missed", "both no", "undecided");
  run("locks", only_locks, traces, seed);
  run("forks and conditions", with_forks_and_conditions, traces, seed);
  return 0;
}

}  // namespace
}  // namespace heddle::ndet

int main(int argc, char** argv) { return heddle::ndet::main(argc, argv); }
