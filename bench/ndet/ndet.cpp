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

// Processor time of all threads: on a busy machine it says more than the clock.
double processor_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
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

// What a run takes, by the clock and of the processors.
class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  double processor() const { return processor_seconds() - processor_start_; }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double processor_start_ = processor_seconds();
};

void print_columns(std::string_view who, const Profile& p) {
  fmt::print(
      "  {}  {:>9} witnesses: {:4.1f}% cyclic, {:4.1f}% no choice, {:4.1f}% choice ({:.3g} "
      "graphs, {:.2f} explored)",
      who, p.possible, percent(p.cyclic, p.possible), percent(p.no_choice, p.possible),
      percent(p.with_choice, p.possible), p.possible_graphs, p.explored_graphs);
}

void print_speed(std::uint64_t witnesses, const Stopwatch& watch, std::uint64_t undecided) {
  fmt::print("; {:.3f} s, {} /s (cpu {:.3f} s), {} undecided\n", watch.seconds(),
             per_second(witnesses, watch.seconds()), watch.processor(), undecided);
}

void run_paper_mode(const order::Facts& facts) {
  const Stopwatch watch;
  const predict::PaperResult r = predict::run_paper_mode(facts, {});
  Profile columns;
  columns.possible = r.possible;
  columns.cyclic = r.cyclic;
  columns.no_choice = r.no_choice;
  columns.with_choice = r.with_choice;
  columns.possible_graphs = r.graphs_possible_per_witness();
  columns.explored_graphs = r.graphs_explored_per_witness();
  print_columns("paper mode", columns);
  print_speed(r.possible, watch, r.undecided);
}

void run_exact_mode(const order::Facts& facts) {
  const Stopwatch watch;
  const predict::ReadSummary r =
      predict::Nondeterminism(facts, {.workers = 2}).ask_all([](const predict::ReadAnswer&) {});
  fmt::print(
      "  exact mode  {:>9} witnesses: {:4.1f}% of {} pairs can happen (settled by filters "
      "{:.2f}%, saturation {:.2f}%, search {:.2f}%)",
      3 * r.pairs, percent(r.yes, r.pairs), r.pairs, percent(r.by_filters, r.pairs),
      percent(r.by_saturation, r.pairs), percent(r.by_search, r.pairs));
  print_speed(3 * r.pairs, watch, r.undecided);
}

void run(const Profile& profile) {
  const Trace trace = make_trace(profile);
  fmt::print("{}: {}\n", profile.name, shape(trace));
  print_columns("published ", profile);
  fmt::print("; {:.3f} s, {} /s\n", profile.seconds, per_second(profile.possible, profile.seconds));
  const Stopwatch watch;
  const Derived derived(trace);
  const order::Facts facts(trace, derived);
  fmt::print("  prepared in {:.3f} s\n", watch.seconds());
  run_paper_mode(facts);
  run_exact_mode(facts);
  std::fflush(stdout);
}

int main(int count, char** words) {
  auto profiles = read_profiles(HEDDLE_NDET_PAPER);
  if (!profiles.ok()) {
    fmt::print(stderr, "ndet: {}\n", profiles.error().message);
    return 65;
  }
  const auto shapes = read_shapes(HEDDLE_NDET_SHAPES, *profiles);
  if (!shapes.ok()) {
    fmt::print(stderr, "ndet: {}\n", shapes.error().message);
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
