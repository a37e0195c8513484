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

// By cells, since accesses of several sizes can meet in one place.
std::vector<EventId> lockset_warnings(const Facts& facts) {
  const Trace& trace = facts.trace();
  Lockset lockset;
  Table<CellId, bool> warned(facts.derived().cells.size());
  std::vector<EventId> warnings;
  for (EventId e : trace.events()) {
    if (!is_access(trace.kind(e))) continue;
    const std::vector<HeldLock> held = held_at(facts, e);
    const LocksetAccess access{
        .thread = trace.thread(e), .writes = writes(trace.kind(e)), .held = held};
    bool is_new = false;
    for (CellId cell : facts.cells(e)) {
      if (warned[cell] || !lockset.access(cell.value(), access)) continue;
      if (is_atomic(trace.kind(e))) continue;
      warned[cell] = is_new = true;
    }
    if (is_new) warnings.push_back(e);
  }
  return warnings;
}

}  // namespace heddle::predict
