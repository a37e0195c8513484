#include "trace/generate.h"

#include <array>
#include <set>

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(Generate, MakesTheSameTraceFromTheSameSeed) {
  const GenerateOptions options;
  EXPECT_EQ(generate_trace(options, 17), generate_trace(options, 17));
  EXPECT_FALSE(generate_trace(options, 17) == generate_trace(options, 18));
}

TEST(Generate, MakesEveryKindOfEvent) {
  std::set<EventKind> seen;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Trace trace = generate_trace({.events = 100}, seed);
    for (EventId e : trace.events()) seen.insert(trace.kind(e));
  }
  for (const EventKindInfo& row : kEventKinds) EXPECT_TRUE(seen.contains(row.kind)) << row.name;
}

TEST(Generate, KeepsToLocksWhenAskedTo) {
  std::set<EventKind> seen;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Trace trace = generate_trace(lock_only_options(), seed);
    for (EventId e : trace.events()) seen.insert(trace.kind(e));
  }
  const std::set<EventKind> expected = {EventKind::read,    EventKind::write, EventKind::acquire,
                                        EventKind::release, EventKind::fork,  EventKind::join};
  EXPECT_EQ(seen, expected);
}

TEST(Generate, MakesTracesOfAboutTheLengthAskedFor) {
  std::size_t total = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    total += generate_trace({.events = 40, .exit = false}, seed).size();
  }
  EXPECT_GT(total, 100 * 25u);
  EXPECT_LE(total, 100 * 42u);
}

}  // namespace
}  // namespace heddle
