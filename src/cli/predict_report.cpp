#include "cli/predict_report.h"

#include <array>
#include <sstream>

#include <nlohmann/json.hpp>

#include "base/printable.h"
#include "cli/output.h"
#include "report/columns.h"

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;
using predict::Kind;
using predict::PredictedFinding;

constexpr std::size_t kShownEvents = 24;  // of a witness

std::string plural(std::uint64_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return "-";
  return fmt::format("{:.1f}%", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

// --- For people ---

Colour colour_of(Kind kind) {
  return kind == Kind::race || kind == Kind::deadlock ? Colour::red : Colour::yellow;
}

// The end of the witness, in columns.
void print_witness(const Trace& trace, const PredictedFinding& finding) {
  std::vector<EventId> events;
  for (EventId e : finding.shown.sequence) {
    if (!trace.is_final_read(e)) events.push_back(e);
  }
  const std::size_t left_out = events.size() > kShownEvents ? events.size() - kShownEvents : 0;
  events.erase(events.begin(), events.begin() + static_cast<std::ptrdiff_t>(left_out));
  std::vector<EventId> all = events;
  for (EventId e : finding.events) {
    if (e != kInitialWrite && !trace.is_final_read(e)) all.push_back(e);
  }
  const Columns columns(trace, all, {.width = terminal_width(), .colour = colour_wanted()});
  print("{}\n", columns.header());
  if (left_out > 0) print("   ... after {} before\n", plural(left_out, "event"));
  for (EventId e : events) print("{}\n", columns.line(e));
  if (finding.kind == Kind::race && finding.adjacent) {
    print("   then both of these come next:\n");
  } else if (finding.kind == Kind::deadlock) {
    print("   then these wait for each other:\n");
  } else {
    return;
  }
  for (EventId e : finding.events) print("{}\n", columns.line(e));
}

std::string how_certain(const PredictReport& report, std::size_t i) {
  const auto& outcome = report.replays.outcomes[i];
  if (!outcome) return "predicted only";
  if (outcome->verdict == ReplayVerdict::confirmed) return "confirmed by replay";
  return fmt::format("predicted only, its replay {}", outcome->why);
}

const std::optional<SeenChange>& seen_of(const PredictReport& report, std::size_t i) {
  static const std::optional<SeenChange> none;
  if (i >= report.replays.outcomes.size() || !report.replays.outcomes[i]) return none;
  return report.replays.outcomes[i]->seen;
}

std::string quoted(const std::string& line) { return line.empty() ? "nothing" : printable(line); }

// What somebody sees who only looks at the program from outside.
void print_seen(const SeenChange& seen) {
  if (seen.ends_otherwise()) {
    print("  reaches the end of the program: {} instead of {}\n", seen.ending, seen.other_ending);
  }
  if (!seen.assertion.empty()) {
    print("  reaches an assertion: {} fails\n", printable(seen.assertion));
  } else if (seen.printed == PrintedChange::order) {
    print("  reaches the output: the same lines, in another order\n");
  } else if (seen.printed == PrintedChange::lines) {
    print("  reaches the output: {} instead of {}\n", quoted(seen.line), quoted(seen.other_line));
  }
}

void print_finding(const PredictReport& report, std::size_t i) {
  const PredictedFinding& finding = report.prediction.findings[i];
  const std::string_view kind = predict::name_of(finding.kind);
  print("{}: {}", coloured(colour_of(finding.kind), kind), finding.what);
  print_text(finding.count > 1 ? fmt::format(" ({} times)\n", finding.count) : "\n");
  if (i >= report.files.size()) return;
  print("  {}: heddle replay {}\n", how_certain(report, i), report.files[i]);
  if (const auto& seen = seen_of(report, i)) print_seen(*seen);
  if (i >= report.counting) return;
  print_witness(report.facts.trace(), finding);
  print("\n");
}

void print_reads(const PredictReport& report) {
  const auto& c = report.prediction.nondeterminism;
  if (!c.asked) {
    if (c.pairs > 0) {
      print("reads      not asked: {} pairs of a read and another write (--questions reads asks)\n",
            c.pairs);
    }
    return;
  }
  print(
      "reads      {} pairs of a read and another write: {} can happen ({}), {} cannot, {} "
      "undecided, {:.3f} s\n",
      c.pairs, c.feasible, plural(c.reads, "read"), c.infeasible, c.undecided, c.seconds);
}

void print_races(const PredictReport& report) {
  const auto& c = report.prediction.races;
  if (!c.asked) return;
  print("races      {} ({} adjacent) at {} of places, of {} in conflict; {} undecided, {:.3f} s\n",
        plural(c.pairs, "pair"), c.adjacent, plural(c.sites, "pair"), c.candidates, c.undecided,
        c.seconds);
  print(
      "           {} kept apart by a common lock, {} by fork and join, {} examined ({} by the "
      "engine), {} left out\n",
      c.guarded, c.joined, c.examined, c.by_engine, c.left_out);
  print("           happens-before alone: {}; Lockset alone: {}\n",
        plural(c.happens_before_pairs, "pair"), plural(c.lockset_warnings, "location"));
}

void print_patterns(std::string_view name, const predict::PatternCounters& c,
                    std::string_view what) {
  if (!c.asked) return;
  print("{:<10} {} at {}, of {} possible; {} left out, {} undecided, {:.3f} s\n", name,
        plural(c.patterns, what), plural(c.sites, "place"), c.candidates, c.left_out, c.undecided,
        c.seconds);
}

void print_paper(const predict::PaperResult& p) {
  print("mode       paper (NDET): witness order graphs and choice graphs, as published\n");
  print("witnesses  {} possible: {} cyclic ({}), {} without choice ({}), {} with choice ({})\n",
        p.possible, p.cyclic, percent(p.cyclic, p.possible), p.no_choice,
        percent(p.no_choice, p.possible), p.with_choice, percent(p.with_choice, p.possible));
  print("graphs     {:.2f} choice graphs possible and {:.2f} explored per witness with choice\n",
        p.graphs_possible_per_witness(), p.graphs_explored_per_witness());
  print("in all     {} feasible ({}), {} infeasible ({}), {} undecided, {:.3f} s\n", p.feasible,
        percent(p.feasible, p.possible), p.infeasible, percent(p.infeasible, p.possible),
        p.undecided, p.seconds);
}

void print_undecided(const PredictReport& report) {
  const std::uint64_t undecided = report.prediction.undecided();
  if (undecided == 0) return;
  print("{} undecided within {} steps each; a larger --budget may decide them\n",
        plural(undecided, "question"), report.options.budget.steps);
}

void print_seen_counts(const PredictReport& report) {
  std::uint64_t known = 0;
  std::uint64_t endings = 0;
  std::uint64_t outputs = 0;
  for (std::size_t i = 0; i < report.replays.outcomes.size(); ++i) {
    const auto& seen = seen_of(report, i);
    if (!seen) continue;
    ++known;
    endings += seen->ends_otherwise() ? 1 : 0;
    outputs += seen->printed != PrintedChange::none ? 1 : 0;
  }
  if (known == 0) return;
  print(
      "seen       of {} followed to the end, {} change what is printed, {} how the program ends\n",
      known, outputs, endings);
}

// What the program does that is in no event may be why a replay went another way.
void print_not_seen(const Metadata& metadata) {
  const auto note = metadata.notes.find("not seen");
  if (note == metadata.notes.end()) return;
  std::istringstream lines(note->second);
  for (std::string line; std::getline(lines, line);) {
    print("           perhaps because of what was not seen in the run: {}\n", line);
  }
}

void print_replays(const PredictReport& report) {
  const Replays& replays = report.replays;
  if (!replays.problem.empty()) {
    print("replay     {}: what is not confirmed is predicted only\n", replays.problem);
  }
  std::array<std::uint64_t, 3> counts{};
  std::uint64_t tried = 0;
  for (const auto& outcome : replays.outcomes) {
    if (!outcome) continue;
    ++tried;
    ++counts[static_cast<std::size_t>(outcome->verdict)];
  }
  if (tried == 0) return;
  print("replay     {} of {} confirmed, {} diverged, {} refuted\n", counts[0],
        plural(report.prediction.findings.size(), "finding"), counts[1], counts[2]);
  if (counts[0] < tried) print_not_seen(report.facts.trace().metadata);
  print_seen_counts(report);
}

// --- JSON ---

// "confirmed" and so on; null if it was not replayed.
Json outcome_json(const PredictReport& report, std::size_t i) {
  if (i >= report.replays.outcomes.size() || !report.replays.outcomes[i]) return nullptr;
  return name_of(report.replays.outcomes[i]->verdict);
}

std::string_view name_of(PrintedChange change) {
  switch (change) {
    case PrintedChange::none: return "same";
    case PrintedChange::order: return "other order";
    case PrintedChange::lines: return "other lines";
  }
  return {};
}

// Null where it is not known.
Json seen_json(const PredictReport& report, std::size_t i) {
  const auto& seen = seen_of(report, i);
  if (!seen) return nullptr;
  return {{"output", name_of(seen->printed)},      {"line", seen->line},
          {"recorded_line", seen->other_line},     {"ending", seen->ending},
          {"recorded_ending", seen->other_ending}, {"any", seen->any()}};
}

Json json_of(const TraceCounts& counts, const std::string& path) {
  return {{"path", path},
          {"threads", counts.threads()},
          {"events", counts.events()},
          {"lock_events", counts.lock_events()},
          {"locks", counts.locks()},
          {"accesses", counts.accesses()},
          {"variables", counts.variables()},
          {"wait_notify_events", counts.wait_notify_events()}};
}

Json json_of(const predict::ReadCounters& c) {
  // The columns of witness order graphs and choice graphs belong to paper mode.
  return {{"asked", c.asked},
          {"possible_witnesses", c.possible},
          {"cyclic", nullptr},
          {"no_choice", nullptr},
          {"with_choice", nullptr},
          {"choice_graphs", nullptr},
          {"choice_graphs_explored", nullptr},
          {"pairs", c.pairs},
          {"feasible", c.feasible},
          {"infeasible", c.infeasible},
          {"undecided", c.undecided},
          {"reads", c.reads},
          {"seconds", c.seconds}};
}

Json json_of(const predict::PaperResult& p) {
  return {{"asked", true},
          {"possible_witnesses", p.possible},
          {"cyclic", p.cyclic},
          {"no_choice", p.no_choice},
          {"with_choice", p.with_choice},
          {"choice_graphs", p.graphs_possible},
          {"choice_graphs_explored", p.graphs_explored},
          {"feasible", p.feasible},
          {"infeasible", p.infeasible},
          {"undecided", p.undecided},
          {"seconds", p.seconds}};
}

Json json_of(const predict::RaceCounters& c) {
  return {{"asked", c.asked},
          {"candidates", c.candidates},
          {"guarded", c.guarded},
          {"joined", c.joined},
          {"examined", c.examined},
          {"by_needs", c.by_needs},
          {"by_engine", c.by_engine},
          {"left_out", c.left_out},
          {"happens_before_pairs", c.happens_before_pairs},
          {"lockset_warnings", c.lockset_warnings},
          {"pairs", c.pairs},
          {"adjacent", c.adjacent},
          {"sites", c.sites},
          {"undecided", c.undecided},
          {"seconds", c.seconds}};
}

Json json_of(const predict::PatternCounters& c) {
  return {{"asked", c.asked},       {"candidates", c.candidates}, {"left_out", c.left_out},
          {"patterns", c.patterns}, {"sites", c.sites},           {"undecided", c.undecided},
          {"seconds", c.seconds}};
}

// An initial write is null, a final read a number past the last event.
Json events_json(const std::vector<EventId>& events) {
  Json json = Json::array();
  for (EventId e : events) json.push_back(e == kInitialWrite ? Json(nullptr) : Json(e.value()));
  return json;
}

Json json_of(const PredictReport& report, std::size_t i) {
  const PredictedFinding& finding = report.prediction.findings[i];
  Json json = {{"kind", predict::name_of(finding.kind)},
               {"what", finding.what},
               {"events", events_json(finding.events)},
               {"sites", finding.sites},
               {"count", finding.count},
               {"witness", events_json(finding.shown.sequence)},
               {"confirmed", outcome_json(report, i) == "confirmed"},
               {"replay", outcome_json(report, i)},
               {"seen", seen_json(report, i)}};
  if (finding.kind == Kind::race) json["adjacent"] = finding.adjacent;
  if (i < report.files.size()) {
    json["file"] = report.files[i];
    json["trace"] = witness_path(report.files[i]);
  }
  return json;
}

}  // namespace

std::string witness_path(const std::string& finding_path) {
  return finding_path.substr(0, finding_path.rfind('.')) + ".heddle";
}

void print_for_people(const PredictReport& report) {
  if (report.paper) {
    print_paper(*report.paper);
    return;
  }
  for (std::size_t i = 0; i < report.prediction.findings.size(); ++i) print_finding(report, i);
  print("trace      {}: {} events of {} threads\n", report.path, report.counts.events(),
        report.counts.threads());
  print_patterns("deadlocks", report.prediction.deadlocks, "pattern");
  print_races(report);
  print_patterns("atomicity", report.prediction.atomicity, "pattern");
  print_reads(report);
  print_undecided(report);
  print_replays(report);
}

void print_json(const PredictReport& report) {
  Json json;
  json["mode"] = report.paper ? "paper" : "exact";
  json["trace"] = json_of(report.counts, report.path);
  json["nondeterminism"] =
      report.paper ? json_of(*report.paper) : json_of(report.prediction.nondeterminism);
  json["races"] = json_of(report.prediction.races);
  json["deadlocks"] = json_of(report.prediction.deadlocks);
  json["atomicity"] = json_of(report.prediction.atomicity);
  json["findings"] = Json::array();
  for (std::size_t i = 0; i < report.prediction.findings.size(); ++i) {
    json["findings"].push_back(json_of(report, i));
  }
  json["replay_problem"] = report.replays.problem;
  json["budget"] = report.options.budget.steps;
  json["seconds"] = report.seconds;
  print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

}  // namespace heddle
