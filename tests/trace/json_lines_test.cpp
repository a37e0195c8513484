#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/trace/same_trace.h"
#include "trace/generate.h"
#include "trace/json_lines_reader.h"
#include "trace/json_lines_writer.h"

namespace heddle {
namespace {

const std::string kHeader = "{\"heddle-trace\":2}\n";

Result<Trace> read_json(std::string_view text) {
  JsonLinesReader reader(input_of(text, "a.jsonl"));
  return collect(reader);
}

std::string write_json(const Trace& trace) {
  std::string text;
  JsonLinesWriter writer(Output::to_memory(text));
  CHECK(write_all(trace, writer).ok());
  return text;
}

std::string error_of(std::string_view lines) {
  const Result<Trace> trace = read_json(kHeader + std::string(lines));
  return trace.ok() ? "no error" : trace.error().message;
}

TEST(JsonLines, DefinesWhatAnEventUsesRightBeforeIt) {
  const std::string text = kHeader +
                           R"({"thread":0,"name":"main"}
{"event":"begin","thread":0}
{"thread":1,"name":"worker"}
{"site":0,"file":"bank.cpp","line":30}
{"site":1,"file":"bank.cpp","line":31,"column":5,"function":"deposit","address":4198866,"caller":0}
{"event":"fork","thread":0,"other-thread":1,"site":1}
{"lock":0,"name":"m","kind":"recursive"}
{"event":"acquire","thread":1,"lock":0,"tried":true}
{"region":0,"name":"heap #","number":7,"size":64,"allocated-at":0}
{"location":0,"name":"x","region":0,"offset":8,"size":4}
{"event":"write","thread":1,"location":0,"value":17}
{"event":"atomic-rmw","thread":1,"location":0,"order":"acq_rel","old-value":17,"value":18446744073709551615}
{"condition":0,"name":"c"}
{"event":"wait","thread":1,"condition":0,"lock":0}
{"semaphore":0,"initial":2}
{"event":"semaphore-wait","thread":0,"semaphore":0}
{"barrier":0,"parties":3}
{"event":"barrier-leave","thread":0,"barrier":0,"serial":true}
{"event":"fence","thread":0,"order":"seq_cst"}
{"once":0,"name":"never used"}
{"metadata":{"command-line":["./bank","--fast"],"clock":"virtual","exit-status":-1,"seed":7,"started-nanoseconds":-5,"duration-nanoseconds":9}}
{"note":"host","text":"a"}
)";
  const Trace trace = *read_json(text);
  EXPECT_EQ(write_json(trace), text);
  EXPECT_EQ(trace.size(), 9u);
  EXPECT_EQ(trace.value(EventId(4)), ~std::uint64_t{0});
  EXPECT_EQ(trace.value_read(EventId(4)), 17u);
  EXPECT_EQ(trace.lock_of_wait(EventId(5)), LockId(0));
  EXPECT_EQ(trace.tables.sites[SiteId(1)].caller, SiteId(0));
  EXPECT_EQ(trace.metadata.exit_status, -1);
  EXPECT_EQ(trace.metadata.notes.at("host"), "a");
}

TEST(JsonLines, TakesANegativeNumberAsAValue) {
  const Trace trace = *read_json(kHeader +
                                 "{\"thread\":0}\n{\"location\":0}\n\n"
                                 "{ \"value\": -1, \"event\":\"read\", \"thread\":0,"
                                 " \"location\": 0}\r\n");
  EXPECT_EQ(trace.value(EventId(0)), ~std::uint64_t{0});
}

TEST(JsonLines, SaysWhereAndWhatIsWrong) {
  EXPECT_EQ(error_of("{\n"), "a.jsonl:2: not valid JSON: '{'");
  EXPECT_EQ(error_of("{\"thread\":0}\n\n[1]\n"), "a.jsonl:4: expected a JSON object, not '[1]'");
  EXPECT_EQ(error_of("{\"x\":1}\n"), "a.jsonl:2: neither an event, nor a definition, nor metadata");
  EXPECT_EQ(error_of("{\"thread\":1}\n"), "a.jsonl:2: the next thread to define is number 0");
  EXPECT_EQ(error_of("{\"thread\":0,\"nam\":\"T\"}\n"),
            "a.jsonl:2: unexpected key 'nam'; did you mean 'name'?");
  EXPECT_EQ(error_of("{\"event\":\"aquire\"}\n"),
            "a.jsonl:2: unknown event 'aquire'; did you mean 'acquire'?");
  EXPECT_EQ(error_of("{\"event\":\"begin\"}\n"), "a.jsonl:2: \"thread\" is missing");
  EXPECT_EQ(error_of("{\"event\":\"begin\",\"thread\":0}\n"),
            "a.jsonl:2: \"thread\":0 is used before it is defined");
  EXPECT_EQ(error_of("{\"thread\":0}\n{\"event\":\"begin\",\"thread\":0,\"value\":1}\n"),
            "a.jsonl:3: unexpected key 'value'");
  EXPECT_EQ(error_of("{\"thread\":0}\n{\"event\":\"begin\",\"thread\":1.5}\n"),
            "a.jsonl:3: \"thread\" should be a whole number from 0 to 4294967295, not '1.5'");
  EXPECT_EQ(error_of("{\"thread\":0}\n{\"event\":\"fence\",\"thread\":0}\n"),
            "a.jsonl:3: \"order\" should be a memory order, not ''");
  EXPECT_EQ(error_of("{\"lock\":0,\"kind\":\"spin\"}\n"),
            "a.jsonl:2: not a kind of lock (mutex, recursive, readers-writer): 'spin'");
  EXPECT_EQ(error_of("{\"site\":0,\"caller\":0}\n"),
            "a.jsonl:2: \"caller\":0 is used before it is defined");
  EXPECT_EQ(error_of("{\"metadata\":{\"seeds\":1}}\n"),
            "a.jsonl:2: unexpected key 'seeds'; did you mean 'seed'?");
  EXPECT_EQ(error_of("{\"thread\":0}\n{\"location\":0}\n{\"event\":\"atomic-rmw\",\"thread\":0,"
                     "\"location\":0,\"order\":\"relaxed\",\"value\":1}\n"),
            "a.jsonl:4: an atomic-rmw has both \"value\" and \"old-value\", or neither");
  EXPECT_EQ(error_of("{\"thread\":0,\"name\":{\"hex\":\"f\"}}\n"),
            "a.jsonl:2: \"name\" should be a string or {\"hex\":\"...\"}, not '{\"hex\":\"f\"}'");
}

TEST(JsonLines, RefusesDeepNestingBeforeItParses) {
  const std::string deep(1'000'000, '[');
  EXPECT_TRUE(error_of(deep).starts_with("a.jsonl:2: brackets nested more than 4 deep in '[[["));
  EXPECT_EQ(error_of("{\"thread\":0,\"name\":\"\\\"[[[[[[{{{{\"}"), "no error");
}

TEST(JsonLines, OfTheFirstVersionAreRead) {
  const auto trace =
      read_json("{\"heddle-trace\":1}\n{\"region\":0,\"name\":\"heap\",\"size\":64}\n");
  ASSERT_TRUE(trace.ok());
  EXPECT_EQ(trace->tables.describe(ObjectType::region, 0), "heap");
}

TEST(JsonLines, WantsItsFirstLine) {
  EXPECT_EQ(read_json("{\"thread\":0}\n").error().message,
            "a.jsonl:1: the first line of a trace as JSON lines should be {\"heddle-trace\":2}");
  EXPECT_EQ(read_json("{\"heddle-trace\":3}\n").error().message,
            "a.jsonl:1: version 3 of the format; this Heddle reads versions 1 to 2");
}

TEST(JsonLines, RefusesToWriteACallerThatComesLater) {
  Trace trace;
  trace.tables.sites.add({.caller = SiteId(0)});
  std::string text;
  JsonLinesWriter writer(Output::to_memory(text));
  EXPECT_FALSE(write_all(trace, writer).ok());
}

TEST(JsonLines, SaysWhereAnEventStands) {
  const std::string text = kHeader + "{\"thread\":0}\n{\"event\":\"begin\",\"thread\":0}\n";
  JsonLinesReader reader(input_of(text, "a.jsonl"));
  std::vector<EventRecord> batch;
  ASSERT_TRUE(reader.next(batch).ok());
  EXPECT_EQ(reader.where(0), "a.jsonl:3");
}

// The trace with whatever the generator leaves out.
void adorn(Trace& trace) {
  const auto text = rc::gen::container<std::string>(rc::gen::arbitrary<char>());
  StringTable& strings = trace.tables.strings;
  trace.tables.threads.add({strings.intern(*text)});
  trace.tables.locations.add({.name = strings.intern(*text)});
  trace.tables.sites.add({.file = strings.intern(*text),
                          .function = strings.intern(*text),
                          .address = *rc::gen::arbitrary<std::uint64_t>()});
  Metadata& metadata = trace.metadata;
  metadata.command_line = *rc::gen::container<std::vector<std::string>>(text);
  metadata.clock = *text;
  metadata.exit_status = *rc::gen::arbitrary<std::int32_t>();
  metadata.seed = *rc::gen::arbitrary<std::uint64_t>();
  metadata.started_nanoseconds = *rc::gen::arbitrary<std::int64_t>();
  metadata.notes = *rc::gen::container<std::map<std::string, std::string>>(text, text);
}

RC_GTEST_PROP(JsonLinesProperty, WritingAndReadingIsTheIdentity, ()) {
  GenerateOptions options;
  options.values = *rc::gen::arbitrary<bool>();
  options.mixed_sizes = *rc::gen::arbitrary<bool>();
  Trace trace = generate_trace(options, *rc::gen::arbitrary<std::uint64_t>());
  adorn(trace);
  const std::string text = write_json(trace);
  const Result<Trace> read = read_json(text);
  RC_ASSERT(read.ok());
  const testing::AssertionResult same = same_trace(*read, trace);
  if (!same) RC_FAIL(same.message());
  RC_ASSERT(write_json(*read) == text);
}

RC_GTEST_PROP(JsonLinesProperty, MangledTextGivesATraceOrAnError, ()) {
  std::string text = write_json(generate_trace({}, *rc::gen::arbitrary<std::uint64_t>()));
  const auto changes = *rc::gen::container<std::vector<std::pair<std::size_t, char>>>(
      rc::gen::pair(rc::gen::inRange<std::size_t>(0, text.size()), rc::gen::arbitrary<char>()));
  for (const auto& [place, byte] : changes) text[place] = byte;
  const Result<Trace> read = read_json(text);
  if (!read.ok()) RC_ASSERT(read.error().message.starts_with("a.jsonl:"));
}

}  // namespace
}  // namespace heddle
