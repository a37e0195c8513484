// Table A1 of the NDET paper, with traces of the same shape: the paper's columns and time, ours in
// paper mode and in exact mode, and witnesses per second.
//
//   build/release/bench/ndet/ndet [NAME...]       all rows, or those whose names begin so
#include <algorithm>
#include <chrono>
#include <cstdio>

#include <sys/resource.h>

#include "bench/ndet/profile.h"
#include "predict/nondeterminism.h"
#include "predict/paper.h"
#include "trace/counts.h"
#include "trace/open.h"

namespace heddle::ndet {
namespace {

std::string per_second(std::uint64_t count, double seconds) {
  return fmt::format("{:.0f}", static_cast<double>(count) / std::max(seconds, 1e-9));
}

double percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

TraceCounts count(const Trace& trace) {
  TraceCounts counts;
  for (EventId e : trace.events()) counts.add(trace.record(e));
  return counts;
}

std::string shape(const Trace& trace) {
  const TraceCounts counts = count(trace);
  return fmt::format(
      "{} threads, {} events, {} lock events on {} locks, {} accesses of {} "
      "variables, {} wait/notify",
      counts.threads(), counts.events(), counts.lock_events(), counts.locks(), counts.accesses(),
      counts.variables(), counts.wait_notify_events());
}

void run(const Profile& profile) {
  const Trace trace = make_trace(profile);
  fmt::print("{}: {}\n", profile.name, shape(trace));
  fmt::print(
      "  paper  {:>9} witnesses, {:4.1f}% cyclic, {:4.1f}% no choice, {:4.1f}% choice, "
      "{:6.2f} graphs, {:4.2f} explored, {:9.3f} s, {:>9} /s\n",
      profile.possible, percent(profile.cyclic, profile.possible),
      percent(profile.no_choice, profile.possible), percent(profile.with_choice, profile.possible),
      profile.possible_graphs, profile.explored_graphs, profile.seconds,
      per_second(profile.possible, profile.seconds));
  const auto start = std::chrono::steady_clock::now();
  const Derived derived(trace);
  const order::Facts facts(trace, derived);
  const double prepared =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const predict::PaperResult paper = predict::run_paper_mode(facts, {});
  const double paper_seconds = prepared + paper.seconds;
  fmt::print(
      "  ours   {:>9} witnesses, {:4.1f}% cyclic, {:4.1f}% no choice, {:4.1f}% choice, "
      "{:6.2f} graphs, {:4.2f} explored, {:9.3f} s, {:>9} /s, {} undecided\n",
      paper.possible, percent(paper.cyclic, paper.possible),
      percent(paper.no_choice, paper.possible), percent(paper.with_choice, paper.possible),
      paper.graphs_possible_per_witness(), paper.graphs_explored_per_witness(), paper_seconds,
      per_second(paper.possible, paper_seconds), paper.undecided);
  const auto exact_start = std::chrono::steady_clock::now();
  const predict::ReadSummary exact =
      predict::Nondeterminism(facts, {.workers = 2}).ask_all([](const predict::ReadAnswer&) {});
  const double exact_seconds =
      prepared +
      std::chrono::duration<double>(std::chrono::steady_clock::now() - exact_start).count();
  fmt::print(
      "  exact  {:>9} pairs,     {:4.1f}% can happen, {} undecided; by filters {:4.1f}%, by "
      "saturation {:4.1f}%, by search {:4.1f}%; {:9.3f} s, {:>9} /s\n",
      exact.pairs, percent(exact.yes, exact.pairs), exact.undecided,
      percent(exact.by_filters, exact.pairs), percent(exact.by_saturation, exact.pairs),
      percent(exact.by_search, exact.pairs), exact_seconds,
      per_second(3 * exact.pairs, exact_seconds));
}

int main(int count, char** words) {
  const auto profiles = read_profiles(HEDDLE_NDET_PAPER);
  if (!profiles.ok()) {
    fmt::print(stderr, "ndet: {}\n", profiles.error().message);
    return 65;
  }
  for (const Profile& profile : *profiles) {
    const bool wanted = count < 2 || std::any_of(words + 1, words + count, [&](const char* word) {
                          return profile.name.starts_with(word);
                        });
    if (wanted) run(profile);
  }
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  fmt::print("peak memory {} MB\n", usage.ru_maxrss / 1024);
  return 0;
}

}  // namespace
}  // namespace heddle::ndet

int main(int count, char** words) { return heddle::ndet::main(count, words); }
