#include "predict/prediction.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include "finding/event_words.h"
#include "predict/atomicity.h"
#include "predict/deadlocks.h"
#include "predict/lockset_warnings.h"
#include "predict/nondeterminism.h"
#include "predict/race_candidates.h"
#include "predict/races.h"

namespace heddle::predict {
namespace {

// So many pairs of accesses are asked one and all; in long traces, where a question takes longer,
// fewer.
constexpr std::uint64_t kAllPairsUpTo = 20'000;
constexpr std::uint64_t kAllPairsOfLongUpTo = 1'000;
constexpr std::size_t kLongTrace = 200'000;
constexpr std::uint64_t kPairsPerPlaces = 500;
constexpr std::uint64_t kRemotesPerPlaces = 50;
constexpr std::uint64_t kRequestsPerRing = 20;

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Findings of one kind, one per set of places.
class Groups {
 public:
  Groups(const Facts& facts, const Places& places, Kind kind, bool all)
      : facts_(facts), places_(places), kind_(kind), all_(all) {}

  // The group that these events belong to, and whether it is new.
  std::pair<PredictedFinding*, bool> add(std::vector<EventId> events, bool keep_order = false) {
    const auto [known, is_new] = index_.try_emplace(key_of(events, keep_order), findings_.size());
    if (is_new) {
      PredictedFinding finding;
      finding.kind = kind_;
      finding.events = std::move(events);
      findings_.push_back(std::move(finding));
    } else {
      ++findings_[known->second].count;
    }
    return {&findings_[known->second], is_new};
  }

  bool knows(const std::vector<EventId>& events) const {
    return index_.contains(key_of(events, false));
  }

  std::vector<PredictedFinding>& findings() { return findings_; }
  std::size_t size() const { return findings_.size(); }

 private:
  std::vector<std::uint64_t> key_of(const std::vector<EventId>& events, bool keep_order) const {
    std::vector<std::uint64_t> key;
    for (EventId e : events) key.push_back(key_of(e));
    if (!keep_order) std::sort(key.begin(), key.end());
    return key;
  }

  // With --all every event is a place of its own.
  std::uint64_t key_of(EventId e) const {
    constexpr std::uint64_t kInitial = ~std::uint64_t{0};
    constexpr std::uint64_t kFinal = std::uint64_t{1} << 62;
    if (e == kInitialWrite) return kInitial;
    if (facts_.trace().is_final_read(e)) return kFinal + e.value();
    return all_ ? e.value() : places_.of(e).value();
  }

  const Facts& facts_;
  const Places& places_;
  Kind kind_;
  bool all_;
  std::map<std::vector<std::uint64_t>, std::size_t> index_;
  std::vector<PredictedFinding> findings_;
};

class Predictor {
 public:
  Predictor(const Facts& facts, PredictOptions options)
      : facts_(facts), options_(std::move(options)), places_(facts) {}

  Prediction run() {
    if (options_.deadlocks) find_deadlocks();
    if (options_.races) find_races();
    if (options_.atomicity) find_broken_scopes();
    if (options_.nondeterminism) find_reads();
    for (PredictedFinding& finding : result_.findings) describe(finding);
    return std::move(result_);
  }

 private:
  void find_deadlocks() {
    const Stopwatch watch;
    Groups groups(facts_, places_, Kind::deadlock, options_.all);
    PatternCounters& counters = result_.deadlocks;
    counters.asked = true;
    DeadlockOptions options{options_.budget, options_.all ? 0 : kRequestsPerRing};
    options.needs_sequence = [&](const auto& waiting) { return !groups.knows(waiting); };
    const DeadlockCounters asked = Deadlocks(facts_, options).ask_all([&](DeadlockAnswer answer) {
      if (answer.shown.answer == Answer::undecided) ++counters.undecided;
      if (answer.shown.answer != Answer::yes) return;
      ++counters.patterns;
      const auto [finding, is_new] = groups.add(answer.waiting);
      if (is_new) finding->shown = std::move(answer.shown);
    });
    counters.candidates = asked.asked + asked.left_out;
    counters.left_out = asked.left_out;
    counters.sites = groups.size();
    counters.seconds = watch.seconds();
    take(groups);
  }

  void find_races() {
    const Stopwatch watch;
    RaceCounters& counters = result_.races;
    counters.asked = true;
    counters.lockset_warnings = lockset_warnings(facts_).size();
    const RaceCandidates candidates =
        find_race_candidates(facts_, places_, all_pairs_up_to(), kPairsPerPlaces);
    counters.candidates = candidates.conflicts;
    counters.guarded = candidates.guarded;
    counters.joined = candidates.joined;
    counters.left_out = candidates.left_out;
    Groups groups(facts_, places_, Kind::race, options_.all);
    ask_races(candidates, groups);
    counters.sites = groups.size();
    counters.seconds = watch.seconds();
    std::stable_partition(groups.findings().begin(), groups.findings().end(),
                          [](const PredictedFinding& finding) { return finding.adjacent; });
    take(groups);
  }

  std::uint64_t all_pairs_up_to() const {
    if (options_.all) return ~std::uint64_t{0};
    return facts_.trace().size() > kLongTrace ? kAllPairsOfLongUpTo : kAllPairsUpTo;
  }

  // Where not all pairs are asked, one race is enough for a pair of places.
  void ask_races(const RaceCandidates& candidates, Groups& groups) {
    RaceCounters& counters = result_.races;
    Races races(facts_, options_.budget);
    absl::flat_hash_set<std::pair<std::uint32_t, std::uint32_t>> settled;
    for (const RaceCandidate& candidate : candidates.pairs) {
      const auto [low, high] = std::minmax(candidate.first_place, candidate.second_place);
      const std::pair key(low.value(), high.value());
      if (candidates.left_out > 0 && settled.contains(key)) {
        ++counters.left_out;
        continue;
      }
      if (ask_race(races, candidate, groups)) settled.insert(key);
    }
    const Asker::Counters& asked = races.counters();
    counters.by_needs = asked.needs;
    counters.by_engine = asked.saturation + asked.search + asked.undecided;
  }

  bool ask_race(Races& races, const RaceCandidate& candidate, Groups& groups) {
    RaceCounters& counters = result_.races;
    const EventPair pair = candidate.pair;
    ++counters.examined;
    if (facts_.derived().happens_before.unordered(pair.first, pair.second)) {
      ++counters.happens_before_pairs;
    }
    races.keep_sequences(false);
    const Shown adjacent = races.ask_adjacent(pair);
    const bool is_adjacent = adjacent.answer == Answer::yes;
    const Answer answer = is_adjacent ? Answer::yes : races.ask_unordered(pair, adjacent).answer;
    if (answer != Answer::yes) {
      const bool open = answer == Answer::undecided || adjacent.answer == Answer::undecided;
      counters.undecided += open ? 1 : 0;
      return false;
    }
    ++counters.pairs;
    counters.adjacent += is_adjacent ? 1 : 0;
    const auto [finding, is_new] = groups.add({pair.first, pair.second});
    if (is_new || (is_adjacent && !finding->adjacent)) {
      finding->events = {pair.first, pair.second};
      finding->adjacent = is_adjacent;
      races.keep_sequences(true);
      finding->shown = is_adjacent ? races.ask_adjacent(pair) : races.ask_unordered(pair, {});
    }
    return true;
  }

  void find_broken_scopes() {
    const Stopwatch watch;
    result_.atomicity.asked = true;
    Groups groups(facts_, places_, Kind::atomicity, options_.all);
    for (const std::string& function : options_.atomic_functions) {
      ask_scopes(calls_of(facts_, function), groups, true);
    }
    ask_scopes(locked_scopes(facts_), groups, false);
    result_.atomicity.sites = groups.size();
    result_.atomicity.seconds = watch.seconds();
    take(groups);
  }

  void ask_scopes(const std::vector<AtomicScope>& scopes, Groups& groups, bool requested) {
    PatternCounters& counters = result_.atomicity;
    const AtomicityOptions options{options_.budget, !options_.all,
                                   options_.all ? 0 : kRemotesPerPlaces};
    const AtomicityCounters asked =
        Atomicity(facts_, options).ask_all(scopes, [&](AtomicityAnswer answer) {
          if (answer.shown.answer == Answer::undecided) ++counters.undecided;
          if (answer.shown.answer != Answer::yes) return;
          ++counters.patterns;
          const auto [finding, is_new] =
              groups.add({answer.scope.first, answer.scope.remote, answer.scope.second}, true);
          if (is_new) finding->shown = std::move(answer.shown);
          finding->requested = finding->requested || requested;
        });
    counters.candidates += asked.candidates;
    counters.left_out += asked.left_out;
  }

  void find_reads() {
    const Stopwatch watch;
    ReadCounters& counters = result_.nondeterminism;
    const Nondeterminism analysis(facts_,
                                  {options_.final_reads, options_.budget, options_.workers});
    counters.pairs = analysis.question_count();
    counters.possible = 3 * counters.pairs;
    if (options_.most_reads != 0 && counters.pairs > options_.most_reads) return;
    counters.asked = true;
    Groups groups(facts_, places_, Kind::nondeterminism, options_.all);
    absl::flat_hash_set<EventId> reads;
    const ReadSummary summary = analysis.ask_all([&](const ReadAnswer& answer) {
      if (answer.answer != Answer::yes) return;
      reads.insert(answer.read);
      groups.add({answer.read, answer.write}, true);
    });
    counters.pairs = summary.pairs;
    counters.possible = 3 * summary.pairs;
    counters.feasible = summary.yes;
    counters.infeasible = summary.no;
    counters.undecided = summary.undecided;
    counters.reads = reads.size();
    counters.seconds = watch.seconds();
    take(groups);
  }

  void take(Groups& groups) {
    std::move(groups.findings().begin(), groups.findings().end(),
              std::back_inserter(result_.findings));
  }

  void describe(PredictedFinding& finding) {
    for (EventId e : finding.events) finding.sites.push_back(place_name(facts_, e));
    finding.what = words_for(finding);
  }

  std::string object_name(EventId e) const {
    const Trace& trace = facts_.trace();
    if (e == kInitialWrite) return {};
    if (trace.is_final_read(e)) {
      return trace.tables.describe(ObjectType::location, trace.location_of_final_read(e).value());
    }
    return trace.tables.describe(object_type(trace.kind(e)), trace.object(e));
  }

  std::string words_for(const PredictedFinding& finding) const {
    const Trace& trace = facts_.trace();
    const auto& e = finding.events;
    const auto& at = finding.sites;
    switch (finding.kind) {
      case Kind::race:
        return fmt::format("{} of {} at {} and {} at {}{}", heddle::name_of(trace.kind(e[0])),
                           object_name(e[0]), at[0], heddle::name_of(trace.kind(e[1])), at[1],
                           finding.adjacent ? "" : ", unordered but never next to each other");
      case Kind::deadlock: {
        std::string text;
        for (std::size_t i = 0; i < e.size(); ++i) {
          text += fmt::format("{}{} waits for {} at {}", i == 0 ? "" : ", ",
                              trace.tables.describe(trace.thread(e[i])), object_name(e[i]), at[i]);
        }
        return text;
      }
      case Kind::atomicity:
        return fmt::format("{} of {} at {} between {} at {} and {} at {}",
                           heddle::name_of(trace.kind(e[1])), object_name(e[1]), at[1],
                           heddle::name_of(trace.kind(e[0])), at[0],
                           heddle::name_of(trace.kind(e[2])), at[2]);
      case Kind::nondeterminism:
        return fmt::format("read of {} at {} can see the {}", object_name(e[0]), at[0],
                           e[1] == kInitialWrite ? "initial value" : "write at " + at[1]);
    }
    return {};
  }

  const Facts& facts_;
  PredictOptions options_;
  Places places_;
  Prediction result_;
};

}  // namespace

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::deadlock: return "deadlock";
    case Kind::race: return "race";
    case Kind::atomicity: return "atomicity";
    case Kind::nondeterminism: return "nondeterminism";
  }
  return {};
}

std::string place_name(const Facts& facts, EventId e) {
  const Trace& trace = facts.trace();
  if (e == kInitialWrite) return "start";
  if (trace.is_final_read(e)) return "end";
  return place_in_words(trace.tables, trace.site(e));
}

Prediction predict(const Facts& facts, const PredictOptions& options) {
  return Predictor(facts, options).run();
}

void show(const Facts& facts, const PredictOptions& options, PredictedFinding& finding) {
  if (finding.shown.answer == Answer::yes) return;
  if (finding.kind == Kind::nondeterminism) {
    const Nondeterminism analysis(facts, {options.final_reads, options.budget});
    finding.shown = analysis.show(finding.events[0], finding.events[1]);
  }
}

}  // namespace heddle::predict
