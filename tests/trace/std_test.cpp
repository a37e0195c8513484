#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/trace/same_trace.h"
#include "trace/generate.h"
#include "trace/std_objects.h"
#include "trace/std_reader.h"
#include "trace/std_writer.h"

namespace heddle {
namespace {

Result<Trace> read_std(std::string_view text) {
  StdReader reader(input_of(text, "a.std"));
  return collect(reader);
}

std::string write_std(const Trace& trace) {
  std::string text;
  StdWriter writer(Output::to_memory(text));
  CHECK(write_all(trace, writer).ok());
  return text;
}

std::string error_of(std::string_view text) {
  const Result<Trace> trace = read_std(text);
  return trace.ok() ? "no error" : trace.error().message;
}

std::string written_back(std::string_view text) { return write_std(*read_std(text)); }

EventRecord only_event(std::string_view line) {
  const Trace trace = *read_std(line);
  CHECK(trace.size() == 1);
  return trace.record(EventId(0));
}

std::string only_location(std::string_view line) {
  const Trace trace = *read_std(line);
  CHECK(trace.tables.locations.size() == 1);
  return std::string(trace.tables.strings[trace.tables.locations[LocationId(0)].name]);
}

Site only_site(const Trace& trace) {
  CHECK(trace.tables.sites.size() == 1);
  return trace.tables.sites[SiteId(0)];
}

TEST(Std, ReadsWhatRapidDefines) {
  const Trace trace = *read_std(
      "T1|begin|1\n"
      "T1|fork(T2)|2\n"
      "T1|acq(L)|3\n"
      "T1|w(x)|4\n"
      "T1|rel(L)|5\n"
      "T2|r(x)|6\n"
      "T1|join(T2)|7\n"
      "T1|end|8\n");
  ASSERT_EQ(trace.size(), 8u);
  const std::vector<EventKind> kinds = {EventKind::begin, EventKind::fork,    EventKind::acquire,
                                        EventKind::write, EventKind::release, EventKind::read,
                                        EventKind::join,  EventKind::end};
  for (EventId e : trace.events()) {
    EXPECT_EQ(trace.kind(e), kinds[e.value()]);
    EXPECT_EQ(trace.tables.sites[trace.site(e)].line, e.value() + 1);
  }
  EXPECT_EQ(trace.tables.threads.size(), 2u);
  EXPECT_EQ(trace.other_thread(EventId(1)), trace.thread(EventId(5)));
  EXPECT_EQ(trace.location(EventId(3)), trace.location(EventId(5)));
}

TEST(Std, WritesPureRapidTextForAPlainTrace) {
  const std::string text =
      "T1|begin(0)|1\n"
      "T1|fork(T2)|2\n"
      "T1|acq(L)|3\n"
      "T1|w(V16e92358.199)|374\n"
      "T2|r(V45c470d5[0])|0\n"
      "T1|rel(L)|a/b.cpp:5\n"
      "T1|join(T2)|0x4011d2\n"
      "T1|end(0)|somewhere\n";
  EXPECT_EQ(written_back(text), text);
}

TEST(Std, WritesEveryExtensionAsItReadsIt) {
  const std::string text =
      "#! lock L recursive\n"
      "A|acq(L,try)|1\n"
      "#! region heap size=64 site=a.cpp:3\n"
      "#! location p region=heap offset=8 size=4\n"
      "A|w(p,4,18446744073709551615)|2\n"
      "A|w(q,8,1)|2\n"
      "A|w(q2,,1)|2\n"
      "#! location q4 size=4\n"
      "A|r(q4)|2\n"
      "A|ar(p,acquire)|2\n"
      "A|aw(p,release,3)|2\n"
      "A|rmw(p,acq_rel,3,4)|2\n"
      "A|fence(seq_cst)|2\n"
      "A|racq(rw)|0\n"
      "A|rrel(rw)|0\n"
      "#! lock rw2 readers-writer\n"
      "A|acq(rw2)|0\n"
      "A|tryfail(rw2)|0\n"
      "A|rtryfail(rw2)|0\n"
      "A|req(L)|0\n"
      "A|wait(c,L)|0\n"
      "A|wake(c)|0\n"
      "A|wait(L)|0\n"
      "A|timeout(L)|0\n"
      "A|notify(c)|0\n"
      "A|notifyall(c)|0\n"
      "#! semaphore s 2\n"
      "A|post(s)|0\n"
      "A|semwait(s)|0\n"
      "A|semwait(s,try)|0\n"
      "A|semfail(s)|0\n"
      "#! barrier b 3\n"
      "A|arrive(b)|0\n"
      "A|leave(b,serial)|0\n"
      "A|oncebegin(o)|0\n"
      "A|onceabort(o)|0\n"
      "A|onceend(o)|0\n"
      "A|oncepass(o)|0\n"
      "A|io(1)|0\n"
      "A|alloc(heap)|0\n"
      "A|free(heap)|0\n"
      "A|branch|0\n"
      "A|exit|0\n";
  EXPECT_EQ(written_back(text), text);
}

TEST(Std, ReadsTheDialectsInUse) {
  EXPECT_EQ(only_event("T1|rd(x)|1").kind, EventKind::read);
  EXPECT_EQ(only_event("T1|wr(x)|1").kind, EventKind::write);
  EXPECT_EQ(only_event("T1|req(x)|1").kind, EventKind::request);
  EXPECT_EQ(only_event("T1|branch|1").kind, EventKind::branch);
  EXPECT_EQ(only_event("T1|branch(x)|1").kind, EventKind::branch);
  EXPECT_EQ(only_event("T1|begin()|1").kind, EventKind::begin);
  EXPECT_EQ(only_event("T1|begin(0)|1").kind, EventKind::begin);
  EXPECT_EQ(only_event("T1|end(anything at all)|1").kind, EventKind::end);
  EXPECT_EQ(only_event("T1|notifyAll(x)|1").kind, EventKind::notify_all);
  EXPECT_EQ(only_event("T1|notifyall(x)|1").kind, EventKind::notify_all);
}

TEST(Std, PassesOverBlankLinesCommentsAndWhiteSpace) {
  const Trace trace = *read_std(
      "\xef\xbb\xbf#!/usr/bin/env heddle\n# a comment\r\n\r\n  \n  T1 | w( x , 4 , 17 ) | 12 \r\n"
      "T2|r ( x )");
  ASSERT_EQ(trace.size(), 2u);
  EXPECT_EQ(trace.value(EventId(0)), 17u);
  EXPECT_EQ(trace.tables.sites[trace.site(EventId(0))].line, 12u);
  EXPECT_EQ(trace.location(EventId(0)), trace.location(EventId(1)));
  EXPECT_FALSE(trace.site(EventId(1)).valid());
}

TEST(Std, ReadsValuesBehindASecondComma) {
  EXPECT_EQ(only_event("T|w(x,4,17)|1").value, 17u);
  EXPECT_EQ(only_event("T|w(x,,-1)|1").value, ~std::uint64_t{0});
  EXPECT_EQ(only_event("T|r(x,8,0xff)|1").value, 255u);
  EXPECT_EQ(only_event("T|r(x,8,18446744073709551615)|1").value, ~std::uint64_t{0});
  EXPECT_EQ((*read_std("T|w(x,4,17)|1")).tables.locations[LocationId(0)].size, 4u);
  EXPECT_EQ(only_location("T|w(std::map<int,int>,4,17)|1"), "std::map<int,int>");
}

TEST(Std, TakesOtherCommasAsPartOfTheName) {
  for (const std::string name : {"x,4", "std::map<int,int>", "x,y,z", "x,4,18446744073709551616",
                                 "f(a,(b),c)", "x,four,17", "a,-1,3", ",", ",,"}) {
    const std::string line = "T|r(" + name + ")|0\n";
    EXPECT_EQ(only_location(line), name);
    EXPECT_FALSE(only_event(line).has_value);
    EXPECT_EQ(written_back(line), line);
  }
}

TEST(Std, KeepsTheNamesOfTypesApart) {
  const Trace trace = *read_std("x|acq(x)|1\nx|w(x)|1\nx|wait(x)|1\nx|fork(x)|1\nx|post(x)|1\n");
  EXPECT_EQ(trace.tables.threads.size(), 1u);
  EXPECT_EQ(trace.tables.locks.size(), 1u);
  EXPECT_EQ(trace.tables.locations.size(), 1u);
  EXPECT_EQ(trace.tables.conditions.size(), 1u);
  EXPECT_EQ(trace.tables.semaphores.size(), 1u);
  EXPECT_EQ(trace.lock_of_wait(EventId(2)), trace.lock(EventId(0)));
}

TEST(Std, ReadsEveryFormOfALocation) {
  EXPECT_EQ(only_site(*read_std("T|r(x)|4294967295")).line, 4294967295u);
  EXPECT_EQ(only_site(*read_std("T|r(x)|0x4011D2")).address, 0x4011d2u);
  const Trace trace = *read_std("T|r(x)|C:/a b.cpp:12");
  EXPECT_EQ(only_site(trace).line, 12u);
  EXPECT_EQ(trace.tables.strings[only_site(trace).file], "C:/a b.cpp");
  for (const std::string word : {"4294967296", "-1", "012", "Main.run", "a.cpp:0", ":5"}) {
    const Trace other = *read_std("T|r(x)|" + word);
    EXPECT_EQ(other.tables.strings[only_site(other).file], word);
    EXPECT_EQ(write_std(other), "T|r(x)|" + word + "\n");
  }
  for (const std::string nothing : {"|0", "|", "", "|0x0"}) {
    EXPECT_FALSE(only_event("T|r(x)" + nothing).site.valid());
  }
}

TEST(Std, SharesOneSiteAmongTheLinesThatNameIt) {
  const Trace trace = *read_std("T|r(x)|a:1\nT|r(x)|a:1\nT|r(x)|7\nT|r(x)|7\nT|r(x)|0x7\n");
  EXPECT_EQ(trace.tables.sites.size(), 3u);
}

TEST(Std, SaysWhereAndWhatIsWrong) {
  EXPECT_EQ(error_of("T1|r(x)|1\n\nT1|aqc(L)|2\n"),
            "a.std:3: unknown op 'aqc'; did you mean 'acq'?");
  EXPECT_EQ(error_of("nonsense"), "a.std:1: expected thread|op(operand)|location, not 'nonsense'");
  EXPECT_EQ(error_of("\x01\x02\xff"),
            "a.std:1: expected thread|op(operand)|location, not '\\x01\\x02\\xff'");
  EXPECT_EQ(error_of("T|r(x|1"), "a.std:1: the closing parenthesis is missing in 'r(x'");
  EXPECT_EQ(error_of("T|r(x)|1|2"), "a.std:1: more than three fields in 'T|r(x)|1|2'");
  EXPECT_EQ(error_of("T|r()|1"), "a.std:1: the name of the location is missing");
  EXPECT_EQ(error_of("T|fork|1"), "a.std:1: the name of the thread is missing");
  EXPECT_EQ(error_of("|r(x)|1"), "a.std:1: the name of the thread is missing");
  EXPECT_EQ(error_of("T||1"), "a.std:1: the op is missing");
  EXPECT_EQ(error_of("T|wait(,L)|1"), "a.std:1: the name of the condition is missing");
  EXPECT_EQ(error_of("T|fence(strong)|1"), "a.std:1: not a memory order: 'strong'");
  EXPECT_EQ(error_of("T|exit(m)|1"),
            "a.std:1: exit is the end of the process and takes no operand like 'm'");
  EXPECT_EQ(error_of("#! lock L spin\n"),
            "a.std:1: not a kind of lock (mutex, recursive, readers-writer): 'spin'");
  EXPECT_EQ(error_of("T|acq(L)|1\n#! lock L recursive\n"),
            "a.std:2: lock 'L' is defined after its first use, or a second time and differently");
  EXPECT_EQ(error_of("#! loc x\n"),
            "a.std:1: expected a lock, semaphore, barrier, region or location after #!, not 'loc'");
  EXPECT_EQ(error_of("#! location x size=big\n"),
            "a.std:1: expected region=NAME, offset=NUMBER or size=NUMBER, not 'size=big'");
}

TEST(Std, RefusesMoreThreadsThanFit) {
  Tables tables;
  StdObjects objects(tables);
  tables.threads.resize(kMaxThreads - 1);
  EXPECT_TRUE(objects.object(ObjectType::thread, "last").ok());
  EXPECT_EQ(objects.object(ObjectType::thread, "one too many").error().message,
            "more than 1048576 threads");
  EXPECT_TRUE(objects.object(ObjectType::thread, "last").ok());
}

TEST(Std, SaysWhereAnEventStands) {
  StdReader reader(input_of("# comment\nT|r(x)|1\n\nT|w(x)|1\n", "a.std"));
  std::vector<EventRecord> batch;
  ASSERT_TRUE(reader.next(batch).ok());
  EXPECT_EQ(reader.where(0), "a.std:2");
  EXPECT_EQ(reader.where(1), "a.std:4");
}

TEST(Std, GivesObjectsWithoutANameOfTheirOwnOne) {
  Trace trace;
  const StringId twin = trace.tables.strings.intern("i");
  trace.tables.threads.add({});
  for (int i = 0; i < 2; ++i) trace.tables.locations.add({.name = twin});
  trace.tables.locations.add({});
  for (std::uint32_t i = 0; i < 3; ++i) {
    trace.append({.kind = EventKind::read, .thread = ThreadId(0), .object = i});
  }
  EXPECT_EQ(write_std(trace), "thread0|r(i)|0\nthread0|r(i#1)|0\nthread0|r(location2)|0\n");
}

TEST(Std, LeavesOtherToolsPercentSignsAlone) {
  for (const std::string name : {"100%", "a%41b", "%", "%2", "%2c", "%zz"}) {
    const std::string line = "T|r(" + name + ")|0\n";
    EXPECT_EQ(only_location(line), name);
    EXPECT_EQ(written_back(line), line);
  }
}

// A trace of one event of each kind that has an object, each object with this name.
Trace trace_of_one_name(std::string_view text) {
  Trace trace;
  const StringId name = trace.tables.strings.intern(text);
  trace.tables.threads.add({name});
  trace.tables.locations.add({.name = name});
  trace.tables.regions.add({.name = name});
  trace.tables.locks.add({.name = name});
  trace.tables.conditions.add({name});
  trace.tables.semaphores.add({.name = name});
  trace.tables.barriers.add({.name = name});
  trace.tables.onces.add({name});
  trace.tables.descriptors.add({name});
  trace.tables.sites.add({.file = name, .line = 3});
  for (const EventKindInfo& row : kEventKinds) {
    EventRecord event{.kind = row.kind, .thread = ThreadId(0), .site = SiteId(0)};
    if (row.kind == EventKind::wait) event.lock = LockId(0);
    trace.append(event);
    event.has_value = is_access(row.kind);
    if (row.detail == DetailType::tried || row.detail == DetailType::serial) event.detail = 1;
    trace.append(event);
  }
  return trace;
}

RC_GTEST_PROP(StdProperty, AnyNameSurvives, ()) {
  const auto pieces = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
      "x", ",", "%", "%20", "|", " ", "(", ")", "#", "2", "C", ",4,17", ",try", ",serial",
      ",acquire", "\t", "\n", "\r", "\x7f", "\xff", std::string(1, '\0'), "\xc3\xa4"));
  std::string name = "";
  for (const std::string& piece : pieces) name += piece;
  RC_PRE(!name.empty());
  const Trace trace = trace_of_one_name(name);
  const std::string text = write_std(trace);
  const Trace read = *read_std(text);
  RC_ASSERT(what_std_carries(read) == what_std_carries(trace));
  RC_ASSERT(write_std(read) == text);
}

GenerateOptions any_options() {
  GenerateOptions options;
  options.values = *rc::gen::arbitrary<bool>();
  options.mixed_sizes = *rc::gen::arbitrary<bool>();
  return options;
}

RC_GTEST_PROP(StdProperty, WritingAndReadingKeepsWhatStdCarries, ()) {
  const Trace trace = generate_trace(any_options(), *rc::gen::arbitrary<std::uint64_t>());
  const std::string text = write_std(trace);
  const Result<Trace> read = read_std(text);
  RC_ASSERT(read.ok());
  RC_ASSERT(what_std_carries(*read) == what_std_carries(trace));
  RC_ASSERT(write_std(*read) == text);
}

RC_GTEST_PROP(StdProperty, ALockOnlyTraceIsPureRapid, ()) {
  const Trace trace = generate_trace(lock_only_options(), *rc::gen::arbitrary<std::uint64_t>());
  RC_ASSERT(write_std(trace).find('#') == std::string::npos);
}

RC_GTEST_PROP(StdProperty, MangledTextGivesATraceOrAnError, ()) {
  std::string text = write_std(generate_trace({}, *rc::gen::arbitrary<std::uint64_t>()));
  const auto changes = *rc::gen::container<std::vector<std::pair<std::size_t, char>>>(
      rc::gen::pair(rc::gen::inRange<std::size_t>(0, text.size()), rc::gen::arbitrary<char>()));
  for (const auto& [place, byte] : changes) text[place] = byte;
  const Result<Trace> read = read_std(text);
  if (!read.ok()) RC_ASSERT(read.error().message.starts_with("a.std:"));
}

}  // namespace
}  // namespace heddle
