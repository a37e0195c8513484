// The figures of the HYBRID paper.
#include "explore/replay.h"
#include "hybrid/prefix.h"
#include "tests/hybrid/support.h"

namespace heddle::hybrid {
namespace {

using testing::ElementsAre;

// Figure 5: the first thread has read the counter, the second one as well, and then the first one
// comes to its end. Each has five steps up to where it has given the first lock back.
ObservedRun run_of_figure_5(const model::Model& model) {
  return run_of(model, "0000011111" + std::string(40, '0'));
}

TEST(HybridFigures, Figure5LocksetWarnsWhereTheCounterIsChangedUnderAnotherLock) {
  const model::Model model = example_model("queries.hm");
  const ObservedRun run = run_of_figure_5(model);
  const RunFacts facts(run);
  const std::vector<Warning> warnings = lockset_warnings(facts);
  ASSERT_FALSE(warnings.empty());
  EXPECT_EQ(model.object_name(warnings[0].location), "deletions");
  EXPECT_EQ(line_of(run.site_of(warnings[0].event)), "29");
  EXPECT_EQ(run.events[warnings[0].event].thread(), ThreadId(0));

  const auto pair = partner_before(facts, warnings[0]);
  ASSERT_TRUE(pair.has_value());
  EXPECT_EQ(line_of(run.site_of(pair->first)), "18");
  EXPECT_EQ(run.events[pair->first].thread(), ThreadId(1));
}

TEST(HybridFigures, Figure9TheRaceOfTheRunningExampleIsFoundFromARunWithoutIt) {
  const model::Model model = example_model("queries.hm");
  const std::deque<ObservedRun> runs = {run_of_figure_5(model)};
  const HuntReport report = hunt(model, runs, {});
  ASSERT_EQ(report.count(Verdict::witness), 1u);
  const WarningReport& warning = report.warnings.front();
  EXPECT_EQ(warning.location, "deletions");
  EXPECT_EQ(line_of(warning.sites[0]), "18");
  EXPECT_EQ(line_of(warning.sites[1]), "29");
  EXPECT_EQ(warning.prefix_events, 6 + warning.extended_by);

  model::Interpreter fresh(model);
  const ReplayedFinding replayed = make_finding(fresh, *warning.witness, ModelSubject{}, "hunt");
  EXPECT_EQ(replayed.finding.confirmed, Confirmation::replay);
  EXPECT_EQ(replayed.finding.message,
            "worker(0) writes deletions in `deletions += 1` while worker(1) reads deletions in "
            "`if (deletions % 5 == 0)`");
}

TEST(HybridFigures, Figure9TheGrownPrefixIsTheWitnessWithoutASearch) {
  const model::Model model = example_model("queries.hm");
  const ObservedRun run = run_of_figure_5(model);
  const RunFacts facts(run);
  const Warning warning = lockset_warnings(facts).front();
  const Pair pair = *partner_before(facts, warning);
  const Prefix prefix = extended_prefix(run, pair);
  EXPECT_EQ(prefix.events.back() + 1, pair.second);
  for (std::size_t i = pair.first; i < prefix.events.size(); ++i) {
    EXPECT_EQ(run.events[prefix.events[i]].thread(), ThreadId(0));
  }
}

TEST(HybridFigures, TheRunningExampleIsFoundFromOrdinaryRunsWithManyThreads) {
  for (const std::int64_t threads : {2, 3, 4, 8}) {
    const model::Model model = example_model("queries.hm", {{"THREADS", threads}});
    const HuntReport report = hunt(model, {});
    EXPECT_EQ(report.count(Verdict::witness), 1u) << threads;
  }
}

TEST(HybridFigures, Figure6HasAWarningWithoutAPartner) {
  const model::Model model = example_model("figure6.hm");
  const HuntReport report = hunt(model, {});
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_EQ(report.warnings[0].verdict, Verdict::no_partner);
  EXPECT_EQ(report.warnings[0].location, "x");
  EXPECT_EQ(line_of(report.warnings[0].sites[0]), "19");
}

TEST(HybridFigures, Figure6IsNotReportedWithAllPartners) {
  const model::Model model = example_model("figure6.hm");
  EXPECT_EQ(hunt(model, {.all_partners = true}).count(Verdict::witness), 0u);
}

// The second thread's first part, the first one's, the second one to its end.
ObservedRun run_of_figure_7(const model::Model& model) {
  return run_of(model, "111111000000111111111");
}

TEST(HybridFigures, Figure7HasNoPartnerBeforeTheWarning) {
  const model::Model model = example_model("figure7.hm");
  const ObservedRun run = run_of_figure_7(model);
  const RunFacts facts(run);
  const std::vector<Warning> warnings = lockset_warnings(facts);
  ASSERT_FALSE(warnings.empty());
  EXPECT_EQ(line_of(run.site_of(warnings[0].event)), "31");
  EXPECT_FALSE(partner_before(facts, warnings[0]).has_value());
  const auto pair = partner_behind(facts, warnings[0]);
  ASSERT_TRUE(pair.has_value());
  EXPECT_EQ(line_of(run.site_of(pair->second)), "15");
}

TEST(HybridFigures, Figure7IsFoundWithTheScanForward) {
  const model::Model model = example_model("figure7.hm");
  const std::deque<ObservedRun> runs = {run_of_figure_7(model)};
  const HuntReport report = hunt(model, runs, {});
  ASSERT_EQ(report.count(Verdict::witness), 1u);
  EXPECT_THAT(report.warnings[0].witness->sites,
              ElementsAre(testing::HasSubstr(":15:"), testing::HasSubstr(":31:")));
}

}  // namespace
}  // namespace heddle::hybrid
