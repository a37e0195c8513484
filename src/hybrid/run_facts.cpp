#include "hybrid/run_facts.h"

#include <algorithm>

namespace heddle::hybrid {
namespace {

bool is_acquire(EventKind kind) {
  return kind == EventKind::acquire || kind == EventKind::reader_acquire;
}
bool is_release(EventKind kind) {
  return kind == EventKind::release || kind == EventKind::reader_release;
}

// Vector clocks that grow only by forks and joins.
class ForkJoinClocks {
 public:
  ForkJoinClocks(std::size_t threads, std::size_t objects)
      : threads_(threads), now_(threads, Clock(threads)), at_fork_(objects), at_end_(objects) {}

  const std::vector<std::uint32_t>& now(ThreadId thread) const { return now_[thread]; }
  // Whether it changed anything but the thread's own time.
  bool take(ThreadId thread, std::span<const Access> accesses) {
    Clock& clock = now_[thread];
    ++clock[thread.value()];
    bool grew = false;
    for (const Access& access : accesses) {
      if (access.kind == EventKind::begin) grew = join(clock, at_fork_[access.object]) || grew;
      if (access.kind == EventKind::join) grew = join(clock, at_end_[access.object]) || grew;
      if (access.kind == EventKind::fork) at_fork_[access.object] = clock;
      if (access.kind == EventKind::end) at_end_[access.object] = clock;
    }
    return grew;
  }

 private:
  using Clock = std::vector<std::uint32_t>;

  bool join(Clock& clock, const Clock& other) const {
    if (other.empty()) return false;
    for (std::size_t i = 0; i < threads_; ++i) clock[i] = std::max(clock[i], other[i]);
    return true;
  }

  std::size_t threads_;
  Table<ThreadId, Clock> now_;
  Table<SystemObject, Clock> at_fork_;
  Table<SystemObject, Clock> at_end_;
};

}  // namespace

// ----- LockHolders -----------------------------------------------------------------------------

void LockHolders::acquire(ThreadId thread, std::span<const Access> accesses) {
  for (const Access& access : accesses) {
    if (!is_acquire(access.kind)) continue;
    const bool reader = access.kind == EventKind::reader_acquire;
    const auto same = [&](const Hold& hold) {
      return hold.lock == access.object && hold.reader == reader;
    };
    std::vector<Hold>& held = held_[thread];
    const auto place = std::find_if(held.begin(), held.end(), same);
    if (place == held.end()) {
      held.push_back({access.object, reader, 1});
    } else {
      ++place->depth;
    }
  }
}

void LockHolders::release(ThreadId thread, std::span<const Access> accesses) {
  for (const Access& access : accesses) {
    if (!is_release(access.kind)) continue;
    for (Hold& hold : held_[thread]) {
      if (hold.lock == access.object) --hold.depth;
    }
    std::erase_if(held_[thread], [](const Hold& hold) { return hold.depth == 0; });
  }
}

bool LockHolders::allow(ThreadId thread, std::span<const Access> accesses) const {
  return std::all_of(accesses.begin(), accesses.end(), [&](const Access& access) {
    switch (access.kind) {
      case EventKind::acquire: return can_acquire(thread, access.object, false);
      case EventKind::reader_acquire: return can_acquire(thread, access.object, true);
      case EventKind::failed_acquire: return !can_acquire(thread, access.object, false);
      case EventKind::failed_reader_acquire: return !can_acquire(thread, access.object, true);
      default: return true;
    }
  });
}

bool LockHolders::can_acquire(ThreadId thread, SystemObject lock, bool reader) const {
  for (const ThreadId other : indices(held_)) {
    if (other == thread) continue;
    for (const Hold& hold : held_[other]) {
      if (hold.lock == lock && !(hold.reader && reader)) return false;
    }
  }
  return true;
}

std::vector<HeldLock> LockHolders::held(ThreadId thread) const {
  std::vector<HeldLock> result;
  for (const Hold& hold : held_[thread]) result.push_back({hold.lock.value(), hold.reader});
  std::sort(result.begin(), result.end());
  return result;
}

// ----- RunFacts --------------------------------------------------------------------------------

RunFacts::RunFacts(const ObservedRun& run) : run_(run), accesses_(run.objects) {
  LockHolders holders(run.threads);
  ForkJoinClocks clocks(run.threads, run.objects);
  std::vector<std::uint32_t> last_clock(run.threads, ~0u);
  for (std::size_t e = 0; e < run.events.size(); ++e) {
    const RunEvent& event = run.events[e];
    const std::uint32_t thread = event.thread().value();
    if (clocks.take(event.thread(), event.accesses) || last_clock[thread] == ~0u) {
      last_clock[thread] = static_cast<std::uint32_t>(clocks_.size() / run.threads);
      const std::vector<std::uint32_t>& now = clocks.now(event.thread());
      clocks_.insert(clocks_.end(), now.begin(), now.end());
    }
    holders.acquire(event.thread(), event.accesses);
    facts_.push_back({number_of(holders.held(event.thread())), last_clock[thread],
                      clocks.now(event.thread())[thread]});
    holders.release(event.thread(), event.accesses);
    for (const Access& access : event.accesses) {
      if (is_access(access.kind)) accesses_[access.object].push_back(e);
    }
  }
}

std::uint32_t RunFacts::number_of(std::vector<HeldLock> held) {
  const auto number = static_cast<std::uint32_t>(sets_.size());
  const auto [place, is_new] = set_numbers_.emplace(std::move(held), number);
  if (is_new) sets_.push_back(place->first);
  return place->second;
}

std::size_t RunFacts::outermost_acquire(std::size_t event) const {
  const ThreadId thread = run_.events[event].thread();
  std::size_t first = event;
  for (std::size_t e = event; !held(first).empty() && e-- > 0;) {
    if (run_.events[e].thread() != thread) continue;
    if (held(e).empty()) break;
    first = e;
  }
  return first;
}

bool RunFacts::ordered(std::size_t first, std::size_t second) const {
  const ThreadId thread = run_.events[first].thread();
  if (thread == run_.events[second].thread()) return true;
  return clock(second)[thread.value()] >= facts_[first].time;
}

}  // namespace heddle::hybrid
