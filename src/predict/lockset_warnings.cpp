#include "predict/lockset_warnings.h"

#include "trace/lockset.h"

namespace heddle::predict {
namespace {

std::vector<HeldLock> held_at(const Facts& facts, EventId e) {
  std::vector<HeldLock> result;
  const Trace& trace = facts.trace();
  const Scopes& scopes = facts.derived().scopes;
  for (ScopeId scope : scopes.held(e)) {
    const EventId acquire = scopes.acquire(scope);
    result.push_back(
        {trace.lock(acquire).value(), trace.kind(acquire) == EventKind::reader_acquire});
  }
  return result;
}

}  // namespace

std::vector<EventId> lockset_warnings(const Facts& facts) {
  const Trace& trace = facts.trace();
  Lockset lockset;
  Table<LocationId, bool> warned(trace.tables.locations.size());
  std::vector<EventId> warnings;
  for (EventId e : trace.events()) {
    if (!is_access(trace.kind(e)) || warned[trace.location(e)]) continue;
    const std::vector<HeldLock> held = held_at(facts, e);
    const bool broken =
        lockset.access(trace.location(e).value(),
                       {.thread = trace.thread(e), .writes = writes(trace.kind(e)), .held = held});
    if (!broken || is_atomic(trace.kind(e))) continue;
    warned[trace.location(e)] = true;
    warnings.push_back(e);
  }
  return warnings;
}

}  // namespace heddle::predict
