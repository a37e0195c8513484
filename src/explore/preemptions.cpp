// The preemption-bounded search: every trace that has an execution with at most K
// preemptions, a preemption being a switch away from a thread that could have gone on. Most
// bugs need only one or two [Musuvathi, Qadeer, PLDI 2007], and for a fixed K the number of
// such executions is polynomial in their length.
//
// The search walks executions within the bound, and at each state takes one thread only, the
// running one if it can go on, until an execution shows that others are needed there too: in
// the manner of bounded partial order reduction [Coons, Musuvathi, McKinley, OOPSLA 2013],
// which promises the reachable local states, while here whole traces are promised.
//
// Why a race alone does not tell enough. Without a bound, what matters is which of two
// dependent events comes first, so a race needs another thread exactly where its earlier
// event stands. With a bound, the place matters as well: switching there may be a preemption
// too many, while switching where the block of the earlier event begins (a block is a
// maximal run of one thread) costs nothing, because a switch happened there anyway. For the
// same reason sleep sets would be wrong: they drop an execution because an equivalent one
// was seen to before, but that one may have had more preemptions, and been refused.
//
// What is added. Let x be an event, or what a thread stands before at the end, and e the
// last event of thread t that x depends on directly. For e, for each earlier event of t with
// which a block begins, and for each that could keep x waiting, call it f: if nothing else
// that x needs comes after f, then the threads that could have begun what x needs, without
// f, are added to the state before f.
//
// Why that is enough. Claim: for each state s that is left, and each maximal continuation w
// within the bound, an equivalent one within the bound begins with a thread that was taken
// at s. Suppose w begins with u, which was not taken at s.
// (1) Let p be taken at s, and run p from there as long as it can go on, to f1 .. fm.
//     If no event of w before them is dependent with these, and no thread that w leaves
//     blocked is woken by them, put them in front of w: equivalent, and no dearer. The switch
//     to p stands for the one to u; p ends blocked or finished, so leaving it is free; where
//     a block of p was taken out, two switches become one; and elsewhere no blocked thread
//     has become ready, so no free switch has become a preemption.
//     (Where p is the running thread, this also works with f1 .. fi only, fi+1 being the
//     first with an obstacle: leaving p before fi+1 costs one, but so did leaving it at s.
//     Hence inside a block only e itself counts, not all before it.)
// (2) Otherwise w has a first obstacle x for p: an event dependent with some fi, or the
//     operation before which a thread blocks that fi would wake. Then f1 .. fm, w up to x, x
//     is within the bound too, so by induction an equivalent execution was visited below s,
//     f1. There x was looked at, and all threads that begin what x needs in w were added to
//     s. They all have events in w.
// (3) So take the thread p among those taken at s that comes first in w. What the obstacles
//     need begins with such threads, so no obstacle of p comes earlier; by the argument of
//     (1) the first block of p in w can be put in front. The result begins with p.
// Blocking. A pair where the earlier event only made the later one possible counts like any
// other, since of such pairs the obstacles that wake are made. An operation x that fi keeps
// waiting happens, in what was visited, after later events of p that let it go, perhaps
// after p has taken the lock several times; hence all events of p that could keep it waiting
// are looked at. It may also have to let others go first. For a lock that only one can hold
// it need not, for some continuation takes x at the first switch after the lock became free.
// But what counts (semaphores, tokens of conditions, readers) can be given and taken within
// one block; there all earlier events of the object are looked at, and none of them is
// taken as needed by x.
//
// A run in which the bound never refused a thread that was to be added is the run without a
// bound: it was complete.
#include <algorithm>
#include <vector>

#include "explore/strategies.h"

namespace heddle {
namespace {

using EventIndex = Execution::EventIndex;
using Predecessor = Execution::Predecessor;
constexpr EventIndex kNone = Execution::kNone;

class PreemptionsExplorer final : public Explorer {
 public:
  PreemptionsExplorer(System& system, ExplorationListener& listener, const ExploreOptions& options,
                      std::uint32_t max_preemptions)
      : walker_(system, listener, counters_, options),
        execution_(walker_.execution()),
        max_preemptions_(max_preemptions),
        predecessors_(options.memory) {}

  bool run() override {
    enter(ThreadId::none(), 0);
    while (!frames_.empty() && !walker_.stopped()) {
      if (!advance()) leave();
    }
    return !walker_.stopped();
  }

  bool has_children_left(std::size_t depth) const override {
    return frames_[depth].explored < frames_[depth].taken.size();
  }

 private:
  // A state on the path.
  struct Frame {
    ThreadId running;  // the thread of the last event, if it can go on
    std::uint32_t preemptions = 0;
    std::vector<Transition> taken;   // to be explored, or explored, in this order
    std::size_t explored = 0;        // how many of them have been
    std::vector<ThreadId> left_out;  // ready, and not known to be needed
  };
  // An event, or the operation before which a thread stands at the end.
  struct Later {
    ThreadId thread;
    EventIndex previous;  // in its thread
    EventIndex index;
    std::span<const Access> accesses;
  };

  void enter(ThreadId last, std::uint32_t preemptions) {
    Frame& frame = frames_.emplace_back();
    frame.preemptions = preemptions;
    for (ThreadId thread : indices<ThreadId>(walker_.system().thread_count())) {
      if (walker_.system().readiness(thread) != Readiness::ready) continue;
      frame.left_out.push_back(thread);
      if (thread == last) frame.running = last;
    }
    if (walker_.at_end()) {
      walker_.visit();
      look_at_pending_operations();
    } else {
      take(frame, frame.running.valid() ? frame.running : frame.left_out.front());
    }
  }

  bool advance() {
    Frame& frame = frames_.back();
    if (frame.explored == frame.taken.size()) return false;
    const Transition transition = frame.taken[frame.explored++];
    walker_.step(transition);
    if (transition.choice + 1 < walker_.operation().choices) {
      frame.taken.push_back({transition.thread, transition.choice + 1});
    }
    const std::uint32_t preemptions = frame.preemptions + cost(frame, transition.thread);
    look_at_last_event();
    enter(transition.thread, preemptions);
    return true;
  }

  void leave() {
    frames_.pop_back();
    if (!frames_.empty()) walker_.rewind(frames_.size() - 1);
  }

  static std::uint32_t cost(const Frame& frame, ThreadId thread) {
    return frame.running.valid() && frame.running != thread ? 1 : 0;
  }

  // Has the thread explored from that state, if it is ready there and the bound allows it.
  void take(Frame& frame, ThreadId thread) {
    if (std::erase(frame.left_out, thread) == 0) return;
    if (frame.preemptions + cost(frame, thread) <= max_preemptions_) {
      frame.taken.push_back({thread, 0});
    } else {
      ++counters_.refused;
    }
  }

  void look_at_last_event() {
    execution_.order_up_to(execution_.size(), counters_);
    const auto e = static_cast<EventIndex>(execution_.size() - 1);
    const auto known = execution_.predecessors_of(e);
    predecessors_.assign(known.begin(), known.end());
    look_at({execution_.thread(e), execution_.previous_in_thread(e), e, execution_.accesses(e)});
  }

  // A thread that is blocked at the end may have come too late for something; one that is
  // ready, because the execution was cut, may do so as well.
  void look_at_pending_operations() {
    for (ThreadId thread : indices<ThreadId>(walker_.system().thread_count())) {
      const Readiness readiness = walker_.system().readiness(thread);
      if (readiness != Readiness::blocked && readiness != Readiness::ready) continue;
      operation_.clear();
      walker_.system().next_operation(thread, operation_);
      predecessors_.clear();
      execution_.predecessors(thread, operation_.accesses, predecessors_, counters_);
      const auto end = static_cast<EventIndex>(execution_.size());
      look_at({thread, execution_.last_of(thread), end, operation_.accesses});
    }
  }

  void look_at(const Later& later) {
    for (const Access& access : later.accesses) {
      if (counts(access, later.index)) look_at_all_of(access.object, later);
    }
    for (std::size_t i = 0; i < predecessors_.size(); ++i) {
      if (is_last_of_its_thread(i)) look_at_pair(predecessors_[i].event, later);
    }
  }

  // Whether the access waits for something that others can give and take in one block.
  bool counts(const Access& access, EventIndex end) const {
    if (access.kind == EventKind::semaphore_wait || access.kind == EventKind::wake) return true;
    if (access.kind != EventKind::acquire) return false;
    for (EventIndex e = 0; e < end; ++e) {
      for (const Access& other : execution_.accesses(e)) {
        if (other.object == access.object && other.kind == EventKind::reader_acquire) return true;
      }
    }
    return false;
  }

  // Makes all earlier events of the object predecessors, as if each only enabled.
  void look_at_all_of(SystemObject object, const Later& later) {
    std::erase_if(predecessors_, [&](const Predecessor& p) { return p.object == object; });
    for (EventIndex e = 0; e < later.index; ++e) {
      if (execution_.thread(e) == later.thread) continue;
      for (const Access& access : execution_.accesses(e)) {
        if (access.object == object) predecessors_.push_back({e, object, Order::tentative});
      }
    }
  }

  bool is_last_of_its_thread(std::size_t i) const {
    const EventIndex event = predecessors_[i].event;
    for (std::size_t j = 0; j < predecessors_.size(); ++j) {
      const EventIndex other = predecessors_[j].event;
      if (execution_.thread(other) != execution_.thread(event)) continue;
      if (other > event || (other == event && j < i)) return false;
    }
    return true;
  }

  // The last event of a thread that the later one depends on, and what comes before it.
  void look_at_pair(EventIndex last, const Later& later) {
    EventIndex e = last;
    while (e != kNone && !is_needed(e, later)) {
      if (e == last || begins_block(e) || could_block(e, later)) take_beginnings(e, later);
      e = execution_.previous_in_thread(e);
    }
  }

  bool could_block(EventIndex e, const Later& later) {
    if (std::none_of(later.accesses.begin(), later.accesses.end(), can_block)) return false;
    ++counters_.dependency_checks;
    return dependent(execution_.accesses(e), later.accesses);
  }
  static bool can_block(const Access& access) {
    return access.kind == EventKind::acquire || access.kind == EventKind::reader_acquire ||
           access.kind == EventKind::semaphore_wait || access.kind == EventKind::wake;
  }

  bool begins_block(EventIndex e) const {
    return e == 0 || execution_.thread(e - 1) != execution_.thread(e);
  }

  // Whether something that the later one needs, other than by the thread of e, comes after e.
  bool is_needed(EventIndex e, const Later& later) const {
    if (later.previous != kNone && execution_.before(e, later.previous)) return true;
    return std::any_of(predecessors_.begin(), predecessors_.end(), [&](const Predecessor& p) {
      const bool only_enables = p.order == Order::enabled || p.order == Order::tentative;
      return !only_enables && execution_.thread(p.event) != execution_.thread(e) &&
             execution_.before(e, p.event);
    });
  }

  // Has the threads explored before event e that can begin what the later one needs.
  void take_beginnings(EventIndex e, const Later& later) {
    Frame& frame = frames_[e];
    if (frame.left_out.empty()) return;
    ++counters_.race_checks;
    for (EventIndex first = e + 1; first < later.index; ++first) {
      if (can_stand_before(e, first) && is_needed_without(e, first, later)) {
        take(frame, execution_.thread(first));
      }
    }
    if (can_stand_before(e, later)) take(frame, later.thread);
  }

  // Whether all that the event needs happened before e.
  bool can_stand_before(EventIndex e, EventIndex first) const {
    const EventIndex previous = execution_.previous_in_thread(first);
    if (previous != kNone && previous >= e) return false;
    const auto needed = execution_.predecessors_of(first);
    return std::all_of(needed.begin(), needed.end(),
                       [&](const Predecessor& p) { return p.event < e; });
  }
  bool can_stand_before(EventIndex e, const Later& later) const {
    if (later.previous != kNone && later.previous > e) return false;
    return std::all_of(predecessors_.begin(), predecessors_.end(), [&](const Predecessor& p) {
      return p.event < e || execution_.before(e, p.event);
    });
  }

  bool is_needed_without(EventIndex e, EventIndex first, const Later& later) const {
    if (later.previous != kNone && execution_.before(first, later.previous)) return true;
    return std::any_of(predecessors_.begin(), predecessors_.end(), [&](const Predecessor& p) {
      return !execution_.before(e, p.event) && execution_.before(first, p.event);
    });
  }

  Walker walker_;
  Execution& execution_;
  std::uint32_t max_preemptions_;
  std::vector<Frame> frames_;
  std::pmr::vector<Predecessor> predecessors_;  // of the later event that is looked at
  Operation operation_;
};

}  // namespace

std::unique_ptr<Explorer> make_preemptions_explorer(System& system, ExplorationListener& listener,
                                                    const ExploreOptions& options,
                                                    std::uint32_t max_preemptions) {
  return std::make_unique<PreemptionsExplorer>(system, listener, options, max_preemptions);
}

}  // namespace heddle
