#include "hybrid/program_hunt.h"

#include <algorithm>
#include <chrono>
#include <compare>
#include <deque>
#include <map>
#include <set>
#include <tuple>

#include <sys/resource.h>

#include "hybrid/questions.h"
#include "hybrid/trace_run.h"
#include "trace/open.h"

namespace heddle::hybrid {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kLeastSeconds = 0.01;  // of a search, since 0 is no limit

// A search of the engine: an algorithm, or a bound on preemptions.
struct Level {
  std::string_view strategy;
  std::uint32_t max_preemptions = 0;
  std::uint64_t executions = 0;  // at most
};

std::vector<Level> levels_of(const HuntOptions& options) {
  const Level all{.strategy = "odpor", .executions = options.max_executions};
  if (!options.hint) return {all};
  const std::uint64_t share = options.max_executions / 8 + 1;
  return {{"preemptions", 0, share}, {"preemptions", 1, share}, {"preemptions", 2, share}, all};
}

std::uint64_t peak_bytes_of_children() {
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

// The state behind the first so many steps of a run, with a thread paused or held back there.
struct SearchedState {
  std::size_t run;
  std::size_t steps;
  ThreadId paused;
  bool leaves_out_paused;

  friend auto operator<=>(const SearchedState&, const SearchedState&) = default;
};

class ProgramHunt {
 public:
  explicit ProgramHunt(const ProgramHuntOptions& options) : options_(options) {}

  Result<ProgramHuntReport> run() {
    for (std::uint32_t i = 0; i < options_.hunt.runs && seconds_left() > 0; ++i) {
      TRY_VOID(observe(i));
    }
    for (const Question& question : questions_of(facts_, options_.hunt.all_partners)) {
      const std::size_t number = report_of(question.sites, name_of_location(question));
      if (report(number).verdict == Verdict::witness) continue;
      TRY_VOID(answer(question, number));
    }
    return std::move(result_);
  }

 private:
  WarningReport& report(std::size_t number) { return result_.report.warnings[number]; }
  std::string name_of_location(const Question& question) const {
    return runs_[question.run].names[question.location];
  }

  double seconds_left() const {
    return std::chrono::duration<double>(options_.until - Clock::now()).count();
  }
  // For a search about a warning that was begun then; 0: as long as it takes.
  double seconds_of_search(Clock::time_point start) const {
    const std::chrono::duration<double> passed = Clock::now() - start;
    const double limit = options_.hunt.seconds > 0
                             ? std::max(options_.hunt.seconds - passed.count(), kLeastSeconds)
                             : 0;
    if (options_.until == Clock::time_point::max()) return limit;
    const double left = std::max(seconds_left(), kLeastSeconds);
    return limit > 0 ? std::min(limit, left) : left;
  }

  // ----- runs --------------------------------------------------------------------------------

  Result<void> observe(std::uint32_t number) {
    SearchOptions search{.launch = {.command = options_.command}, .settings = settings()};
    const std::string_view strategy = number == 0 ? "preemptions" : "random";
    strategy.copy(search.settings.strategy, sizeof search.settings.strategy - 1);
    search.settings.executions = 1;
    search.settings.max_executions = 1;
    search.settings.seed = options_.hunt.seed + number;
    search.settings.tells_steps = 1;
    search.settings.keep_going = 1;
    TRY(const SearchResult found, run_search_checked(search));
    TRY(const Trace trace, trace_of(found.ran));
    steps_.push_back(found.ran);
    runs_.push_back(run_of_trace(trace));
    facts_.emplace_back(runs_.back().run);
    result_.report.run_events += trace.size();
    return note_races(found, std::nullopt);
  }

  wire::SearchSettings settings() const {
    wire::SearchSettings settings;
    settings.max_steps = options_.hunt.max_steps;
    return settings;
  }

  static Result<SearchResult> run_search_checked(const SearchOptions& search) {
    TRY(SearchResult found, run_search(search));
    if (found.divergence.empty()) return found;
    return make_error(
        "the program does not do the same again, so it cannot be hunted in (step {}); does it "
        "depend on time, addresses or input?",
        found.divergence.substr(0, found.divergence.find('\t')));
  }

  Result<Trace> trace_of(const std::vector<SearchStep>& steps) const {
    TRY(const RecordedRun recorded, record_steps(options_.command, steps, options_.trace_path));
    static_cast<void>(recorded);
    TRY(const auto source, open_trace(options_.trace_path));
    return collect(*source);
  }

  // ----- questions ---------------------------------------------------------------------------

  std::size_t report_of(const std::vector<std::string>& sites, const std::string& location) {
    const auto [place, is_new] =
        numbers_.emplace(site_pair(sites.front(), sites.back()), result_.report.warnings.size());
    if (is_new) {
      result_.report.warnings.push_back({.location = location, .sites = sites});
      result_.witnesses.emplace_back();
    }
    return place->second;
  }

  Result<void> answer(const Question& question, std::size_t number) {
    if (question.candidates.empty()) return {};
    const auto start = Clock::now();
    bool all_complete = question.left_out == 0;
    for (const Candidate& candidate : question.candidates) {
      TRY(const bool complete, attempt(candidate, number, start));
      all_complete = all_complete && complete;
      if (is_answered(number) || is_used_up(number, start)) break;
    }
    WarningReport& warning = report(number);
    if (warning.verdict != Verdict::witness) {
      warning.verdict = all_complete ? Verdict::spurious : Verdict::open;
      if (all_complete) warning.why.clear();
      if (!all_complete && warning.why.empty()) {
        warning.why = "the budget was used up, or a search was bounded";
      }
    }
    warning.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    warning.peak_bytes = peak_bytes_of_children();
    return {};
  }

  bool is_answered(std::size_t number) { return report(number).verdict == Verdict::witness; }
  bool is_used_up(std::size_t number, Clock::time_point start) {
    if (report(number).executions >= options_.hunt.max_executions) return true;
    const std::chrono::duration<double> passed = Clock::now() - start;
    if (options_.hunt.seconds > 0 && passed.count() >= options_.hunt.seconds) return true;
    return seconds_left() <= 0;
  }

  // From where to search.
  struct Start {
    const Candidate& candidate;
    std::vector<SearchStep> prefix;
    bool leaves_out_paused;
    bool complete = false;  // everything behind it was searched
  };

  // Whether everything behind the first access of the pair was searched. Where its thread holds
  // locks that the other one has to pass, it is paused too late; so it is also held back where
  // it has none of them, and goes on when it likes.
  Result<bool> attempt(const Candidate& candidate, std::size_t number, Clock::time_point start) {
    TRY(std::vector<SearchStep> prefix, prefix_of(candidate.run, candidate.pair.first));
    ++report(number).pairs;
    report(number).why.clear();
    report(number).prefix_events = prefix.size();
    const bool with_paused = options_.hunt.with_paused;
    if (with_paused && !prefix.empty()) prefix.pop_back();
    std::vector<Start> starts = {{candidate, std::move(prefix), !with_paused}};
    const std::size_t outside = facts_[candidate.run].outermost_acquire(candidate.pair.first);
    if (outside != candidate.pair.first && !with_paused) {
      TRY(prefix, prefix_of(candidate.run, outside));
      if (!prefix.empty()) prefix.pop_back();
      starts.push_back({candidate, std::move(prefix), false});
    }
    return search_all(starts, number, start);
  }

  // What few preemptions show from all of them, before more are searched from one.
  Result<bool> search_all(std::vector<Start>& starts, std::size_t number, Clock::time_point start) {
    for (const Level& level : levels_of(options_.hunt)) {
      for (Start& from : starts) {
        if (from.complete) continue;
        TRY(from.complete, search_once(from, level, number, start));
        if (is_answered(number)) return true;
        if (!report(number).why.empty()) return false;  // deeper searches would end there, too
      }
    }
    return std::all_of(starts.begin(), starts.end(),
                       [](const Start& from) { return from.complete; });
  }

  ThreadId paused_thread(const Candidate& candidate) const {
    return runs_[candidate.run].run.events[candidate.pair.first].thread();
  }
  ThreadId other_thread(const Candidate& candidate) const {
    return runs_[candidate.run].run.events[candidate.pair.second].thread();
  }

  // A search hears of all races of the paused thread, so the next question from the same state has
  // its answer already: whichever thread went ahead, if everything was searched.
  Result<bool> search_once(const Start& from, const Level& level, std::size_t number,
                           Clock::time_point start) {
    const Candidate& candidate = from.candidate;
    const SearchedState state{candidate.run, from.prefix.size(), paused_thread(candidate),
                              from.leaves_out_paused};
    if (searched_to_the_end_.contains(state)) return true;
    const std::tuple ahead(state, other_thread(candidate), level.strategy, level.max_preemptions);
    const auto known = cut_short_.find(ahead);
    if (known != cut_short_.end()) {
      report(number).why = known->second;
      return false;
    }
    if (is_used_up(number, start)) return false;
    TRY(const bool complete, search_level(from, level, number, start));
    if (complete && !is_answered(number)) searched_to_the_end_.insert(state);
    if (!complete) cut_short_.emplace(ahead, report(number).why);
    return complete;
  }

  Result<bool> search_level(const Start& from, const Level& level, std::size_t number,
                            Clock::time_point start) {
    TRY(const SearchResult found, search(from, level, start));
    const bool at_race = found.end == "found";
    report(number).executions +=
        counter(found, "traces") + counter(found, "blocked") + (at_race ? 1 : 0);
    TRY_VOID(note_races(found, number));
    if (is_answered(number)) return true;
    if (at_race) report(number).why = "another race of the held thread comes first";
    return found.end == "finished" && counter(found, "cut") == 0 && counter(found, "refused") == 0;
  }

  static std::uint64_t counter(const SearchResult& result, const std::string& name) {
    const auto found = result.counters.find(name);
    return found != result.counters.end() ? found->second : 0;
  }

  // ----- the prefix --------------------------------------------------------------------------

  // The shortest beginning of the run in which the event happens.
  Result<std::vector<SearchStep>> prefix_of(std::size_t run, std::size_t event) {
    const std::vector<SearchStep>& all = steps_[run];
    std::size_t low = 0, high = all.size();
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      TRY(const bool happens, happens_within(run, event, beginning_of(all, middle)));
      happens ? high = middle : low = middle + 1;
    }
    return beginning_of(all, high);
  }

  static std::vector<SearchStep> beginning_of(const std::vector<SearchStep>& steps,
                                              std::size_t count) {
    return {steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(count)};
  }

  // Beginnings of the run have the same events as the run itself.
  Result<bool> happens_within(std::size_t run, std::size_t event,
                              const std::vector<SearchStep>& steps) {
    TRY(const Trace trace, trace_of(steps));
    const EventId same(static_cast<std::uint32_t>(event));
    const RunEvent& known = runs_[run].run.events[event];
    return event < trace.size() && trace.thread(same) == known.thread() &&
           trace.kind(same) == known.accesses.front().kind;
  }

  // ----- the search --------------------------------------------------------------------------

  Result<SearchResult> search(const Start& from, const Level& level,
                              Clock::time_point start) const {
    const Candidate& candidate = from.candidate;
    SearchOptions search{
        .launch = {.command = options_.command}, .settings = settings(), .schedule = from.prefix};
    level.strategy.copy(search.settings.strategy, sizeof search.settings.strategy - 1);
    search.settings.max_preemptions = level.max_preemptions;
    search.settings.max_executions = level.executions;
    search.settings.seconds = seconds_of_search(start);
    search.settings.paused = paused_thread(candidate).value() + 1;
    search.settings.leaves_out_paused = from.leaves_out_paused ? 1 : 0;
    if (options_.hunt.hint) {
      search.settings.first = other_thread(candidate).value() + 1;
    }
    return run_search_checked(search);
  }

  std::string location_of_race(const std::vector<std::string>& sites) const {
    for (const TraceRun& run : runs_) {
      std::string name = location_at(run, sites);
      if (!name.empty()) return name;
    }
    return "memory";  // that no run has accessed so
  }

  // The races that a search has found, whichever question they answer.
  Result<void> note_races(const SearchResult& found, std::optional<std::size_t> asked) {
    for (const SearchWitness& witness : found.witnesses) {
      if (witness.kind != "race") continue;
      TRY(const std::vector<std::string> sites, options_.confirm(witness));
      if (sites.size() != 2) continue;
      const std::size_t number = report_of(sites, location_of_race(sites));
      if (is_answered(number)) continue;
      report(number).verdict = Verdict::witness;
      if (asked) report(number).prefix_events = report(*asked).prefix_events;
      const std::size_t length = witness.schedule.size();
      report(number).suffix_events = length - std::min(length, report(number).prefix_events);
      result_.witnesses[number] = witness;
    }
    return {};
  }

  const ProgramHuntOptions& options_;
  std::deque<std::vector<SearchStep>> steps_;  // of the runs
  std::deque<TraceRun> runs_;
  std::deque<RunFacts> facts_;
  std::map<SitePair, std::size_t> numbers_;
  // Where searches began; and why they did not come to their end, by who went ahead and the level.
  std::set<SearchedState> searched_to_the_end_;
  std::map<std::tuple<SearchedState, ThreadId, std::string_view, std::uint32_t>, std::string>
      cut_short_;
  ProgramHuntReport result_;
};

}  // namespace

Result<ProgramHuntReport> hunt_program(const ProgramHuntOptions& options) {
  return ProgramHunt(options).run();
}

}  // namespace heddle::hybrid
