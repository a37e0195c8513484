#include "cli/check_report.h"

#include <algorithm>

#include <fmt/format.h>

#include "finding/finding_file.h"
#include "finding/source_lines.h"
#include "finding/source_place.h"
#include "report/kind_words.h"
#include "report/run_columns.h"
#include "report/short_names.h"

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

std::string plural(std::uint64_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

class Writer {
 public:
  Writer(const CheckResult& result, ColumnLayout::Options options)
      : result_(result), options_(options), sources_({".", result.source_folder}) {}

  void add_finding(const Reported& with_long_names, std::size_t number) {
    const Reported reported = with_short_names(with_long_names);
    const KindWords& kind = words_of(reported.finding.kind);
    const Run& run = reported.run;
    add_folded(fmt::format("[{}] {}", number, title_of(reported.finding)), "    ",
               fmt::format("[{}] ", number), kind.title);
    add_standing(reported);
    add("\n");
    for (const FindingEvent& event : reported.finding.events) add_source_line(event, run);
    if (!run.steps.empty()) {
      add("\n");
      add(run_in_columns(run, options_));
    }
    add("\n");
    add_labelled("see it again: ",
                 fmt::format("heddle replay {}   (--gdb stops there)", reported.file));
    add_labelled("usual cure:   ", cure_of(reported.finding));
    add("\n");
  }

  void add_summary(const std::string& subject, const Suppressions& suppressions) {
    std::size_t confirmed = 0;
    std::size_t refuted = 0;
    for (const Reported& each : result_.findings) {
      confirmed += each.standing == Standing::confirmed ? 1 : 0;
      refuted += each.standing == Standing::refuted ? 1 : 0;
    }
    const std::string found =
        confirmed == 0
            ? coloured(result_.findings.empty() ? "nothing found" : "nothing confirmed", 32)
            : coloured(fmt::format("{} confirmed", plural(confirmed, "finding")), 31);
    add(fmt::format("{}: {} in {}\n", subject, found, plural(result_.runs, "run")));
    add_folded(how_they_ended(), "  ");
    if (all_fail_alike()) {
      add_folded("all runs ended so: it does not depend on the order of threads", "  ");
    }
    if (refuted > 0) {
      add_folded(why_refuted(refuted), "  ");
    }
    add_counts(suppressions);
    add_not_seen();
  }

  std::string take() { return std::move(text_); }

 private:
  void add(std::string_view text) { text_ += text; }

  std::string coloured(std::string_view text, int colour) const {
    return options_.colour ? fmt::format("\x1b[{}m{}\x1b[0m", colour, text) : std::string(text);
  }

  // Folds to the width; the part `marked` right after `front` is in red.
  void add_folded(const std::string& line, std::string_view indent, std::string_view front = {},
                  std::string_view marked = {}) {
    const auto lines = fold(line, options_.width - indent.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
      std::string shown = lines[i];
      if (i == 0 && !marked.empty() && shown.size() >= front.size() + marked.size()) {
        shown = fmt::format("{}{}{}", front, coloured(marked, 31),
                            shown.substr(front.size() + marked.size()));
      }
      add(fmt::format("{}{}\n", i == 0 && !front.empty() ? "" : indent, shown));
    }
  }

  // Further lines stand below the first one's text.
  void add_labelled(std::string_view label, std::string_view text) {
    constexpr std::size_t kIndent = 4;
    const std::size_t front = kIndent + label.size();
    for (const std::string& line : fold(text, options_.width - front)) {
      add(fmt::format("{:>{}}{}\n", label, front, line));
      label = "";
    }
  }

  void add_standing(const Reported& reported) {
    switch (reported.standing) {
      case Standing::confirmed:
        add(fmt::format("    {}; number {}\n", coloured("confirmed by replay", 32), reported.id));
        return;
      case Standing::predicted:
        add_folded(fmt::format("predicted only: {}; number {}", reported.why, reported.id), "    ");
        return;
      case Standing::refuted:
        add_folded(
            fmt::format("did not happen when replayed: {}; number {}", reported.why, reported.id),
            "    ");
    }
  }

  // The same event in the run, with its value: "write balance = 20".
  static std::string words_in(const Run& run, const FindingEvent& event) {
    std::string words = event.operation;
    for (const RunStep& step : run.steps) {
      const bool same = run.threads[step.thread] == event.thread && step.site == event.site &&
                        step.operation == event.operation;
      if (same && !step.values.empty()) words = step.values;
    }
    return words;
  }

  // "    bank.cpp:12  main.1  write balance = 20", and below it the line itself.
  void add_source_line(const FindingEvent& event, const Run& run) {
    if (event.site == "?") return;
    const auto place = parse_place(event.site);
    const auto line = place ? sources_.line(place->file, place->line) : std::nullopt;
    const std::string words = words_in(run, event);
    std::string what = fmt::format("{}  {}  {}", event.site, event.thread, words);
    if (!event.values.empty() && words == event.operation) {
      what += fmt::format("  ({})", event.values);
    }
    add_folded(what, "    ");
    if (line) add(fmt::format("        {}\n", cut_to(trimmed(*line), options_.width - 8)));
  }

  std::string how_they_ended() const {
    std::vector<std::string> parts;
    for (const auto& [words, count] : result_.endings) {
      parts.push_back(result_.endings.size() == 1 ? words : fmt::format("{}: {}", words, count));
    }
    return fmt::format("the runs ended with {}; {} of them looked at for what else could happen",
                       fmt::join(parts, ", "), result_.predicted_runs);
  }

  // Prediction can only be right about what it sees.
  std::string why_refuted(std::size_t count) const {
    const bool unseen = std::any_of(
        result_.not_seen.begin(), result_.not_seen.end(),
        [](const std::string& line) { return line.find("not instrumented") != std::string::npos; });
    const std::string what =
        fmt::format("{} did not happen when replayed", plural(count, "prediction"));
    if (unseen) return what + ": code that is not instrumented may stand against it";
    return what + ", which is a mistake of Heddle's; please report it with the program";
  }

  bool all_fail_alike() const {
    return result_.endings.size() == 1 && result_.runs > 1 &&
           result_.endings.begin()->first.starts_with("killed");
  }

  std::string how_it_was_searched() const {
    if (!result_.not_searched.empty()) {
      return fmt::format("not searched systematically: {}", result_.not_searched);
    }
    if (result_.searched_all && result_.searched == 1) {
      return "a systematic search has run its only interleaving";
    }
    const std::string many = plural(result_.searched, "interleaving");
    return result_.searched_all
               ? fmt::format("a systematic search has run all of its {}", many)
               : fmt::format("a systematic search has run {}; there are more", many);
  }

  std::string how_it_was_hunted() const {
    return fmt::format(
        "{} that accesses share no lock: {} searched to the end without a race, {} "
        "open (heddle hunt says more)",
        plural(result_.hunted, "warning"), result_.hunted_to_the_end,
        result_.hunted - result_.hunted_to_the_end);
  }

  void add_counts(const Suppressions& suppressions) {
    if (result_.most_threads == 1) add("  the program never started a second thread\n");
    if (result_.findings.empty() || result_.searched > 0) add_folded(how_it_was_searched(), "  ");
    if (result_.findings.empty() && result_.hunted > 0) add_folded(how_it_was_hunted(), "  ");
    if (result_.out_of_time) add_folded("the time was up (--time)", "  ");
    if (result_.undecided > 0) {
      add_folded(
          fmt::format("{} left undecided (heddle record and heddle predict --budget say more)",
                      plural(result_.undecided, "question")),
          "  ");
    }
    if (result_.information > 0) {
      add_folded(
          fmt::format("{} where a read can see another write or a locked scope can be broken, "
                      "which may be meant (--deterministic, --atomic)",
                      plural(result_.information, "place")),
          "  ");
    }
    if (result_.suppressed > 0) add(fmt::format("  {} suppressed\n", result_.suppressed));
    if (result_.known > 0) add(fmt::format("  {} known from the baseline\n", result_.known));
    for (const Suppression& entry : suppressions.unused()) {
      add(fmt::format("  {}: '{}:{}' suppresses nothing\n", entry.place, entry.type,
                      entry.pattern));
    }
  }

  void add_not_seen() {
    for (const std::string& line : result_.not_seen) {
      add_folded(fmt::format("not seen: {}", line), "  ");
    }
    add("  not seen: other memory orders than sequential consistency\n");
  }

  const CheckResult& result_;
  ColumnLayout::Options options_;
  SourceLines sources_;
  std::string text_;
};

Json json_of_reported(const Reported& reported) {
  Json json;
  json["id"] = reported.id;
  json["standing"] = name_of(reported.standing);
  if (!reported.why.empty()) json["why"] = reported.why;
  json["counts"] = reported.counts;
  json["file"] = reported.file;
  const Json finding = json_of(reported.finding);
  for (const char* key : {"kind", "message", "confirmed", "events"}) json[key] = finding[key];
  json["steps"] = Json::array();
  for (const RunStep& step : reported.run.steps) {
    json["steps"].push_back({{"thread", reported.run.threads[step.thread]},
                             {"site", step.site},
                             {"operation", step.operation},
                             {"values", step.values},
                             {"switch_reason", step.switch_reason}});
  }
  return json;
}

}  // namespace

std::string finding_in_words(const Reported& reported, std::size_t number,
                             const std::string& source_folder, ColumnLayout::Options options) {
  CheckResult result;
  result.source_folder = source_folder;
  Writer writer(result, options);
  writer.add_finding(reported, number);
  return writer.take();
}

std::string check_in_words(const CheckResult& result, const Suppressions& suppressions,
                           const std::string& subject, ColumnLayout::Options options) {
  Writer writer(result, options);
  for (std::size_t i = 0; i < result.findings.size(); ++i) {
    writer.add_finding(result.findings[i], i + 1);
  }
  writer.add_summary(subject, suppressions);
  return writer.take();
}

Json json_of(const CheckResult& result) {
  Json json;
  json["findings"] = Json::array();
  for (const Reported& each : result.findings) json["findings"].push_back(json_of_reported(each));
  json["runs"] = result.runs;
  json["predicted_runs"] = result.predicted_runs;
  json["endings"] = result.endings;
  json["threads"] = result.most_threads;
  json["events"] = result.events;
  json["undecided"] = result.undecided;
  json["information"] = result.information;
  json["suppressed"] = result.suppressed;
  json["known"] = result.known;
  json["out_of_time"] = result.out_of_time;
  json["searched"] = result.searched;
  json["searched_all"] = result.searched_all;
  json["not_searched"] = result.not_searched;
  json["hunted"] = result.hunted;
  json["hunted_to_the_end"] = result.hunted_to_the_end;
  json["not_seen"] = result.not_seen;
  return json;
}

}  // namespace heddle
