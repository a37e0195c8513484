#include "tests/ranges/classes.h"

#include <algorithm>
#include <map>

#include "model/interpreter.h"
#include "tests/model/brute_force.h"

namespace heddle {
namespace {

struct Event {
  ThreadId thread;
  std::size_t index;  // in its thread
  Operation operation;
};

class Search {
 public:
  Search(const ranges::Program& program, const MaySwitch& may_switch, std::size_t limit)
      : may_switch_(may_switch), limit_(limit), interpreter_(program.model()) {
    for (const ranges::PointId point : indices<ranges::PointId>(program.flow.size())) {
      points_[program.flow[point].state] = point;
    }
  }

  Classes run() {
    explore(ThreadId::none());
    return std::move(made_);
  }

 private:
  ranges::PointId point_of(ThreadId thread) { return points_[interpreter_.control(thread)]; }

  void explore(ThreadId current) {
    if (seen_.size() > limit_) {
      made_.complete = false;
      return;
    }
    if (!seen_.emplace(current, class_of_execution()).second) return;
    bool all_over = true;
    for (const ThreadId thread : indices<ThreadId>(interpreter_.thread_count())) {
      const Readiness readiness = interpreter_.readiness(thread);
      all_over = all_over && readiness == Readiness::finished;
      if (readiness != Readiness::ready) continue;
      const bool free = !current.valid() || current == thread;
      if (free || may_switch_(point_of(current), point_of(thread))) step(thread);
    }
    if (all_over) made_.found.insert(class_of_execution());
  }

  void step(ThreadId thread) {
    Operation operation;
    interpreter_.next_operation(thread, operation);
    const auto before = std::count_if(events_.begin(), events_.end(),
                                      [&](const Event& event) { return event.thread == thread; });
    events_.push_back({thread, static_cast<std::size_t>(before), operation});
    const std::size_t depth = interpreter_.depth();
    if (interpreter_.step(thread, 0) == Failure::none) explore(thread);
    interpreter_.rewind(depth);
    events_.pop_back();
  }

  TraceClass class_of_execution() const {
    TraceClass made;
    for (std::size_t i = 0; i < events_.size(); ++i) {
      made.push_back(name(events_[i]));
      for (std::size_t j = i + 1; j < events_.size(); ++j) {
        if (events_[i].thread == events_[j].thread) continue;
        if (!dependent(events_[i].operation, events_[j].operation)) continue;
        made.push_back(std::uint64_t{1} << 63 | name(events_[i]) << 30 | name(events_[j]));
      }
    }
    std::sort(made.begin(), made.end());
    return made;
  }

  static std::uint64_t name(const Event& event) {
    return std::uint64_t{event.thread.value()} << 20 | event.index;
  }

  const MaySwitch& may_switch_;
  std::size_t limit_;
  model::Interpreter interpreter_;
  std::map<model::StateId, ranges::PointId> points_;
  std::vector<Event> events_;
  std::set<std::pair<ThreadId, TraceClass>> seen_;
  Classes made_;
};

}  // namespace

Classes classes_of(const ranges::Program& program, const MaySwitch& may_switch, std::size_t limit) {
  return Search(program, may_switch, limit).run();
}

}  // namespace heddle
