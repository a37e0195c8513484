// The stages one by one, on small models.
#include "hybrid/chop.h"
#include "hybrid/prefix.h"
#include "tests/hybrid/support.h"

namespace heddle::hybrid {
namespace {

std::vector<std::string> warned_lines(const std::string& text, const std::string& threads = "") {
  const model::Model model = access_model(text);
  const ObservedRun run = run_of(model, threads);
  const RunFacts facts(run);
  std::vector<std::string> lines;
  for (const Warning& warning : lockset_warnings(facts)) {
    lines.push_back(line_of(run.site_of(warning.event)));
  }
  return lines;
}

using testing::ElementsAre;
using testing::IsEmpty;

TEST(HybridLockset, WarnsWhereNoCommonLockIsLeft) {
  EXPECT_THAT(warned_lines("int x; lock m, n;\n"
                           "thread a { lock(m);\n x = 1;\n unlock(m); }\n"
                           "thread b { lock(m);\n x = 2;\n unlock(m); lock(n);\n x = 3;\n"
                           " unlock(n); }\n"),
              ElementsAre("8"));
}

TEST(HybridLockset, LeavesWhatIsOnlyReadAlone) {
  EXPECT_THAT(warned_lines("int x; int y[2]; thread t(i : 0..1) { y[i] = x; }"), IsEmpty());
}

TEST(HybridLockset, WarnsOfAWriteUnderAReadersLock) {
  const std::string text =
      "int x; rwlock w;\n"
      "thread a { lock(w);\n x = 1;\n unlock(w); }\n"
      "thread b { read_lock(w);\n x = 2;\n read_unlock(w); }\n";
  EXPECT_THAT(warned_lines(text), ElementsAre("6"));
}

TEST(HybridLockset, TakesAReadersLockForReads) {
  EXPECT_THAT(warned_lines("int x; int y[2]; rwlock w;\n"
                           "thread a { lock(w); x = 1; unlock(w); }\n"
                           "thread b(i : 0..1) { read_lock(w); y[i] = x; read_unlock(w); }\n"),
              IsEmpty());
}

TEST(HybridLockset, NeedsNoLockBeforeTheForkAndAfterTheJoin) {
  EXPECT_THAT(warned_lines("int x; lock m;\n"
                           "thread main { x = 1; fork w(0); fork w(1); join w(0); join w(1);\n"
                           "              x = 2; }\n"
                           "thread w(i : 0..1) forked { lock(m); x += 1; unlock(m); }\n"),
              IsEmpty());
}

TEST(HybridLockset, NeedsALockBeforeTheLastJoin) {
  EXPECT_THAT(warned_lines("int x; lock m;\n"
                           "thread main { fork w(0); fork w(1); join w(0);\n"
                           "              x = 2;\n join w(1); }\n"
                           "thread w(i : 0..1) forked { lock(m); x += 1; unlock(m); }\n",
                           "0001111122222000"),
              ElementsAre("3"));
}

// The grown prefix behind the first access to x that another thread could race with.
std::size_t grown_by(const std::string& text, const std::string& threads) {
  const model::Model model = access_model(text);
  const ObservedRun run = run_of(model, threads);
  const RunFacts facts(run);
  for (const Pair& pair : all_pairs(facts, 1)) {
    if (model.object_name(pair.location) == "x") return extended_prefix(run, pair).extended_by;
  }
  ADD_FAILURE() << "no pair";
  return 0;
}

TEST(HybridPrefix, GrowsUpToTheRace) {
  EXPECT_EQ(grown_by("int x, y; thread a { x = 1; } thread b { y = 1; y = 2; x = 2; }", "0111"),
            2u);
}

TEST(HybridPrefix, StopsBeforeAReadOfWhatThePausedThreadWouldHaveWritten) {
  const std::string text =
      "int x, y, z; thread a { x = 1; y = 1; } thread b { z = 1; z = y; x = 2; }";
  EXPECT_EQ(grown_by(text, "001111"), 1u);
}

TEST(HybridPrefix, GoesOnWhenThatWasOverwritten) {
  const std::string text =
      "int x, y, z; thread a { x = 1; y = 1; } thread b { y = 2; z = y; x = 2; }";
  EXPECT_EQ(grown_by(text, "001111"), 3u);
}

TEST(HybridPrefix, StopsAtALockThatThePausedThreadKeeps) {
  const std::string text =
      "int x, y; lock m; thread a { lock(m); x = 1; unlock(m); }\n"
      "thread b { y = 1; lock(m); unlock(m); x = 2; }";
  EXPECT_EQ(grown_by(text, "0001111"), 1u);
}

TEST(HybridPrefix, PassesALockThatThePausedThreadTakesLater) {
  const std::string text =
      "int x, y; lock m; thread a { x = 1; lock(m); unlock(m); }\n"
      "thread b { y = 1; lock(m); unlock(m); x = 2; }";
  EXPECT_EQ(grown_by(text, "0001111"), 3u);
}

TEST(HybridPrefix, StopsAtATryThatWouldNotFailNow) {
  const std::string text =
      "int x, y; lock m; thread a { x = 1; lock(m); y = 1; unlock(m); }\n"
      "thread b { bool got = trylock(m); y = 2; if (got) unlock(m); x = 2; }";
  EXPECT_EQ(grown_by(text, "00111"), 0u);
}

TEST(HybridPrefix, StopsWhereThePausedThreadWouldHavePosted) {
  const std::string text =
      "int x, y; semaphore s; thread a { x = 1; post(s); } thread b { y = 1; wait(s); x = 2; }";
  EXPECT_EQ(grown_by(text, "00111"), 1u);
}

TEST(HybridPrefix, LeavesOutWhomThePausedThreadWouldHaveForked) {
  const std::string text =
      "int x, y, z; thread a { x = 1; fork c; join c; } thread b { y = 1; x = 2; }\n"
      "thread c forked { z = 1; z = 2; }";
  EXPECT_EQ(grown_by(text, "0022211"), 1u);
}

TEST(HybridSearchOptions, ValuesBeyondTheBitsLeaveAWarningOpen) {
  const model::Model model = access_model(
      "int x, n; lock m, k;\n"
      "thread a { lock(m); x = 1; unlock(m); }\n"
      "thread b { for (i : 1..9) n += 1; lock(k); x = 2; unlock(k); }\n");
  const HuntReport all = hunt(model, {.all_partners = true, .extend = false, .bits = 5});
  const HuntReport few = hunt(model, {.all_partners = true, .extend = false, .bits = 4});
  EXPECT_EQ(all.count(Verdict::witness), 1u);
  EXPECT_EQ(few.count(Verdict::witness), 0u);
  ASSERT_EQ(few.count(Verdict::open), 1u);
  EXPECT_GT(few.warnings[0].overflows, 0u);
  EXPECT_EQ(few.warnings[0].why, "values did not fit into --bits");
}

// In the first execution that is searched, the second thread is over before the third one looks.
TEST(HybridSearchOptions, ABudgetThatDoesNotSufficeLeavesAWarningOpen) {
  const model::Model model = access_model(
      "int x; atomic int f; lock m, k;\n"
      "thread a { lock(m); x = 1; unlock(m); }\n"
      "thread b { f = 1; f = 0; }\n"
      "thread c { if (f == 1) { lock(k); x = 2; unlock(k); } }\n");
  const std::deque<ObservedRun> runs = {run_of(model, "00012222")};
  HuntOptions options{.all_partners = true, .hint = false, .extend = false, .max_executions = 1};
  const HuntReport report = hunt(model, runs, options);
  ASSERT_EQ(report.count(Verdict::open), 1u);
  EXPECT_EQ(report.warnings[0].why, "the executions of --max-executions are used up");
  options.max_executions = 100;
  EXPECT_EQ(hunt(model, runs, options).count(Verdict::witness), 1u);
}

TEST(HybridSearchOptions, AWarningThatCannotComeTrueIsSpurious) {
  const model::Model model = access_model(
      "int x; semaphore s; lock m, k;\n"
      "thread a { lock(m); x = 1; unlock(m); post(s); }\n"
      "thread b { wait(s); lock(m); x = 2; unlock(m); lock(k); x = 3; unlock(k); }\n");
  for (const bool with_paused : {false, true}) {
    const HuntReport report = hunt(model, {.with_paused = with_paused});
    ASSERT_EQ(report.warnings.size(), 1u);
    EXPECT_EQ(report.warnings[0].verdict, Verdict::spurious);
    EXPECT_GT(report.warnings[0].executions, 0u);
  }
}

// The paused thread has to go on, past its access, for the other one to come near.
TEST(HybridSearchOptions, WithThePausedThreadARaceBehindItIsFound) {
  const model::Model model = access_model(
      "int x; atomic int f; lock m, k;\n"
      "thread a { for (i : 0..1) { lock(m); x = 1; unlock(m); f = 1; } }\n"
      "thread b { if (f == 1) { lock(k); x = 2; unlock(k); } }\n");
  const std::deque<ObservedRun> runs = {run_of(model, "00001111")};
  HuntOptions options{.all_partners = true, .with_paused = true};
  EXPECT_EQ(hunt(model, runs, options).count(Verdict::witness), 1u);
}

// What lies in the way of the second thread is nothing that the third one does.
TEST(HybridChop, LeavesOutWhatCannotMatter) {
  const std::string text =
      "int x, y, z; lock m, k;\n"
      "thread a { lock(m); x = 1; unlock(m); }\n"
      "thread b { if (y == 7) { lock(k); x = 2; unlock(k); } lock(m); x = 3; unlock(m); }\n"
      "thread c { for (i : 1..6) z += 1; }\n"
      "thread d { for (i : 1..6) z += 1; lock(k); x = 4; unlock(k); }\n";
  const model::Model model = access_model(text);
  model::Interpreter system(model);
  ChopQuestion question{{}, ThreadId(0), SystemObject(word_named(model, "x"))};
  for (const ThreadId thread : indices(model.threads)) {
    question.controls.push_back(system.control(thread));
  }
  const Chop chop(model, question);
  EXPECT_TRUE(chop.is_live(question.controls[1]));
  EXPECT_FALSE(chop.is_live(question.controls[2]));
  EXPECT_TRUE(chop.is_live(question.controls[3]));
  EXPECT_TRUE(chop.matters(SystemObject(word_named(model, "y"))));
  EXPECT_FALSE(chop.matters(SystemObject(word_named(model, "z"))));
}

TEST(HybridChop, NeedsTheForkOfWhoMatters) {
  const model::Model model = access_model(
      "int x, y; thread a { x = 1; } thread b { y = 1; fork c; y = 2; }\n"
      "thread c forked { x = 2; }\n");
  model::Interpreter system(model);
  ChopQuestion question{{}, ThreadId(0), SystemObject(word_named(model, "x"))};
  for (const ThreadId thread : indices(model.threads)) {
    question.controls.push_back(system.control(thread));
  }
  EXPECT_TRUE(Chop(model, question).is_live(question.controls[1]));
}

}  // namespace
}  // namespace heddle::hybrid
