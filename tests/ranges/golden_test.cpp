// The golden facts of the TSG paper, MAT by MAT.
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "model/compile.h"
#include "ranges/analysis.h"

namespace heddle::ranges {
namespace {

class Figure1 : public ::testing::Test {
 protected:
  Figure1()
      : model_(*model::load(HEDDLE_MODELS "/tsg/figure1.hm")),
        program_(std::move(*make_program(model_, 8))) {
    for (const ThreadId thread : indices(model_.threads)) {
      int next = 1;
      const char letter = thread.value() == 0 ? 'a' : 'b';
      for (const PointId step : program_->conflicts.steps_of(thread)) {
        const bool last = program_->flow.is_last(step);
        names_[step] = last ? std::string("J") + letter : std::to_string(next++) + letter;
      }
    }
  }

  std::string text(const Mat& mat) {
    std::string made = "(" + names_[mat.first_begin] + "-";
    for (const PointId end : mat.first_ends) made += names_[end];
    made += "," + names_[mat.second_begin] + "-";
    for (const PointId end : mat.second_ends) made += names_[end];
    return made + ")";
  }
  std::string mats(const Graph& graph) {
    std::string made;
    for (const Mat& mat : graph.mats()) made += (made.empty() ? "" : " ") + text(mat);
    return made;
  }
  std::string switches(const Graph& graph) {
    std::set<std::string> made;
    for (const NodeId node : indices<NodeId>(graph.node_count())) {
      for (const NodeId target : graph.switches_from(node)) {
        made.insert("(" + names_[graph.point(node)] + "," + names_[graph.point(target)] + ")");
      }
    }
    std::string all;
    for (const std::string& one : made) all += one;
    return all;
  }

  model::Model model_;
  std::unique_ptr<Program> program_;
  std::map<PointId, std::string> names_;
};

TEST_F(Figure1, HasSevenMatsByGenMat) {
  const Graph graph(*program_, GraphKind::tsg);
  EXPECT_EQ(mats(graph),
            "(1a-Ja,1b-2b) (1a-5a,2b-3b) (5a-Ja,2b-Jb) (1a-2a,3b-6b) (5a-Ja,3b-Jb) (1a-Ja,6b-Jb) "
            "(2a-Ja,6b-Jb)");
  EXPECT_EQ(graph.mat_switches().size(), 12U);
  EXPECT_EQ(graph.switch_count(), 10U);
  EXPECT_EQ(switches(graph),
            "(2b,1a)(5a,2b)(6b,1a)(Ja,1b)(Ja,2b)(Ja,3b)(Ja,6b)(Jb,1a)(Jb,2a)(Jb,5a)");
  EXPECT_EQ(graph.node_count(), 9U);
  EXPECT_EQ(graph.transactions().size(), 7U);
}

TEST_F(Figure1, HasFiveMatsByTheImprovedGenMat) {
  const Graph graph(*program_, GraphKind::tsg_prime);
  EXPECT_EQ(mats(graph), "(1a-Ja,1b-2b) (1a-5a,2b-6b) (5a-Ja,2b-Jb) (1a-Ja,6b-Jb) (5a-Ja,6b-Jb)");
  EXPECT_EQ(graph.mat_switches().size(), 8U);
  EXPECT_EQ(graph.switch_count(), 8U);
  EXPECT_EQ(switches(graph), "(2b,1a)(5a,2b)(6b,1a)(Ja,1b)(Ja,2b)(Ja,6b)(Jb,1a)(Jb,5a)");
  EXPECT_EQ(graph.node_count(), 7U);
  EXPECT_EQ(graph.transactions().size(), 5U);
}

TEST_F(Figure1, HasThirteenNodesWithoutMats) {
  const Graph graph(*program_, GraphKind::ccfg);
  EXPECT_EQ(graph.node_count(), 13U);
  EXPECT_EQ(graph.transactions().size(), 11U);
  EXPECT_TRUE(graph.mats().empty());
}

// The paper's run of RPT: Y <= 5 behind Mb holds by the graphs with MATs, not without.
TEST_F(Figure1, IsProvedAsPublishedOnlyWithMats) {
  const PropagateOptions published{.lookahead = 1, .published = true};
  const auto verdict = [&](GraphKind kind) {
    return analyse(*program_, kind, published).assertions.front().verdict;
  };
  EXPECT_EQ(verdict(GraphKind::ccfg), Verdict::unproved);
  EXPECT_EQ(verdict(GraphKind::tsg), Verdict::proved);
  EXPECT_EQ(verdict(GraphKind::tsg_prime), Verdict::proved);
}

TEST_F(Figure1, IsProvedOnAllGraphsByTheCumulativeFixpoint) {
  for (const GraphKind kind : kGraphKinds) {
    EXPECT_EQ(analyse(*program_, kind).assertions.front().verdict, Verdict::proved);
  }
}

TEST_F(Figure1, NeedsFewerBitsOnSmallerGraphs) {
  const std::uint64_t ccfg = analyse(*program_, GraphKind::ccfg).metric.global;
  const std::uint64_t tsg = analyse(*program_, GraphKind::tsg).metric.global;
  const std::uint64_t prime = analyse(*program_, GraphKind::tsg_prime).metric.global;
  EXPECT_LT(tsg, ccfg);
  EXPECT_LT(prime, tsg);
}

}  // namespace
}  // namespace heddle::ranges
