#include "hybrid/prefix.h"

#include <algorithm>
#include <numeric>

namespace heddle::hybrid {
namespace {

bool is_lock_event(EventKind kind) {
  return kind >= EventKind::acquire && kind <= EventKind::request;
}

// Whether the event does not depend on what happened to its object before.
bool sees_nothing(EventKind kind) {
  return kind == EventKind::fork || kind == EventKind::end || kind == EventKind::semaphore_post ||
         kind == EventKind::notify || kind == EventKind::notify_all || kind == EventKind::wait;
}

class Extension {
 public:
  Extension(const ObservedRun& run, const Pair& pair)
      : run_(run),
        pair_(pair),
        prefix_(prefix_before(run, pair)),
        holders_(run.threads),
        stuck_(run.threads),
        missing_(run.objects) {
    for (const std::size_t e : prefix_.events) apply_locks(run.events[e]);
  }

  Prefix extend() {
    stuck_[paused().thread()] = true;
    for (std::size_t e = pair_.first; e < pair_.second; ++e) {
      const RunEvent& event = run_.events[e];
      if (!stuck_[event.thread()] && races(event)) break;
      if (!stuck_[event.thread()] && !can_happen(event)) stuck_[event.thread()] = true;
      stuck_[event.thread()] ? leave_out(event) : add(e);
    }
    return std::move(prefix_);
  }

 private:
  const RunEvent& paused() const { return run_.events[pair_.first]; }

  bool races(const RunEvent& event) const {
    for (const Access& mine : paused().accesses) {
      for (const Access& other : event.accesses) {
        if (mine.object == other.object && conflict(run_, mine.kind, other.kind)) return true;
      }
    }
    return false;
  }

  bool can_happen(const RunEvent& event) const {
    if (!holders_.allow(event.thread(), event.accesses)) return false;
    return std::none_of(event.accesses.begin(), event.accesses.end(), [&](const Access& access) {
      if (!missing_[access.object] || is_lock_event(access.kind)) return false;
      return is_access(access.kind) ? heddle::reads(access.kind) : !sees_nothing(access.kind);
    });
  }

  void leave_out(const RunEvent& event) {
    for (const Access& access : event.accesses) {
      if (is_lock_event(access.kind)) continue;
      if (!is_access(access.kind) || heddle::writes(access.kind)) missing_[access.object] = true;
    }
  }

  void add(std::size_t e) {
    const RunEvent& event = run_.events[e];
    apply_locks(event);
    for (const Access& access : event.accesses) {
      const bool overwrites = heddle::writes(access.kind) && !heddle::reads(access.kind);
      if (overwrites) missing_[access.object] = false;
    }
    prefix_.events.push_back(e);
    ++prefix_.extended_by;
  }

  void apply_locks(const RunEvent& event) {
    holders_.acquire(event.thread(), event.accesses);
    holders_.release(event.thread(), event.accesses);
  }

  const ObservedRun& run_;
  const Pair& pair_;
  Prefix prefix_;
  LockHolders holders_;
  Table<ThreadId, bool> stuck_;
  Table<SystemObject, bool> missing_;  // something that a stuck thread did to it in the run
};

}  // namespace

Prefix prefix_before(const ObservedRun&, const Pair& pair) {
  Prefix prefix;
  prefix.events.resize(pair.first);
  std::iota(prefix.events.begin(), prefix.events.end(), std::size_t{0});
  return prefix;
}

Prefix extended_prefix(const ObservedRun& run, const Pair& pair) {
  return Extension(run, pair).extend();
}

}  // namespace heddle::hybrid
