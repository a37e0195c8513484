// From a program to proven findings.
//
// The program is recorded a few times with different seeds, first at random, then with PCT,
// which is better at orders that need a thread to be late. A run that ends badly is a finding
// itself. From the others it is predicted what else they could have done. Every finding is
// then replayed on the program, and only what happens there counts. Findings at the same
// places are one; of races, those that follow from another one (never next to each other) are
// left out where there is one that does not.
//
// Where nothing was found, all interleavings are searched, up to a number of them, if the program
// can be run so often: if it touches nothing outside. If there are more, the search goes where it
// pays most: behind accesses to one variable that no lock has in common (src/hybrid).
//
// The same program and seed give the same result, unless the time is up first.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "finding/suppressions.h"
#include "predict/prediction.h"
#include "record/search.h"
#include "report/reported.h"

namespace heddle {

struct CheckOptions {
  std::vector<std::string> command;
  std::uint64_t seed = 1;
  std::uint64_t runs = 40;
  std::uint64_t executions = 20'000;  // of the search
  double seconds = 60;
  std::uint64_t most_events = 1'000'000;  // of one run; a longer one is ended there
  predict::PredictOptions predict = {};
  // Variables and functions whose reads have to see the same in every interleaving; * is all.
  std::vector<std::string> deterministic = {};
  std::vector<std::string> known = {};  // numbers of findings that are not news
  std::string folder = "heddle-out";    // for the files of findings
  std::string found_by = "check";       // the subcommand
  // Says what is going on, for a progress line.
  std::function<void(const std::string&)> progress = [](const std::string&) {};
};

struct CheckResult {
  std::vector<Reported> findings;  // those that count first, the worst first
  std::uint64_t runs = 0;
  std::uint64_t predicted_runs = 0;
  std::map<std::string, std::uint64_t> endings;  // "exit status 0": 12
  std::uint64_t most_threads = 0;                // in a run
  std::uint64_t events = 0;                      // of all runs
  std::uint64_t undecided = 0;                   // questions
  std::uint64_t suppressed = 0;
  std::uint64_t known = 0;
  std::uint64_t information = 0;  // findings that do not count and are not listed
  bool out_of_time = false;
  std::uint64_t searched = 0;     // interleavings that a systematic search has run
  bool searched_all = false;      // there are no more
  std::string not_searched = {};  // why there was no search; empty: there was
  std::uint64_t hunted = 0;       // pairs of places without a common lock behind which was searched
  std::uint64_t hunted_to_the_end = 0;
  std::vector<std::string> not_seen;
  std::string source_folder;  // file names are relative to it

  bool anything_found() const;
};

// A race that a search has found, between these two sites, as `check_program` reports its own:
// replayed, made short, with the steps that matter. Nothing if prediction does not see it in the
// witness's run. No file is written.
Result<std::optional<Reported>> report_race(const CheckOptions& options,
                                            const SearchWitness& witness,
                                            const std::vector<std::string>& sites);

Result<CheckResult> check_program(const CheckOptions& options, Suppressions& suppressions);

}  // namespace heddle
