// heddle ranges: intervals of all variables that hold under every interleaving.
#include <memory>

#include "cli/commands.h"
#include "cli/model_options.h"
#include "cli/output.h"
#include "cli/ranges_report.h"
#include "ranges/analysis.h"
#include "ranges/draw.h"

namespace heddle {
namespace {

using ranges::Analysis;
using ranges::GraphKind;

struct RangesOptions {
  ModelOptions model;
  std::string graph;
  std::uint32_t unroll = 8;
  std::uint32_t lookahead = 1;
  bool published = false;
  bool compare = false;
  bool dot = false;
  bool svg = false;
  bool json = false;
  bool require_complete = false;
};

GraphKind kind_named(const std::string& name) {
  for (const GraphKind kind : ranges::kGraphKinds) {
    if (ranges::name_of(kind) == name) return kind;
  }
  return GraphKind::tsg_prime;
}

// The chosen graph; all three to compare them, and in JSON unless one was asked for.
std::vector<GraphKind> kinds_wanted(const RangesOptions& options) {
  if (options.compare || (options.json && options.graph.empty())) {
    return {ranges::kGraphKinds.begin(), ranges::kGraphKinds.end()};
  }
  return {kind_named(options.graph)};
}

ExitStatus draw(const RangesOptions& options, const ranges::Program& program) {
  const ranges::Graph graph(program, kind_named(options.graph),
                            ranges::needed_switching({options.lookahead, options.published}));
  print_text(options.dot ? ranges::graphviz(graph) : ranges::svg(graph));
  return ExitStatus::ok;
}

ExitStatus report(const RangesOptions& options, const ranges::Program& program) {
  const ranges::PropagateOptions how{options.lookahead, options.published};
  std::vector<Analysis> analyses;
  for (const GraphKind kind : kinds_wanted(options)) {
    analyses.push_back(ranges::analyse(program, kind, how));
  }
  std::vector<const Analysis*> all;
  const Analysis* chosen = &analyses.back();
  for (const Analysis& analysis : analyses) {
    all.push_back(&analysis);
    if (analysis.graph->kind() == kind_named(options.graph)) chosen = &analysis;
  }
  const RangesReport made{program.model(), program, options.unroll, how, *chosen, all};
  options.json ? print_json(made) : print_for_people(made);
  if (unproved(*chosen) > 0) return ExitStatus::found;
  return options.require_complete && !chosen->complete ? ExitStatus::incomplete : ExitStatus::ok;
}

ExitStatus run(const RangesOptions& options) {
  return with_model(options.model, [&](const model::Model& model) {
    const auto program = ranges::make_program(model, options.unroll);
    if (!program.ok()) return fail(ExitStatus::bad_input, program.error());
    return options.dot || options.svg ? draw(options, **program) : report(options, **program);
  });
}

Action declare(CLI::App& app) {
  const auto options = std::make_shared<RangesOptions>();
  options->model.declare(app);
  app.add_option("--graph", options->graph,
                 "what to propagate on: 'ccfg', 'tsg' or 'tsg-prime' (default)")
      ->type_name("GRAPH")
      ->check(CLI::IsMember({"ccfg", "tsg", "tsg-prime"}));
  app.add_option("--lookahead", options->lookahead,
                 "carry intervals over so many transactions before they are joined (default 1)")
      ->check(CLI::Range(1, 16));
  app.add_option("--unroll", options->unroll,
                 "follow a loop whose end is not decided for so many rounds (default 8)")
      ->check(CLI::Range(0, 100000));
  app.add_flag("--published", options->published,
               "join per step, not over all steps so far, as in the paper");
  app.add_flag("--compare", options->compare, "all three graphs, side by side");
  app.add_flag("--dot", options->dot, "print the graph for Graphviz instead");
  app.add_flag("--svg", options->svg, "print a drawing of the graph instead")->excludes("--dot");
  app.add_flag("--require-complete", options->require_complete,
               "exit with 5 if everything is proved but a loop was cut short");
  app.add_flag("--json", options->json, "print one JSON object");
  return [options] { return run(*options); };
}

}  // namespace

constinit const Command kRangesCommand = {
    .name = "ranges",
    .summary = "intervals of a model's variables under every interleaving",
    .help =
        "Computes for every control state and every variable an interval in which its value lies\n"
        "whenever the thread stands there, whatever the other threads do. With these intervals it\n"
        "proves assertions, and names control states that cannot be reached. It is quick and\n"
        "misses nothing, but it may fail to prove what is true; `heddle explore` then decides.\n"
        "\n"
        "The intervals are propagated on a transaction sequence graph: 'tsg-prime' has the fewest\n"
        "transactions and switches, 'ccfg' a switch at every shared access; --compare shows the\n"
        "difference. Loops are unrolled: counted ones to their end, others for --unroll rounds, "
        "and\n"
        "the report says if a loop was cut short. docs/ranges.md explains all that.\n"
        "\n"
        "Exit status: 0 everything that is asserted is proved, 42 something is not, 5 a loop was "
        "cut\n"
        "short (with --require-complete), 64 wrong usage, 65 a wrong model.",
    .declare = declare,
};

}  // namespace heddle
