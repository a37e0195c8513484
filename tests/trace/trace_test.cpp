#include "trace/trace.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(Trace, GivesBackWhatWasAppended) {
  std::vector<EventRecord> events(4);
  events[0] = {.kind = EventKind::write, .has_value = true, .thread = ThreadId(0), .value = 7};
  events[1] = {
      .kind = EventKind::wait, .thread = ThreadId(1048575), .object = 3, .lock = LockId(2)};
  events[2] = {.kind = EventKind::atomic_rmw,
               .detail = 5,
               .has_value = true,
               .thread = ThreadId(1),
               .site = SiteId(9),
               .value = 8,
               .old_value = 7};
  events[3] = {.kind = EventKind::branch, .thread = ThreadId(1)};
  Trace trace;
  for (const EventRecord& event : events) trace.append(event);
  for (EventId e : trace.events()) EXPECT_EQ(trace.record(e), events[e.value()]);
  EXPECT_EQ(trace.value_read(EventId(0)), std::nullopt);
  EXPECT_EQ(trace.value_read(EventId(2)), 7u);
  EXPECT_EQ(trace.value(EventId(2)), 8u);
}

TEST(EventKinds, AreFoundByName) {
  for (const EventKindInfo& row : kEventKinds) EXPECT_EQ(event_kind_named(row.name), row.kind);
  EXPECT_EQ(event_kind_named("nonsense"), std::nullopt);
}

}  // namespace
}  // namespace heddle
