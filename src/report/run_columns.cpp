#include "report/run_columns.h"

#include <algorithm>

#include <fmt/format.h>

namespace heddle {
namespace {

constexpr std::size_t kWidestSite = 40;
constexpr std::size_t kNarrowestColumn = 14;

// Folders say little where all events are from one file or a few.
std::string_view without_folders(std::string_view site) {
  const std::size_t slash = site.rfind('/');
  return slash == std::string_view::npos ? site : site.substr(slash + 1);
}

const std::string& words_of(const RunStep& step) {
  return step.values.empty() ? step.operation : step.values;
}

// What did not happen, since it waits or only would come next.
std::string words_of(const FindingEvent& event, FindingKind kind) {
  if (kind == FindingKind::livelock) return fmt::format("stuck: {}", event.values);
  const std::string_view front = kind == FindingKind::deadlock ? "blocked" : "next";
  return fmt::format("{}: {}", front, event.values.empty() ? event.operation : event.values);
}

class RunPrinter {
 public:
  RunPrinter(const Run& run, ColumnLayout::Options options)
      : run_(run), threads_(run.threads), layout_(lay_out(options)) {}

  std::string print() {
    add(layout_.header());
    if (run_.steps_before > 0)
      add(layout_.note(fmt::format("... after {} steps before", run_.steps_before)));
    for (std::size_t i = 0; i < run_.steps.size(); ++i) add_step(i);
    if (!run_.end) return std::move(text_);
    for (const FindingEvent& event : run_.end->events) {
      if (!event.step) add_next(event);
    }
    return std::move(text_);
  }

 private:
  ColumnLayout lay_out(ColumnLayout::Options options) {
    ColumnLayout::Widths widths{.site = 4, .narrowest = kNarrowestColumn, .stacks = true};
    const auto fit = [&](const std::string& words, std::string_view site) {
      widths.text = std::max(widths.text, display_width(words));
      widths.site = std::max(widths.site, std::min(kWidestSite, display_width(site)));
    };
    for (const RunStep& step : run_.steps) fit(words_of(step), without_folders(step.site));
    if (run_.end) fit_end(fit);
    widths.number = fmt::formatted_size("{}", run_.steps_before + run_.steps.size());
    std::vector<ColumnLayout::Heading> headings;
    for (const std::string& thread : threads_) {
      headings.push_back({thread, static_cast<std::uint32_t>(headings.size())});
    }
    return {std::move(headings), widths, options};
  }

  // A thread may matter though it took no step.
  template <typename Fit>
  void fit_end(const Fit& fit) {
    for (const FindingEvent& event : run_.end->events) {
      if (event.step) continue;
      fit(words_of(event, run_.end->kind), without_folders(event.site));
      const bool known =
          std::find(threads_.begin(), threads_.end(), event.thread) != threads_.end();
      if (!known) threads_.push_back(event.thread);
    }
  }

  void add_step(std::size_t i) {
    const RunStep& step = run_.steps[i];
    if (!step.switch_reason.empty()) add(layout_.note("> " + step.switch_reason));
    add(layout_.folded(fmt::format("{}", run_.steps_before + i + 1), step.thread, words_of(step),
                       without_folders(step.site)));
  }

  void add_next(const FindingEvent& event) {
    const auto thread = std::find(threads_.begin(), threads_.end(), event.thread);
    const auto column = static_cast<std::size_t>(thread - threads_.begin());
    add(layout_.folded("", column, words_of(event, run_.end->kind), without_folders(event.site)));
  }

  void add(const std::string& line) { text_ += line + "\n"; }
  void add(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) add(line);
  }

  const Run& run_;
  std::vector<std::string> threads_;
  ColumnLayout layout_;
  std::string text_;
};

}  // namespace

std::string run_in_columns(const Run& run, ColumnLayout::Options options) {
  return RunPrinter(run, options).print();
}

}  // namespace heddle
