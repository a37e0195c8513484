#include "check/check.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <unistd.h>

#include "check/failed_run.h"
#include "check/minimise.h"
#include "check/steps_that_matter.h"
#include "finding/fingerprint.h"
#include "finding/output_folder.h"
#include "hybrid/program_hunt.h"
#include "predict/counting.h"
#include "predict/witness.h"
#include "record/finding_run.h"
#include "record/record.h"
#include "record/search.h"
#include "record/steps_run.h"
#include "trace/open.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using predict::PredictedFinding;

constexpr std::uint64_t kPredictedRuns = 6;
constexpr std::size_t kShownSteps = 16;
constexpr std::size_t kReplaysToMinimise = 40;  // per finding
// How long an execution of the search may get, in terms of a recorded run: a thread that tries
// again and again makes it longer, but tells nothing new.
constexpr std::uint64_t kSearchSteps = 1'000;
constexpr std::uint64_t kSearchStepsPerEvent = 20;
constexpr double kSearchPatience = 1;            // seconds for an execution that does not end
constexpr std::uint64_t kHuntShareOfSearch = 4;  // executions for each pair of places

// A folder that goes away with the check.
class ScratchFolder {
 public:
  static Result<ScratchFolder> make() {
    std::string path = (fs::temp_directory_path() / "heddle-check-XXXXXX").string();
    if (::mkdtemp(path.data()) == nullptr) return make_error("cannot make folder {}", path);
    return ScratchFolder(std::move(path));
  }
  ScratchFolder(ScratchFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  std::string file(std::string_view name) const { return fmt::format("{}/{}", path_, name); }

 private:
  explicit ScratchFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

std::string content_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// Findings at the same places are one, whatever else they are about.
std::string places_of(const Finding& finding) {
  std::vector<std::string> sites;
  for (const FindingEvent& event : finding.events) sites.push_back(event.site);
  std::sort(sites.begin(), sites.end());
  return fmt::format("{} {}", name_of(finding.kind), fmt::join(sites, " "));
}

// How the program has to end in a replay; empty: it does not matter.
using EndsSo = std::function<bool(const RunResult&)>;

struct Found {
  Reported reported;
  bool first_cause = true;  // it does not follow from another finding
  EndsSo ends_so;
};

class Check {
 public:
  Check(const CheckOptions& options, Suppressions& suppressions, const ScratchFolder& scratch)
      : options_(options),
        suppressions_(suppressions),
        scratch_(scratch),
        predict_options_(options.predict) {
    using Duration = std::chrono::steady_clock::duration;
    predict_options_.budget.until = start_ + std::chrono::duration_cast<Duration>(
                                                 std::chrono::duration<double>(options.seconds));
  }

  Result<CheckResult> run() {
    for (std::uint64_t i = 0; i < options_.runs && has_time(); ++i) TRY_VOID(take_run(i));
    if (!anything_confirmed()) search();
    if (!anything_confirmed() && result_.searched > 0 && !result_.searched_all) hunt();
    result_.out_of_time = !has_time();
    drop_what_follows();
    for (Found& each : found_) {
      minimise(each);
      result_.findings.push_back(std::move(each.reported));
    }
    TRY_VOID(write_files());
    return std::move(result_);
  }

  // The race of a witness at those sites; nothing if it does not show.
  Result<std::optional<Reported>> race_of(const SearchWitness& witness,
                                          const std::vector<std::string>& sites) {
    TRY(const StepsRun run,
        run_steps(options_.command, witness.schedule, scratch_.file("witness.heddle")));
    result_.source_folder = run.result.source_folder;
    sources_ = SourceLines({".", result_.source_folder});
    const Derived derived(run.trace);
    const order::Facts facts(run.trace, derived, options_.predict.values);
    predict::Prediction prediction = predict::predict(facts, predict_options_);
    for (PredictedFinding& predicted : prediction.findings) {
      if (std::is_permutation(predicted.sites.begin(), predicted.sites.end(), sites.begin(),
                              sites.end())) {
        take_prediction(facts, predicted);
      }
    }
    if (found_.empty() || found_.front().reported.standing != Standing::confirmed) {
      return std::optional<Reported>();
    }
    minimise(found_.front());
    return std::optional(std::move(found_.front().reported));
  }

 private:
  bool anything_confirmed() const {
    return std::any_of(found_.begin(), found_.end(), [](const Found& each) {
      return each.reported.standing == Standing::confirmed;
    });
  }

  double seconds_left() const {
    const auto now = std::chrono::steady_clock::now();
    return options_.seconds - std::chrono::duration<double>(now - start_).count();
  }
  bool has_time() const { return seconds_left() > 0; }

  RunOptions run_options(std::uint64_t number) const {
    RunOptions run;
    run.launch.command = options_.command;
    run.launch.discard_output = true;
    run.launch.errors_path = scratch_.file("errors");
    run.end_when_hanging = true;
    run.settings.seed = options_.seed + number;
    run.settings.stop_at = options_.most_events;
    run.until = predict_options_.budget.until;
    if (number % 2 == 1) {
      run.settings.policy = wire::PolicyKind::pct;
      run.settings.depth = 2 + static_cast<std::uint32_t>(number / 2 % 2);
      run.settings.steps = std::max<std::uint64_t>(events_of_first_, 10);
    }
    return run;
  }

  Result<void> take_run(std::uint64_t number) {
    options_.progress(fmt::format("run {} of {}", number + 1, options_.runs));
    const std::string path = scratch_.file("run.heddle");
    fs::remove(scratch_.file("errors"));
    TRY(const RecordedRun recorded, record_run(run_options(number), path, true));
    TRY_VOID(refuse(recorded.result));
    ++result_.runs;
    ++result_.endings[ending_in_words(recorded)];
    result_.events += recorded.events;
    if (number == 0) events_of_first_ = recorded.events;
    note_unseen(recorded.result);
    if (!recorded.everything_because.empty()) outside_ = recorded.everything_because;
    if (number == 0) {
      result_.source_folder = recorded.result.source_folder;
      sources_ = SourceLines({".", result_.source_folder});
    }
    TRY(const auto source, open_trace(path));
    TRY(const Trace trace, collect(*source));
    const Derived derived(trace);
    const order::Facts facts(trace, derived, options_.predict.values);
    result_.most_threads =
        std::max<std::uint64_t>(result_.most_threads, trace.tables.threads.size());
    take_failure(facts, recorded.result);
    if (number < kPredictedRuns && has_time()) predict_from(facts);
    return {};
  }

  std::string ending_in_words(const RecordedRun& recorded) const {
    if (recorded.result.ending == Ending::reached) {
      return fmt::format("Heddle's stop after {} events", options_.most_events);
    }
    if (recorded.result.ending == Ending::stopped) return "Heddle's stop when the time was up";
    return recorded.result.words;
  }

  // What no seed will cure.
  static Result<void> refuse(const RunResult& result) {
    if (result.ending == Ending::hung) {
      return make_error(
          "the program hangs: nothing happens any more; does it wait for input, or "
          "spin without looking at memory?");
    }
    return {};
  }

  void note_unseen(const RunResult& result) {
    for (const std::string& line : result.unseen) {
      const auto& seen = result_.not_seen;
      if (std::find(seen.begin(), seen.end(), line) == seen.end()) result_.not_seen.push_back(line);
    }
  }

  void take_failure(const order::Facts& facts, const RunResult& result) {
    auto finding = finding_of_run(facts, result, content_of(scratch_.file("errors")));
    if (!finding) return;
    const std::string words = result.words;
    add(*std::move(finding), true, [words](const RunResult& end) { return end.words == words; });
  }

  // All interleavings, one by one.
  void search() {
    result_.not_searched = why_no_search();
    if (!result_.not_searched.empty()) return;
    options_.progress("searching");
    SearchOptions search;
    search.launch.command = options_.command;
    search.patience = kSearchPatience;
    std::string_view("odpor").copy(search.settings.strategy, sizeof search.settings.strategy - 1);
    search.settings.max_steps = most_steps();
    search.settings.max_executions = options_.executions;
    search.settings.seconds = seconds_left();
    const Result<SearchResult> searched = run_search(search);
    if (!searched.ok() || !searched->divergence.empty()) {
      result_.not_searched =
          searched.ok() ? "it does not do the same again" : searched.error().message;
      return;
    }
    const auto count = [&](const char* name) {
      const auto found = searched->counters.find(name);
      return found != searched->counters.end() ? found->second : 0;
    };
    result_.searched = count("traces");
    result_.searched_all = searched->end == "finished" && count("cut") == 0;
    for (const SearchWitness& witness : searched->witnesses) {
      static_cast<void>(take_witness(witness));  // what cannot be run once more is no finding
    }
  }

  std::uint64_t most_steps() const {
    return std::max(kSearchSteps, kSearchStepsPerEvent * events_of_first_);
  }

  // Behind accesses that no lock has in common.
  void hunt() {
    if (!has_time()) return;
    options_.progress("hunting");
    hybrid::ProgramHuntOptions hunt;
    hunt.command = options_.command;
    hunt.hunt.seed = options_.seed;
    hunt.hunt.max_executions = options_.executions / kHuntShareOfSearch + 1;
    hunt.hunt.max_steps = most_steps();
    hunt.trace_path = scratch_.file("hunt.heddle");
    hunt.until = predict_options_.budget.until;
    hunt.confirm = [&](const SearchWitness& witness) { return take_witness(witness); };
    const auto hunted = hybrid::hunt_program(hunt);
    if (!hunted.ok())
      return;  // the search has said already what it has to say about such a program
    const hybrid::HuntReport& report = hunted->report;
    result_.hunted_to_the_end = report.count(hybrid::Verdict::spurious);
    result_.hunted = result_.hunted_to_the_end + report.count(hybrid::Verdict::open) +
                     report.count(hybrid::Verdict::witness);
  }

  std::string why_no_search() const {
    if (result_.most_threads < 2) return "it has one thread";
    if (!has_time()) return "the time was up";
    return outside_;
  }

  static Finding livelock(const order::Facts& facts) {
    return finding_of_search(facts, FindingKind::livelock,
                             "a thread goes round in a loop for ever, and nobody can end it");
  }

  // "assertion x > 0 fails" as in a run that failed: "x > 0".
  static std::string message_of(const SearchWitness& witness) {
    constexpr std::string_view kFront = "assertion ", kBack = " fails";
    std::string_view message = witness.message;
    if (message.starts_with(kFront) && message.ends_with(kBack)) {
      message = message.substr(kFront.size(), message.size() - kFront.size() - kBack.size());
    }
    return std::string(message);
  }

  // What a search found is run once more, and then as any other run. Gives the sites of the events
  // that it is about.
  Result<std::vector<std::string>> take_witness(const SearchWitness& witness) {
    TRY(const StepsRun run,
        run_steps(options_.command, witness.schedule, scratch_.file("witness.heddle")));
    const FindingKind kind = finding_kind_named(witness.kind).value_or(FindingKind::crash);
    take_steps(run, kind, message_of(witness));
    std::vector<std::string> sites;
    for (const EventId e :
         events_that_matter(run.trace, kind, witness.thread, witness.other_thread)) {
      const SiteId site = run.trace.site(e);
      sites.push_back(site.valid() ? run.trace.tables.describe(site) : std::string());
    }
    return sites;
  }

  void take_steps(const StepsRun& run, FindingKind kind, const std::string& message) {
    const Derived derived(run.trace);
    const order::Facts facts(run.trace, derived, options_.predict.values);
    if (kind == FindingKind::race) return predict_from(facts);
    if (kind == FindingKind::deadlock) return take_failure(facts, run.result);
    if (kind == FindingKind::livelock) return add(livelock(facts), true, {});
    add(finding_of_search(facts, kind, message), true, [](const RunResult& end) {
      return end.ending == Ending::killed || (end.ending == Ending::exited && end.status != 0);
    });
  }

  void predict_from(const order::Facts& facts) {
    ++result_.predicted_runs;
    predict::Prediction prediction = predict::predict(facts, predict_options_);
    result_.undecided += prediction.undecided() + prediction.left_out();
    for (PredictedFinding& finding : prediction.findings) {
      if (!has_time()) return;
      take_prediction(facts, finding);
    }
  }

  void take_prediction(const order::Facts& facts, PredictedFinding& predicted) {
    Finding bare = predict::make_finding(facts, predicted);
    if (!predict::counts_as_found(facts, predicted, options_.deterministic)) {
      if (places_.insert(places_of(bare)).second) ++result_.information;
      return;
    }
    if (places_.contains(places_of(bare))) return;
    show(facts, predict_options_, predicted);
    if (predicted.shown.answer != order::Answer::yes) return;  // the time is up
    Finding finding = predict::make_finding(facts, predicted);
    finding.found_by = options_.found_by;
    const bool first_cause = predicted.kind != predict::Kind::race || predicted.adjacent;
    add(std::move(finding), first_cause, {});
  }

  void add(Finding finding, bool first_cause, const EndsSo& ends_so) {
    if (!places_.insert(places_of(finding)).second) return;
    Reported reported;
    reported.id = fingerprint(finding, sources_);
    if (is_left_out(finding, reported.id)) {
      left_out_a_cause_ |= finding.kind == FindingKind::race && first_cause;
      return;
    }
    options_.progress(fmt::format("replaying a {}", name_of(finding.kind)));
    reported.finding = std::move(finding);
    if (auto* program = std::get_if<ProgramSubject>(&reported.finding.subject)) {
      program->source_folder = result_.source_folder;
    }
    replay(reported, ends_so);
    keep({std::move(reported), first_cause, ends_so});
  }

  // What one run let predict in vain, another may show: the places stay open until something was
  // confirmed there.
  void keep(Found found) {
    const std::string places = places_of(found.reported.finding);
    const auto same = std::find_if(found_.begin(), found_.end(), [&](const Found& each) {
      return places_of(each.reported.finding) == places;
    });
    const bool refuted = found.reported.standing == Standing::refuted;
    if (refuted) places_.erase(places);
    if (same == found_.end()) {
      found_.push_back(std::move(found));
    } else if (!refuted) {
      *same = std::move(found);
    }
  }

  bool is_left_out(const Finding& finding, const std::string& id) {
    const auto& known = options_.known;
    if (std::find(known.begin(), known.end(), id) != known.end()) {
      ++result_.known;
      return true;
    }
    if (!suppressions_.cover(finding, id)) return false;
    ++result_.suppressed;
    return true;
  }

  Result<FindingRun> run_again(const Finding& finding, const EndsSo& ends_so) const {
    FindingRunOptions options;
    options.most_events = options_.most_events + finding.schedule.size();
    options.until = predict_options_.budget.until;
    options.launch.discard_output = true;
    options.go_on = goes_on(finding, ends_so);
    return run_finding(finding, options);
  }

  // The end of the program is part of what is to be seen.
  static bool goes_on(const Finding& finding, const EndsSo& ends_so) {
    return ends_so && finding.kind != FindingKind::deadlock;
  }

  // Where a thread dies, it has to be that one, and not another which goes on afterwards.
  static bool ends_alike(const FindingRun& made, const Finding& finding, const EndsSo& ends_so) {
    if (!goes_on(finding, ends_so)) return true;
    const bool dies = finding.kind == FindingKind::assertion || finding.kind == FindingKind::crash;
    return ends_so(made.result) && !(dies && made.others_went_on);
  }

  void minimise(Found& found) const {
    Reported& reported = found.reported;
    if (reported.standing != Standing::confirmed || !has_time()) return;
    const auto shows = [&](const Finding& finding) {
      if (!has_time()) return false;
      const Result<FindingRun> made = run_again(finding, found.ends_so);
      return made.ok() && made->verdict == ReplayVerdict::confirmed &&
             ends_alike(*made, finding, found.ends_so);
    };
    Finding shorter = minimised(reported.finding, kReplaysToMinimise, shows);
    if (shorter == reported.finding) return;
    Reported candidate = reported;
    candidate.finding = std::move(shorter);
    replay(candidate, found.ends_so);
    if (candidate.standing == Standing::confirmed) reported = std::move(candidate);
  }

  void replay(Reported& reported, const EndsSo& ends_so) const {
    const Result<FindingRun> made = run_again(reported.finding, ends_so);
    if (!made.ok()) {
      reported.why = made.error().message;
      return;
    }
    if (made->result.ending == Ending::stopped && !has_time()) {
      reported.why = "the time was up before it could be replayed";
      return;
    }
    reported.run = steps_that_matter(made->run, reported.finding, kShownSteps);
    reported.why = made->why;
    const bool same_end = ends_alike(*made, reported.finding, ends_so);
    if (made->verdict == ReplayVerdict::confirmed && same_end) {
      reported.standing = Standing::confirmed;
      reported.finding.confirmed = Confirmation::replay;
    } else {
      reported.standing = Standing::refuted;
      if (!same_end) {
        reported.why = ends_so(made->result)
                           ? "the replay ended so in another thread"
                           : fmt::format("the replay ended with {}", made->result.words);
      }
    }
  }

  // Races that are never next to each other, where others are.
  void drop_what_follows() {
    bool has_cause = left_out_a_cause_;
    for (const Found& each : found_) {
      has_cause |= each.first_cause && each.reported.finding.kind == FindingKind::race &&
                   each.reported.standing == Standing::confirmed;
    }
    if (has_cause) std::erase_if(found_, [](const Found& each) { return !each.first_cause; });
    std::stable_sort(found_.begin(), found_.end(), [](const Found& a, const Found& b) {
      return rank(a.reported) < rank(b.reported);
    });
  }

  // The worst first.
  static int rank(const Reported& reported) {
    if (reported.standing != Standing::confirmed) return 10;
    switch (reported.finding.kind) {
      case FindingKind::assertion:
      case FindingKind::crash:
      case FindingKind::memory: return 0;
      case FindingKind::deadlock:
      case FindingKind::livelock: return 1;
      case FindingKind::race: return 2;
      default: return 3;
    }
  }

  Result<void> write_files() {
    std::vector<Finding> findings;
    for (Reported& each : result_.findings) {
      each.finding.id = each.id;
      findings.push_back(each.finding);
    }
    TRY(const auto paths, write_findings(options_.folder, findings));
    for (std::size_t i = 0; i < paths.size(); ++i) result_.findings[i].file = paths[i];
    return {};
  }

  const CheckOptions& options_;
  Suppressions& suppressions_;
  const ScratchFolder& scratch_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  predict::PredictOptions predict_options_;
  std::uint64_t events_of_first_ = 0;
  SourceLines sources_;
  std::string outside_;  // what the program touches outside itself
  std::set<std::string> places_;
  std::vector<Found> found_;
  bool left_out_a_cause_ = false;
  CheckResult result_;
};

}  // namespace

bool CheckResult::anything_found() const {
  return std::any_of(findings.begin(), findings.end(), [](const Reported& each) {
    return each.counts && each.standing == Standing::confirmed;
  });
}

Result<std::optional<Reported>> report_race(const CheckOptions& options,
                                            const SearchWitness& witness,
                                            const std::vector<std::string>& sites) {
  TRY(const ScratchFolder scratch, ScratchFolder::make());
  Suppressions nothing;
  return Check(options, nothing, scratch).race_of(witness, sites);
}

Result<CheckResult> check_program(const CheckOptions& options, Suppressions& suppressions) {
  TRY(const ScratchFolder scratch, ScratchFolder::make());
  return Check(options, suppressions, scratch).run();
}

}  // namespace heddle
