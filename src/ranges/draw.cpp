#include "ranges/draw.h"

#include <algorithm>

#include <fmt/format.h>

#include "ranges/names.h"

namespace heddle::ranges {
namespace {

std::string escaped(const std::string& text) {
  std::string made;
  for (const char c : text) {
    switch (c) {
      case '<': made += "&lt;"; break;
      case '>': made += "&gt;"; break;
      case '&': made += "&amp;"; break;
      case '"': made += "&quot;"; break;
      default: made += c;
    }
  }
  return made;
}

class Drawing {
 public:
  explicit Drawing(const Graph& graph) : graph_(graph), rows_(graph.node_count(), 0) {
    std::vector<std::uint32_t> used(graph.program().model().threads.size(), 0);
    for (const NodeId node : indices(rows_)) {
      rows_[node] = used[thread_of(node).value()]++;
      height_ = std::max(height_, rows_[node] + 1);
    }
  }

  std::string run() {
    const std::size_t threads = graph_.program().model().threads.size();
    text_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" "
        "font-family=\"sans-serif\" font-size=\"12\">\n"
        "<style>.s{{stroke:#999;stroke-dasharray:4 3;fill:none}}"
        ".t{{stroke:#000;stroke-width:2;fill:none}}.n{{fill:#fff;stroke:#000}}"
        "path{{marker-end:url(#arrow)}}</style>\n"
        "<defs><marker id=\"arrow\" markerWidth=\"9\" markerHeight=\"8\" refX=\"8\" refY=\"4\" "
        "orient=\"auto\" markerUnits=\"userSpaceOnUse\"><polygon points=\"0,0 9,4 0,8\"/></marker>"
        "</defs>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
        threads * kColumn + kMargin, height_ * kRow + 2 * kMargin);
    titles();
    for (const NodeId node : indices(rows_)) switches(node);
    for (const TransactionEdge& edge : graph_.transactions()) transaction(edge);
    for (const NodeId node : indices(rows_)) box(node);
    legend();
    return text_ + "</svg>\n";
  }

 private:
  static constexpr std::size_t kColumn = 320, kRow = 56, kMargin = 50;
  static constexpr std::size_t kWidth = 190, kHeight = 24;

  ThreadId thread_of(NodeId node) const { return graph_.program().flow[graph_.point(node)].thread; }
  std::size_t x(NodeId node) const {
    return thread_of(node).value() * kColumn + kMargin + kWidth / 2;
  }
  std::size_t y(NodeId node) const { return rows_[node] * kRow + kMargin + kRow / 2; }

  void titles() {
    for (const ThreadId thread : indices(graph_.program().model().threads)) {
      text_ += fmt::format(
          "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" font-weight=\"bold\">{}</text>\n",
          thread.value() * kColumn + kMargin + kWidth / 2, kMargin / 2,
          escaped(graph_.program().model().threads[thread].name));
    }
  }

  void switches(NodeId node) {
    for (const NodeId target : graph_.switches_from(node)) {
      const bool right = x(target) > x(node);
      const std::size_t from = right ? x(node) + kWidth / 2 : x(node) - kWidth / 2;
      const std::size_t to = right ? x(target) - kWidth / 2 : x(target) + kWidth / 2;
      text_ += fmt::format("<path class=\"s\" d=\"M{} {} C{} {} {} {} {} {}\"/>\n", from, y(node),
                           right ? from + kRow : from - kRow, y(node),
                           right ? to - kRow : to + kRow, y(target), to, y(target));
    }
  }

  // Down to the next box, or around the boxes between.
  void transaction(const TransactionEdge& edge) {
    const std::size_t middle = x(edge.source);
    if (rows_[edge.target] == rows_[edge.source] + 1) {
      text_ += fmt::format("<path class=\"t\" d=\"M{0} {1} L{0} {2}\"/>\n", middle,
                           y(edge.source) + kHeight / 2, y(edge.target) - kHeight / 2);
      return;
    }
    const std::size_t side = middle + kWidth / 2;
    text_ +=
        fmt::format("<path class=\"t\" d=\"M{0} {1} Q{2} {3} {0} {4}\"/>\n", side, y(edge.source),
                    side + kRow, (y(edge.source) + y(edge.target)) / 2, y(edge.target));
  }

  void legend() {
    text_ += fmt::format(
        "<text x=\"{}\" y=\"{}\">{} of {}: solid: transactions, dashed: context switches</text>\n",
        kMargin, height_ * kRow + 2 * kMargin - 12, name_of(graph_.kind()),
        escaped(graph_.program().model().source.name()));
  }

  void box(NodeId node) {
    text_ += fmt::format(
        "<rect class=\"n\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"6\"/>"
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
        x(node) - kWidth / 2, y(node) - kHeight / 2, kWidth, kHeight, x(node), y(node) + 4,
        escaped(label(node)));
  }

  // "15: lock(L)", cut to what fits the box.
  std::string label(NodeId node) const {
    const Program& program = graph_.program();
    const std::string name = name_of(program, graph_.point(node));
    const std::string where = name.substr(name.rfind(':') + 1);
    const std::string what = statement_at(program.model(), program.flow[graph_.point(node)].state);
    const std::string text =
        where == "end" || where == "cut" ? where : fmt::format("{}: {}", where, what);
    constexpr std::size_t kMost = 28;
    return text.size() <= kMost ? text : text.substr(0, kMost - 3) + "...";
  }

  const Graph& graph_;
  Table<NodeId, std::uint32_t> rows_;
  std::uint32_t height_ = 0;
  std::string text_;
};

std::string quoted(const std::string& text) {
  std::string made = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') made += '\\';
    made += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  return made + "\"";
}

}  // namespace

std::string graphviz(const Graph& graph) {
  const Program& program = graph.program();
  std::string text = fmt::format("digraph {} {{\n  node [shape=box, fontsize=10];\n",
                                 quoted(program.model().source.name()));
  for (const ThreadId thread : indices(program.model().threads)) {
    text += fmt::format("  subgraph cluster_{} {{\n    label={};\n", thread.value(),
                        quoted(program.model().threads[thread].name));
    for (const NodeId node : indices<NodeId>(graph.node_count())) {
      if (program.flow[graph.point(node)].thread != thread) continue;
      const PointId point = graph.point(node);
      text += fmt::format(
          "    n{} [label={}];\n", node.value(),
          quoted(fmt::format("{}\n{}", name_of(program, point),
                             statement_at(program.model(), program.flow[point].state))));
    }
    text += "  }\n";
  }
  for (const TransactionEdge& edge : graph.transactions()) {
    text += fmt::format("  n{} -> n{} [style=bold];\n", edge.source.value(), edge.target.value());
  }
  for (const NodeId node : indices<NodeId>(graph.node_count())) {
    for (const NodeId target : graph.switches_from(node)) {
      text += fmt::format("  n{} -> n{} [style=dashed, color=gray, constraint=false];\n",
                          node.value(), target.value());
    }
  }
  return text + "}\n";
}

std::string svg(const Graph& graph) { return Drawing(graph).run(); }

}  // namespace heddle::ranges
