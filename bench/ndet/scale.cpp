// Races and deadlocks on long traces: how the time grows, and how much the cheap filters leave to
// the engine.
//
//   build/release/bench/ndet/scale [EVENTS|TRACE...]   1000000 and 10000000 unless others are given
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <vector>

#include <sys/resource.h>

#include "base/random.h"
#include "predict/deadlocks.h"
#include "predict/lockset_warnings.h"
#include "predict/prediction.h"
#include "predict/race_candidates.h"
#include "trace/open.h"

namespace heddle::ndet {
namespace {

// Processor time: everything here runs on one thread, and other work on the machine does not count.
class Stopwatch {
 public:
  double seconds() const { return static_cast<double>(std::clock() - start_) / CLOCKS_PER_SEC; }

 private:
  std::clock_t start_ = std::clock();
};

void print_pass(const char* name, const Stopwatch& watch, std::size_t events) {
  fmt::print("  {:<28} {:8.3f} s, {:10.0f} events/s\n", name, watch.seconds(),
             static_cast<double>(events) / watch.seconds());
}

// Eight threads that run at random. Most of what they do is sections of one of many locks with
// accesses of what it guards, or accesses of their own; now and then two locks are nested, always
// in the same order but in one place in a thousand, and now and then something guarded is accessed
// without its lock.
class LongRun {
 public:
  explicit LongRun(std::size_t events)
      : events_(events),
        locks_(64),
        guarded_(static_cast<std::uint32_t>(events / 400) + 64),
        queues_(kThreads) {
    Tables& tables = trace_.tables;
    const auto name = [&](std::string_view prefix, std::uint32_t i) {
      return tables.strings.intern(fmt::format("{}{}", prefix, i));
    };
    for (std::uint32_t i = 0; i < kThreads; ++i) tables.threads.add({name("T", i)});
    for (std::uint32_t i = 0; i < locks_; ++i) tables.locks.add({name("L", i)});
    const std::uint32_t own = kThreads * 16;
    for (std::uint32_t i = 0; i < guarded_ + own; ++i) tables.locations.add({name("x", i)});
    const StringId file = tables.strings.intern("program.cpp");
    for (std::uint32_t i = 0; i < 60; ++i) tables.sites.add({.file = file, .line = 10 + i});
    holder_.assign(locks_, kThreads);
  }

  Trace run() {
    trace_.reserve(events_);
    while (trace_.size() < events_) step(random_.below(kThreads));
    trace_.shrink();
    return std::move(trace_);
  }

 private:
  static constexpr std::uint32_t kThreads = 8;

  struct Step {
    EventKind kind;
    std::uint32_t object;
    std::uint32_t site;
  };

  void step(std::uint32_t thread) {
    std::deque<Step>& queue = queues_[thread];
    if (queue.empty()) plan(thread, queue);
    for (int i = 0; i < 5 && !queue.empty(); ++i) {
      const Step next = queue.front();
      if (next.kind == EventKind::acquire) {
        if (holder_[next.object] != kThreads) return;
        holder_[next.object] = thread;
      }
      if (next.kind == EventKind::release) holder_[next.object] = kThreads;
      EventRecord record;
      record.kind = next.kind;
      record.thread = ThreadId(thread);
      record.object = next.object;
      record.site = SiteId(next.site);
      trace_.append(record);
      queue.pop_front();
    }
  }

  void plan(std::uint32_t thread, std::deque<Step>& queue) {
    const std::uint32_t draw = random_.below(100'000);
    if (draw < 30'000) {
      const std::uint32_t own = guarded_ + thread * 16 + random_.below(16);
      queue.push_back({random_.chance(50) ? EventKind::read : EventKind::write, own, 1});
    } else if (draw < 30'005) {
      queue.push_back({EventKind::write, random_.below(guarded_), 2 + random_.below(4)});
    } else if (draw < 40'000) {
      // Inverted once in a thousand; a gate of the other lock order never lets them hang here.
      const std::uint32_t low = random_.below(locks_ - 1);
      const bool inverted = draw < 30'015;
      if (inverted && holder_[low] != kThreads) return;
      if (inverted && holder_[low + 1] != kThreads) return;
      nest(queue, inverted ? low + 1 : low, inverted ? low : low + 1, inverted ? 40 : 30);
    } else {
      const std::uint32_t lock = random_.below(locks_);
      queue.push_back({EventKind::acquire, lock, 10});
      use(queue, lock, 11);
      queue.push_back({EventKind::release, lock, 15});
    }
  }

  void use(std::deque<Step>& queue, std::uint32_t lock, std::uint32_t site) {
    const std::uint32_t count = guarded_ / locks_;
    for (std::uint32_t i = 0; i < 3; ++i) {
      const std::uint32_t variable = lock + locks_ * random_.below(count);
      queue.push_back({EventKind::read, variable, site});
      queue.push_back({EventKind::write, variable, site + 1});
    }
  }

  void nest(std::deque<Step>& queue, std::uint32_t outer, std::uint32_t inner, std::uint32_t site) {
    queue.push_back({EventKind::acquire, outer, site});
    queue.push_back({EventKind::acquire, inner, site + 1});
    use(queue, inner, site + 2);
    queue.push_back({EventKind::release, inner, site + 4});
    queue.push_back({EventKind::release, outer, site + 5});
  }

  std::size_t events_;
  std::uint32_t locks_;
  std::uint32_t guarded_;
  Random random_{1};
  std::vector<std::deque<Step>> queues_;
  std::vector<std::uint32_t> holder_;
  Trace trace_;
};

void run(const Trace& trace) {
  fmt::print("{} events of {} threads\n", trace.size(), trace.tables.threads.size());
  const Stopwatch whole;
  Stopwatch watch;
  const Derived derived(trace);
  print_pass("derived arrays and clocks", watch, trace.size());
  watch = {};
  const order::Facts facts(trace, derived);
  print_pass("what must precede what", watch, trace.size());
  watch = {};
  const auto warnings = predict::lockset_warnings(facts);
  print_pass("lockset", watch, trace.size());
  watch = {};
  const predict::Places places(facts);
  const auto candidates = predict::find_race_candidates(facts, places, 1'000, 500);
  print_pass("race candidates", watch, trace.size());
  fmt::print(
      "  {} conflicts, {} kept apart by a lock, {} by fork and join, {} to ask, {} left out; {} "
      "lockset warnings\n",
      candidates.conflicts, candidates.guarded, candidates.joined, candidates.pairs.size(),
      candidates.left_out, warnings.size());
  std::fflush(stdout);
  predict::PredictOptions options;
  options.atomicity = options.nondeterminism = options.deadlocks = false;
  watch = {};
  const predict::RaceCounters races = predict::predict(facts, options).races;
  const double race_seconds = watch.seconds();
  fmt::print(
      "  races      {} at {} pairs of places; {} examined, {} refused by what they need, {} by the "
      "engine, {} undecided; {:.3f} s\n",
      races.pairs, races.sites, races.examined, races.by_needs, races.by_engine, races.undecided,
      race_seconds);
  options.races = false;
  options.deadlocks = true;
  watch = {};
  const predict::PatternCounters deadlocks = predict::predict(facts, options).deadlocks;
  fmt::print("  deadlocks  {} of {} candidates, {} left out, {} undecided; {:.3f} s\n",
             deadlocks.patterns, deadlocks.candidates, deadlocks.left_out, deadlocks.undecided,
             watch.seconds());
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  fmt::print("  in all {:.3f} s of processor time; peak memory {} MB\n", whole.seconds(),
             usage.ru_maxrss / 1024);
  std::fflush(stdout);
}

void run(std::size_t events) { run(LongRun(events).run()); }

void run_file(const std::string& path) {
  const auto source = open_trace(path);
  if (!source.ok()) {
    fmt::print(stderr, "{}\n", source.error().message);
    return;
  }
  const auto trace = collect(**source);
  if (trace.ok()) return run(*trace);
  fmt::print(stderr, "{}\n", trace.error().message);
}

}  // namespace
}  // namespace heddle::ndet

int main(int count, char** words) {
  if (count < 2) {
    heddle::ndet::run(1'000'000);
    heddle::ndet::run(10'000'000);
  }
  for (int i = 1; i < count; ++i) {
    char* end = nullptr;
    const std::size_t events = std::strtoull(words[i], &end, 10);
    *end == 0 ? heddle::ndet::run(events) : heddle::ndet::run_file(words[i]);
  }
}
