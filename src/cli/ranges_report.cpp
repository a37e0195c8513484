#include "cli/ranges_report.h"

#include <algorithm>

#include "cli/output.h"
#include "cli/ranges_states.h"
#include "ranges/names.h"

namespace heddle {
namespace {

using ranges::Analysis;
using ranges::Verdict;

std::string plural(std::uint64_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

void print_assertions(const RangesReport& report) {
  const model::Model& model = report.model;
  for (const ranges::AssertionResult& result : report.chosen.assertions) {
    const model::Transition& transition = model.transitions[result.transition];
    const std::string_view verdict = result.verdict == Verdict::proved     ? "proved"
                                     : result.verdict == Verdict::unproved ? "NOT PROVED"
                                                                           : "unreachable";
    const Colour colour = result.verdict == Verdict::unproved ? Colour::yellow : Colour::green;
    print("{}: {}: {}\n", model.source.place(transition.range), coloured(colour, verdict),
          model.source.in_one_line(transition.range));
  }
  for (const model::TransitionId id : report.chosen.may_fail) {
    const model::Transition& transition = model.transitions[id];
    print("{}: {}: {}\n", model.source.place(transition.range),
          coloured(Colour::yellow, "may leave its range"),
          model.source.in_one_line(transition.range));
  }
}

void print_unreachable(const RangesReport& report) {
  const model::Model& model = report.model;
  for (const model::StateId state : report.chosen.unreachable) {
    const model::ControlState& control = model.states[state];
    if (control.inner) continue;
    const std::uint32_t line = ranges::line_of(model, state);
    print("{}:{}: unreachable: {}: {}\n", model.source.name(), line,
          model.threads[control.thread].name, ranges::statement_at(model, state));
  }
}

std::string count_text(std::size_t count) {
  if (count < 100000) return std::to_string(count);
  return fmt::format("{:.0f}K", static_cast<double>(count) / 1000);
}

}  // namespace

std::size_t unproved(const Analysis& analysis) {
  const auto open = std::count_if(
      analysis.assertions.begin(), analysis.assertions.end(),
      [](const ranges::AssertionResult& result) { return result.verdict == Verdict::unproved; });
  return static_cast<std::size_t>(open) + analysis.may_fail.size();
}

void print_table(const RangesReport& report) {
  const ranges::Size size = ranges::size_of(report.program);
  print("{}, {}, {}, {}, {}\n", plural(size.threads, "thread"), plural(size.locals, "local"),
        plural(size.globals, "global"), fmt::format("{} accesses", size.accesses),
        plural(size.transitions, "transition"));
  print("{:<10} {:>7} {:>7} {:>8} {:>6} {:>9} {:>7} {:>8} {:>11} {:>11}\n", "graph", "nodes",
        "MATs", "CE", "TE", "seconds", "RB_l", "RB_g", "not proved", "unreachable");
  for (const Analysis* analysis : report.all) {
    const ranges::Graph& graph = *analysis->graph;
    print("{:<10} {:>7} {:>7} {:>8} {:>6} {:>9.3f} {:>7} {:>8} {:>11} {:>11}\n",
          ranges::name_of(graph.kind()), graph.node_count(), graph.mats().size(),
          count_text(graph.switch_count()), graph.transactions().size(), analysis->seconds,
          analysis->metric.local, analysis->metric.global, unproved(*analysis),
          analysis->unreachable.size());
  }
  print(
      "MATs: pairs of mutually atomic transactions; CE, TE: edges of context switches and of\n"
      "transactions; RB_l, RB_g: bits that tell the values of locals and globals apart\n\n");
}

void print_for_people(const RangesReport& report) {
  const Analysis& chosen = report.chosen;
  if (report.all.size() > 1) {
    print_table(report);
  } else {
    print_states(report.model, report.chosen.states);
    print("\n");
  }
  print_assertions(report);
  print_unreachable(report);
  const std::size_t open = unproved(chosen);
  print("graph     {}: {}, {}, {}\n", ranges::name_of(chosen.graph->kind()),
        plural(chosen.graph->node_count(), "node"),
        plural(chosen.graph->transactions().size(), "transaction edge"),
        plural(chosen.graph->switch_count(), "context-switch edge"));
  print("loops     {}\n", chosen.complete
                              ? "none was cut short"
                              : fmt::format("cut after {} undecided rounds: what is said holds for "
                                            "executions with no more (--unroll)",
                                            report.unroll));
  print("result    {}; {}; {:.3f} s\n",
        open == 0 ? "everything that is asserted is proved" : plural(open, "check") + " not proved",
        plural(chosen.unreachable.size(), "unreachable control state"), chosen.seconds);
}

}  // namespace heddle
