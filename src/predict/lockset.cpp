#include "predict/lockset.h"

#include <algorithm>

namespace heddle::predict {
namespace {

enum class Phase : std::uint8_t { untouched, exclusive, shared, modified, warned };

struct LocationState {
  Phase phase = Phase::untouched;
  ThreadId first;
  std::vector<LockId> locks;  // held at all accesses since it is shared, sorted
};

class Eraser {
 public:
  explicit Eraser(const Facts& facts)
      : facts_(facts), trace_(facts.trace()), states_(trace_.tables.locations.size()) {}

  std::vector<EventId> run() {
    for (EventId e : trace_.events()) {
      if (is_access(trace_.kind(e))) access(e);
    }
    return std::move(warnings_);
  }

 private:
  void access(EventId e) {
    LocationState& state = states_[trace_.location(e)];
    const bool writes_it = writes(trace_.kind(e));
    if (state.phase == Phase::warned) return;
    if (state.phase == Phase::untouched) {
      state.phase = Phase::exclusive;
      state.first = trace_.thread(e);
      return;
    }
    if (state.phase == Phase::exclusive) {
      if (state.first == trace_.thread(e)) return;
      state.phase = writes_it ? Phase::modified : Phase::shared;
      state.locks = held(e, writes_it);
    } else {
      if (writes_it) state.phase = Phase::modified;
      const std::vector<LockId> now = held(e, writes_it);
      std::erase_if(state.locks,
                    [&](LockId l) { return std::find(now.begin(), now.end(), l) == now.end(); });
    }
    if (state.phase == Phase::modified && state.locks.empty() && !is_atomic(trace_.kind(e))) {
      state.phase = Phase::warned;
      warnings_.push_back(e);
    }
  }

  std::vector<LockId> held(EventId e, bool as_writer) const {
    std::vector<LockId> result;
    const Scopes& scopes = facts_.derived().scopes;
    for (ScopeId scope : scopes.held(e)) {
      const EventId acquire = scopes.acquire(scope);
      if (as_writer && trace_.kind(acquire) == EventKind::reader_acquire) continue;
      result.push_back(trace_.lock(acquire));
    }
    return result;
  }

  const Facts& facts_;
  const Trace& trace_;
  Table<LocationId, LocationState> states_;
  std::vector<EventId> warnings_;
};

}  // namespace

std::vector<EventId> lockset_warnings(const Facts& facts) { return Eraser(facts).run(); }

}  // namespace heddle::predict
