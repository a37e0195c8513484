#include "report/columns.h"

#include <gtest/gtest.h>

#include "trace/open.h"

namespace heddle {
namespace {

Trace trace_of(std::string_view text) {
  auto source = open_trace(Input::from_memory(text, "test").value()).value();
  return collect(*source).value();
}

std::string render(const Trace& trace, Columns::Options options) {
  std::vector<EventId> events;
  for (EventId e : trace.events()) events.push_back(e);
  const Columns columns(trace, events, options);
  std::string text = columns.header() + "\n";
  for (EventId e : events) text += columns.line(e) + "\n";
  return text;
}

constexpr std::string_view kTwoThreads =
    "main|fork(worker)|a.cpp:1\n"
    "worker|acq(m)|a.cpp:10\n"
    "worker|w(counter,4,7)|a.cpp:11\n"
    "worker|wait(c,m)|a.cpp:12\n"
    "main|ar(flag,acquire)|a.cpp:2\n";

TEST(Columns, ShowOneColumnPerThread) {
  EXPECT_EQ(render(trace_of(kTwoThreads), {.width = 100}),
            "#  main                        worker                      site\n"
            "0  fork worker                                             a.cpp:1\n"
            "1                              acquire m                   a.cpp:10\n"
            "2                              write counter = 7           a.cpp:11\n"
            "3                              wait c (gives up m)         a.cpp:12\n"
            "4  atomic-read flag (acquire)                              a.cpp:2\n");
}

TEST(Columns, CutWhatDoesNotFit) {
  const std::string text = render(trace_of(kTwoThreads), {.width = 60});
  EXPECT_NE(text.find("write counter…"), std::string::npos) << text;
}

TEST(Columns, CutALongNameRatherThanItsValue) {
  const std::string text = render(trace_of("main|w(a_name_of_many_words,4,7)|1\nother|w(x)|2\n"
                                           "third|w(x)|3\n"),
                                  {.width = 90});
  EXPECT_NE(text.find("write a_name_o… = 7  "), std::string::npos) << text;
}

TEST(Columns, LeaveOutThreadsThatDoNothing) {
  const Trace trace = trace_of("main|fork(idle)|1\nmain|w(x)|2\n");
  const std::string text = render(trace, {});
  EXPECT_EQ(text.substr(0, text.find('\n')), "#  main       site");
}

TEST(Columns, ColourEachThreadInItsOwn) {
  const std::string text = render(trace_of(kTwoThreads), {.width = 100, .colour = true});
  EXPECT_NE(text.find("\x1b[36mmain"), std::string::npos);
  EXPECT_NE(text.find("\x1b[33mworker"), std::string::npos);
}

TEST(Describe, SaysWhatAnEventDid) {
  const Trace trace = trace_of(
      "T|rmw(n,acq_rel,3,4)|1\n"
      "T|acq(m,try)|1\n"
      "T|begin|1\n");
  EXPECT_EQ(describe(trace, EventId(0)), "atomic-rmw n 3 -> 4 (acq_rel)");
  EXPECT_EQ(describe(trace, EventId(1)), "acquire m (tried)");
  EXPECT_EQ(describe(trace, EventId(2)), "begin");
}

}  // namespace
}  // namespace heddle
