#include "predict/deadlocks.h"

#include <algorithm>
#include <map>

namespace heddle::predict {
namespace {

using order::SectionId;

struct Held {
  LockId lock;
  bool reader;
  friend auto operator<=>(const Held&, const Held&) = default;
};

struct RequestClass {
  ThreadId thread;
  LockId lock;
  bool reader = false;
  std::vector<Held> held;  // sorted
  friend auto operator<=>(const RequestClass&, const RequestClass&) = default;
};

using ClassEntry = std::pair<const RequestClass, std::vector<EventId>>;

bool exclude(const Held& a, const Held& b) { return a.lock == b.lock && !(a.reader && b.reader); }

// Whether the second holds what the first waits for.
bool waits_for(const RequestClass& waiting, const RequestClass& holder) {
  const Held wanted{waiting.lock, waiting.reader};
  return std::any_of(holder.held.begin(), holder.held.end(),
                     [&](const Held& held) { return exclude(wanted, held); });
}

bool can_hold_at_once(const RequestClass& a, const RequestClass& b) {
  for (const Held& held : a.held) {
    for (const Held& other : b.held) {
      if (exclude(held, other)) return false;
    }
  }
  return true;
}

// How many more members a ring needs at least, to get from a lock that its last member waits for
// back to a lock that its first one holds. Without that, a search for rings among many locks would
// lose itself in ways that lead nowhere.
class WayBack {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;

  explicit WayBack(std::size_t locks) : steps_(locks, kNone), waiting_(locks) {}

  void add(const ClassEntry& entry) { waiting_[entry.first.lock].push_back(&entry); }

  // All members but the first are of later threads.
  void prepare(const RequestClass& first, std::uint32_t most) {
    for (LockId lock : reached_) steps_[lock] = kNone;
    reached_.clear();
    for (const Held& held : first.held) reach(held.lock, 0);
    for (std::size_t next = 0; next < reached_.size();) {  // more are reached meanwhile
      const LockId lock = reached_[next++];
      if (steps_[lock] == most) break;
      for (const ClassEntry* entry : waiting_[lock]) {
        if (entry->first.thread <= first.thread) continue;
        for (const Held& held : entry->first.held) reach(held.lock, steps_[lock] + 1);
      }
    }
  }

  std::uint32_t steps(LockId lock) const { return steps_[lock]; }

 private:
  void reach(LockId lock, std::uint32_t steps) {
    if (steps_[lock] != kNone) return;
    steps_[lock] = steps;
    reached_.push_back(lock);
  }

  Table<LockId, std::uint32_t> steps_;
  Table<LockId, std::vector<const ClassEntry*>> waiting_;
  std::vector<LockId> reached_;
};

class RingSearch {
 public:
  RingSearch(const Facts& facts, const DeadlockOptions& options,
             const std::function<void(DeadlockAnswer)>& tell)
      : facts_(facts),
        options_(options),
        tell_(tell),
        asker_(facts, options.budget),
        way_back_(facts.trace().tables.locks.size()) {}

  DeadlockCounters run() {
    for (EventId e : facts_.trace().events()) note(e);
    counters_.classes = classes_.size();
    for (const ClassEntry& entry : classes_) {
      by_held_lock(entry);
      way_back_.add(entry);
    }
    for (const ClassEntry& entry : classes_) search_from(entry);
    ask_collected();
    return counters_;
  }

 private:
  void note(EventId e) {
    const EventKind kind = facts_.trace().kind(e);
    const bool reader = kind == EventKind::reader_acquire;
    if ((kind != EventKind::acquire && !reader) || facts_.trace().detail(e) != 0) return;
    const order::Node at = facts_.node(e);
    RequestClass request{at.thread, facts_.trace().lock(e), reader, {}};
    facts_.for_each_held(at.thread, at.index, [&](SectionId id) {
      request.held.push_back({facts_.section(id).lock, facts_.section(id).reader});
    });
    if (request.held.empty()) return;
    ++counters_.requests;
    std::sort(request.held.begin(), request.held.end());
    classes_[request].push_back(e);
  }

  void by_held_lock(const ClassEntry& entry) {
    for (const Held& held : entry.first.held) holders_[held.lock].push_back(&entry);
  }

  // A ring is found from its first thread on, so that it is found once.
  void search_from(const ClassEntry& first) {
    if (!holders_.contains(first.first.lock)) return;
    way_back_.prepare(first.first, static_cast<std::uint32_t>(options_.longest_ring));
    ring_ = {&first};
    if (can_be_closed()) extend();
  }

  bool can_be_closed() const {
    const std::uint32_t steps = way_back_.steps(ring_.back()->first.lock);
    return steps != WayBack::kNone && ring_.size() + steps <= options_.longest_ring;
  }

  void extend() {
    const RequestClass& last = ring_.back()->first;
    const auto holders = holders_.find(last.lock);
    if (holders == holders_.end()) return;
    for (const ClassEntry* next : holders->second) {
      if (!waits_for(last, next->first)) continue;
      if (next == ring_.front() && ring_.size() > 1) ask_ring();
      if (ring_.size() < options_.longest_ring && fits(next->first)) {
        ring_.push_back(next);
        if (can_be_closed()) extend();
        ring_.pop_back();
      }
    }
  }

  bool fits(const RequestClass& next) const {
    if (next.thread <= ring_.front()->first.thread) return false;
    return std::all_of(ring_.begin(), ring_.end(), [&](const ClassEntry* member) {
      return member->first.thread != next.thread && can_hold_at_once(member->first, next);
    });
  }

  void ask_ring() {
    ++counters_.rings;
    std::uint64_t all = 1;
    for (const ClassEntry* member : ring_) all *= member->second.size();
    if (options_.per_ring == 0) {
      for_all_of_ring([&] { ask(waiting()); });
      return;
    }
    counters_.left_out += all;
    const auto collect = [&] { collected_.push_back({waiting(), counters_.rings}); };
    all <= options_.per_ring ? for_all_of_ring(collect) : for_neighbours(collect);
  }

  template <typename Action>
  void for_all_of_ring(Action action) {
    chosen_.assign(ring_.size(), 0);
    do {
      action();
    } while (choose_next());
  }

  // Requests that are close together in the trace have the best chances: with some of the rarest
  // class, those of the others that are nearest to it.
  template <typename Action>
  void for_neighbours(Action action) {
    const auto by_size = [](const ClassEntry* a, const ClassEntry* b) {
      return a->second.size() < b->second.size();
    };
    const std::vector<EventId>& rarest =
        (*std::min_element(ring_.begin(), ring_.end(), by_size))->second;
    const std::size_t step = std::max<std::size_t>(1, rarest.size() / options_.per_ring);
    for (std::size_t i = 0, count = 0; i < rarest.size() && count < options_.per_ring; i += step) {
      choose_nearest(rarest[i]);
      action();
      ++count;
    }
  }

  // In the order of the trace: then the engine can go forward with the questions. One answer is
  // enough for a ring.
  void ask_collected() {
    std::sort(collected_.begin(), collected_.end());
    std::vector<bool> found(counters_.rings + 1, false);
    for (const Question& question : collected_) {
      if (found[question.ring]) continue;
      --counters_.left_out;
      found[question.ring] = ask(question.waiting);
    }
  }

  void choose_nearest(EventId e) {
    chosen_.assign(ring_.size(), 0);
    for (std::size_t i = 0; i < ring_.size(); ++i) {
      const std::vector<EventId>& events = ring_[i]->second;
      const auto after = std::lower_bound(events.begin(), events.end(), e);
      auto nearest = after;
      const bool has_before = after != events.begin();
      if (after == events.end() ||
          (has_before && e.value() - (after - 1)->value() < after->value() - e.value())) {
        nearest = after - 1;
      }
      chosen_[i] = static_cast<std::size_t>(nearest - events.begin());
    }
  }

  bool choose_next() {
    for (std::size_t i = 0; i < ring_.size(); ++i) {
      if (++chosen_[i] < ring_[i]->second.size()) return true;
      chosen_[i] = 0;
    }
    return false;
  }

  std::vector<EventId> waiting() const {
    std::vector<EventId> events;
    for (std::size_t i = 0; i < ring_.size(); ++i) events.push_back(ring_[i]->second[chosen_[i]]);
    std::sort(events.begin(), events.end());
    return events;
  }

  bool ask(const std::vector<EventId>& waiting) {
    ++counters_.asked;
    const Setting setting{.asked = {}, .stopped = waiting};
    asker_.keep_sequences(!options_.needs_sequence);
    DeadlockAnswer answer{waiting, asker_.ask(setting)};
    const bool found = answer.shown.answer == Answer::yes;
    if (found && options_.needs_sequence && options_.needs_sequence(waiting)) {
      asker_.keep_sequences(true);
      answer.shown = asker_.ask(setting);
    }
    tell_(std::move(answer));
    return found;
  }

  const Facts& facts_;
  DeadlockOptions options_;
  const std::function<void(DeadlockAnswer)>& tell_;
  Asker asker_;
  std::map<RequestClass, std::vector<EventId>> classes_;
  std::map<LockId, std::vector<const ClassEntry*>> holders_;
  WayBack way_back_;
  std::vector<const ClassEntry*> ring_;
  std::vector<std::size_t> chosen_;
  struct Question {
    std::vector<EventId> waiting;
    std::uint64_t ring;
    friend auto operator<=>(const Question&, const Question&) = default;
  };
  std::vector<Question> collected_;
  DeadlockCounters counters_;
};

}  // namespace

DeadlockCounters Deadlocks::ask_all(const std::function<void(DeadlockAnswer)>& tell) const {
  return RingSearch(facts_, options_, tell).run();
}

}  // namespace heddle::predict
