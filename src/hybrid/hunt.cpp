#include "hybrid/hunt.h"

#include <algorithm>
#include <array>
#include <deque>

#include <sys/resource.h>

#include "hybrid/prefix.h"
#include "hybrid/questions.h"
#include "hybrid/suffix_search.h"
#include "hybrid/witness.h"
#include "model/interpreter.h"

namespace heddle::hybrid {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kSwitchChance = 30;

std::uint64_t peak_bytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

model::Interval values_of(std::uint32_t bits) {
  if (bits == 0 || bits >= 64) return model::Interval::full();
  const std::int64_t half = std::int64_t{1} << (bits - 1);
  return {-half, half - 1};
}

// What came of the search behind one pair of accesses.
struct Attempt {
  bool reached = false;
  bool complete = false;
};

class Hunt {
 public:
  Hunt(const model::Model& model, const std::deque<ObservedRun>& runs, const HuntOptions& options)
      : model_(model), options_(options), runs_(runs), system_(model, {.stop_spinning = true}) {}

  HuntReport run() {
    for (const ObservedRun& run : runs_) {
      facts_.emplace_back(run);
      report_.run_events += run.events.size();
    }
    for (const Question& question : questions_of(facts_, options_.all_partners)) {
      const std::size_t number = report_of(question);
      if (report_.warnings[number].verdict != Verdict::witness) answer(question, number);
    }
    return std::move(report_);
  }

 private:
  // The report on the question; a race may have been found on the way to another one.
  std::size_t report_of(const Question& question) {
    const SitePair key = site_pair(question.sites.front(), question.sites.back());
    const auto [place, is_new] = numbers_.emplace(key, report_.warnings.size());
    if (is_new) {
      report_.warnings.push_back(
          {.location = model_.object_name(question.location), .sites = question.sites});
    }
    return place->second;
  }

  void answer(const Question& question, std::size_t number) {
    if (question.candidates.empty()) return;
    const auto start = Clock::now();
    Budget budget = whole_budget();
    bool all_complete = question.left_out == 0;
    for (const Candidate& candidate : question.candidates) {
      const Attempt attempt = attempt_pair(candidate, number, budget);
      all_complete = all_complete && attempt.complete;
      if (attempt.reached || budget.is_used_up()) break;
    }
    WarningReport& report = report_.warnings[number];
    if (!report.witness) {
      report.verdict = all_complete ? Verdict::spurious : Verdict::open;
      if (!all_complete) report.why = why_open(report, question, budget);
    }
    report.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    report.peak_bytes = peak_bytes();
  }

  static std::string why_open(const WarningReport& report, const Question& question,
                              const Budget& budget) {
    if (budget.executions == 0) return "the executions of --max-executions are used up";
    if (budget.is_used_up()) return "the seconds of --time are used up";
    if (report.overflows > 0) return "values did not fit into --bits";
    if (question.left_out > 0) return "there are more pairs of accesses than were tried";
    return "executions were ended by --max-steps";
  }

  Budget whole_budget() const {
    Budget budget{.executions = options_.max_executions};
    if (options_.seconds > 0) {
      budget.deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                           std::chrono::duration<double>(options_.seconds));
    }
    return budget;
  }

  // From the grown prefix, then from the state right before the paused access: what was grown past
  // may be the way to the race.
  Attempt attempt_pair(const Candidate& candidate, std::size_t number, Budget& budget) {
    const ObservedRun& run = runs_[candidate.run];
    const Prefix brief = prefix_before(run, candidate.pair);
    Prefix prefix = options_.extend ? extended_prefix(run, candidate.pair) : brief;
    if (!follow(run, prefix)) {
      prefix = brief;
      CHECK(follow(run, prefix), "a run of a model cannot be run again");
    }
    WarningReport& report = report_.warnings[number];
    ++report.pairs;
    report.prefix_events = prefix.events.size();
    report.extended_by = prefix.extended_by;
    Attempt attempt = search(candidate, number, budget);
    if (attempt.complete && !attempt.reached && prefix.extended_by > 0) {
      system_.rewind(brief.events.size());
      attempt = search(candidate, number, budget);
    }
    if (attempt.complete && !attempt.reached) attempt = attempt_outside(candidate, number, budget);
    system_.rewind(0);
    return attempt;
  }

  // Where the paused thread holds locks that the other one has to pass, it is paused too late. So
  // it is held back where it has none of them, and goes on when it likes.
  Attempt attempt_outside(const Candidate& candidate, std::size_t number, Budget& budget) {
    const std::size_t outside = facts_[candidate.run].outermost_acquire(candidate.pair.first);
    if (outside == candidate.pair.first || options_.with_paused) return {.complete = true};
    if (budget.is_used_up()) return {};
    system_.rewind(outside);
    system_.notice_rounds_from(outside);
    return search_all(candidate, number, budget);
  }

  // Brings the system to the end of the prefix, unless a step is not as it was in the run.
  bool follow(const ObservedRun& run, const Prefix& prefix) {
    Operation operation;
    schedule_.clear();
    system_.rewind(0);
    system_.notice_rounds_from(prefix.events.size());
    for (const std::size_t e : prefix.events) {
      const RunEvent& event = run.events[e];
      const bool ready = system_.readiness(event.thread()) == Readiness::ready;
      if (ready) system_.next_operation(event.thread(), operation);
      if (!ready || operation.accesses != event.accesses) return false;
      system_.step(event.thread(), event.transition.choice);
      schedule_.push_back(event.transition);
    }
    return true;
  }

  Attempt search(const Candidate& candidate, std::size_t number, Budget& budget) {
    if (budget.is_used_up()) return {};
    system_.notice_rounds_from(system_.depth());
    return options_.with_paused ? search_all(candidate, number, budget)
                                : search_others(candidate, number, budget);
  }

  SuffixSettings settings_for(const Candidate& candidate) const {
    const ObservedRun& run = runs_[candidate.run];
    SuffixSettings settings;
    settings.wanted_site = run.site_of(candidate.pair.second);
    if (options_.hint) settings.first = run.events[candidate.pair.second].thread();
    if (options_.bits > 0) {
      settings.overflows = [this] { return system_.last_step_left(values_of(options_.bits)); };
    }
    return settings;
  }

  Attempt search_others(const Candidate& candidate, std::size_t number, Budget& budget) {
    const ObservedRun& run = runs_[candidate.run];
    SuffixSettings settings = settings_for(candidate);
    settings.paused = run.events[candidate.pair.first].thread();
    std::optional<Chop> chop;
    if (options_.chop) {
      settings.chop = &chop.emplace(model_, chop_question(settings.paused, candidate));
      settings.control = [this](ThreadId thread) { return system_.control(thread); };
    }
    const SuffixSearch found = search_suffix(
        system_, settings, {.deepen = options_.hint, .max_steps = options_.max_steps}, budget);
    report_.warnings[number].executions += found.executions;
    report_.warnings[number].overflows += found.overflows;
    bool reached = false;
    for (const auto& [site, race] : found.races) {
      const bool real = note_race(candidate, settings.paused, site, race, number);
      reached = reached || (real && site == settings.wanted_site);
    }
    return {reached, found.complete};
  }

  ChopQuestion chop_question(ThreadId paused, const Candidate& candidate) const {
    ChopQuestion question{.controls = {}, .paused = paused, .location = candidate.pair.location};
    for (const ThreadId thread : indices(model_.threads)) {
      question.controls.push_back(system_.control(thread));
    }
    return question;
  }

  // A race of the paused access, at the site that was asked for or at another one.
  bool note_race(const Candidate& candidate, ThreadId paused, const std::string& site,
                 const RaceState& race, std::size_t number) {
    std::vector<Transition> schedule(
        schedule_.begin(), schedule_.begin() + static_cast<std::ptrdiff_t>(system_.depth()));
    schedule.insert(schedule.end(), race.suffix.begin(), race.suffix.end());
    model::Interpreter fresh(model_);
    std::optional<Witness> witness = make_witness(fresh, schedule, paused, race.other);
    if (!witness) return false;
    const std::string& paused_site = runs_[candidate.run].site_of(candidate.pair.first);
    const std::size_t place = report_of(
        {.run = candidate.run, .location = candidate.pair.location, .sites = {paused_site, site}});
    WarningReport& report = report_.warnings[place];
    if (report.witness) return true;
    report.verdict = Verdict::witness;
    report.witness = std::move(witness);
    report.prefix_events = report_.warnings[number].prefix_events;
    report.extended_by = report_.warnings[number].extended_by;
    report.suffix_events = race.suffix.size();
    return true;
  }

  Attempt search_all(const Candidate& candidate, std::size_t number, Budget& budget) {
    const std::string& paused_site = runs_[candidate.run].site_of(candidate.pair.first);
    const SearchWithPaused found =
        search_with_paused(system_, settings_for(candidate), paused_site,
                           {.deepen = options_.hint, .max_steps = options_.max_steps}, budget);
    report_.warnings[number].executions += found.executions;
    if (!found.witness) return {false, found.complete};
    const RaceState race{found.witness->racing[1], found.witness->schedule};
    const bool real = note_race(candidate, found.witness->racing[0],
                                runs_[candidate.run].site_of(candidate.pair.second), race, number);
    return {real, found.complete};
  }

  const model::Model& model_;
  const HuntOptions& options_;
  const std::deque<ObservedRun>& runs_;
  std::deque<RunFacts> facts_;
  model::Interpreter system_;
  std::vector<Transition> schedule_;  // of the prefix
  std::map<SitePair, std::size_t> numbers_;
  HuntReport report_;
};

}  // namespace

std::string_view name_of(Verdict verdict) {
  constexpr std::array<std::string_view, 4> kNames = {"witness", "spurious", "open", "no-partner"};
  return kNames[static_cast<std::size_t>(verdict)];
}

std::size_t HuntReport::count(Verdict verdict) const {
  return static_cast<std::size_t>(
      std::count_if(warnings.begin(), warnings.end(),
                    [&](const WarningReport& report) { return report.verdict == verdict; }));
}

HuntReport hunt(const model::Model& model, const HuntOptions& options) {
  model::Interpreter fresh(model);
  std::deque<ObservedRun> runs;
  for (std::uint32_t i = 0; i < options.runs; ++i) {
    runs.push_back(observe(fresh, {.seed = options.seed + i,
                                   .switch_chance = i == 0 ? 0 : kSwitchChance,
                                   .max_steps = options.max_steps}));
  }
  return hunt(model, runs, options);
}

HuntReport hunt(const model::Model& model, const std::deque<ObservedRun>& runs,
                const HuntOptions& options) {
  return Hunt(model, runs, options).run();
}

}  // namespace heddle::hybrid
