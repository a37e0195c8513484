// `heddle ranges --json`: everything, in one object.
#include <nlohmann/json.hpp>

#include "cli/output.h"
#include "cli/ranges_report.h"
#include "ranges/names.h"

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;
using model::StateId;
using ranges::Analysis;
using ranges::Graph;
using ranges::NodeId;
using ranges::PointId;

std::string key_of(ranges::GraphKind kind) {
  return kind == ranges::GraphKind::tsg_prime ? "tsg_prime" : std::string(name_of(kind));
}

Json points(const std::vector<PointId>& list) {
  Json made = Json::array();
  for (const PointId point : list) made.push_back(point.value());
  return made;
}

Json nodes_json(const Graph& graph) {
  const ranges::Program& program = graph.program();
  Json made = Json::array();
  for (const NodeId node : indices<NodeId>(graph.node_count())) {
    const PointId point = graph.point(node);
    made.push_back({{"point", point.value()},
                    {"name", ranges::name_of(program, point)},
                    {"thread", program.flow[point].thread.value()},
                    {"state", program.flow[point].state.value()}});
  }
  return made;
}

Json mats_json(const Graph& graph) {
  Json made = Json::array();
  for (const ranges::Mat& mat : graph.mats()) {
    made.push_back(
        {{"first", {{"begin", mat.first_begin.value()}, {"ends", points(mat.first_ends)}}},
         {"second", {{"begin", mat.second_begin.value()}, {"ends", points(mat.second_ends)}}}});
  }
  return made;
}

Json graph_json(const Analysis& analysis) {
  const Graph& graph = *analysis.graph;
  Json transactions = Json::array(), switches = Json::array();
  for (const ranges::TransactionEdge& edge : graph.transactions()) {
    transactions.push_back({graph.point(edge.source).value(), graph.point(edge.target).value()});
  }
  for (const NodeId node : indices<NodeId>(graph.node_count())) {
    for (const NodeId target : graph.switches_from(node)) {
      switches.push_back({graph.point(node).value(), graph.point(target).value()});
    }
  }
  return {{"nodes", graph.node_count()},
          {"transaction_edges", graph.transactions().size()},
          {"context_switch_edges", graph.switch_count()},
          {"mats", graph.mats().size()},
          {"mat_context_switches", graph.mat_switches().size()},
          {"seconds", analysis.seconds},
          {"iterations", analysis.iterations},
          {"rb_local", analysis.metric.local},
          {"rb_global", analysis.metric.global},
          {"unreachable", analysis.unreachable.size()},
          {"unproved", unproved(analysis)},
          {"complete", analysis.complete},
          {"node_list", nodes_json(graph)},
          {"transaction_list", transactions},
          {"context_switch_list", switches},
          {"mat_list", mats_json(graph)}};
}

Json interval_json(model::Interval interval) { return Json::array({interval.low, interval.high}); }

Json state_json(const RangesReport& report, StateId state) {
  const model::Model& model = report.model;
  const ranges::StateRange& range = report.chosen.states[state];
  const ThreadId thread = model.states[state].thread;
  Json made = {{"state", state.value()},
               {"thread", model.threads[thread].name},
               {"line", ranges::line_of(model, state)},
               {"visible", !model.states[state].inner},
               {"reachable", range.reachable}};
  Json variables = Json::object();
  for (std::size_t i = 0; i < range.words.size(); ++i) {
    const std::uint32_t word = ranges::word_at(model, state, i);
    const model::Variable* variable = ranges::shown_variable(model, word);
    if (variable == nullptr) continue;
    const std::string name = ranges::name_of(model, *variable);
    variables[variable->is_array ? fmt::format("{}[{}]", name, word - variable->first_word)
                                 : name] = interval_json(range.words[i]);
  }
  made["intervals"] = std::move(variables);
  return made;
}

Json assertions_json(const RangesReport& report) {
  Json made = Json::array();
  for (const ranges::AssertionResult& result : report.chosen.assertions) {
    const model::Transition& transition = report.model.transitions[result.transition];
    const char* const verdict = result.verdict == ranges::Verdict::proved     ? "proved"
                                : result.verdict == ranges::Verdict::unproved ? "unproved"
                                                                              : "unreachable";
    made.push_back({{"line", report.model.source.line(transition.range.begin)},
                    {"text", report.model.source.in_one_line(transition.range)},
                    {"verdict", verdict}});
  }
  return made;
}

Json may_fail_json(const RangesReport& report) {
  Json made = Json::array();
  for (const model::TransitionId id : report.chosen.may_fail) {
    const model::Transition& transition = report.model.transitions[id];
    made.push_back({{"line", report.model.source.line(transition.range.begin)},
                    {"text", report.model.source.in_one_line(transition.range)}});
  }
  return made;
}

}  // namespace

void print_json(const RangesReport& report) {
  const ranges::Size size = ranges::size_of(report.program);
  Json json = {{"file", report.model.source.name()},
               {"threads", size.threads},
               {"locals", size.locals},
               {"globals", size.globals},
               {"accesses", size.accesses},
               {"transitions", size.transitions},
               {"unroll", report.unroll},
               {"lookahead", report.options.lookahead},
               {"published", report.options.published},
               {"graph", key_of(report.chosen.graph->kind())},
               {"complete", report.chosen.complete}};
  json["graphs"] = Json::object();
  for (const Analysis* analysis : report.all) {
    json["graphs"][key_of(analysis->graph->kind())] = graph_json(*analysis);
  }
  json["assertions"] = assertions_json(report);
  json["may_fail"] = may_fail_json(report);
  json["unreachable"] = Json::array();
  for (const StateId state : report.chosen.unreachable)
    json["unreachable"].push_back(state.value());
  json["states"] = Json::array();
  for (const StateId state : indices(report.model.states)) {
    json["states"].push_back(state_json(report, state));
  }
  print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

}  // namespace heddle
