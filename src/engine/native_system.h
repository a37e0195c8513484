// A running program as a system that can be explored.
//
// A state of the program cannot be taken back, so going back means to start again and follow
// the steps that led there, or to start from a state on the way that was kept (a waypoint):
// halfway, halfway of the rest, and so on, as long as that saves more than it costs. That
// happens only when a step is asked for: where threads stand, and what they will do next, is
// remembered for every state on the path. On the way, each
// operation must be the one that is remembered; the first that is not is a Diverged: the
// program does not do the same again, or could not be put back to its start.
//
// The compiler's instrumentation does not tell what a read influences, so every read is taken
// to decide all that follows: certain_operations() knows no more than the next one. Better
// knowledge about the program would come in there.
//
// Objects are numbered as they come. How many threads and objects there are turns out only
// along the way; with more than the tables of the explorers hold, the search has to start
// again with larger ones (StartAgain).
//
// Whether a thread in a loop only waits, its own memory tells, which takes long to look at. So
// that is done only at operations to which a thread was seen to come back: with the first time at
// a new one, the search starts again, too. From then on it is known at every arrival there.
#pragma once

#include <string>
#include <vector>

#include "engine/object_numbers.h"
#include "runtime/explored_program.h"
#include "system/system.h"

namespace heddle {

struct Diverged {
  std::size_t step;
  std::string expected;
  std::string came;
};
struct StartAgain {};

class NativeSystem final : public System {
 public:
  // With `stop_spinning`, a thread that went round in vain is left where it stands, as models
  // are (model/interpreter.h).
  NativeSystem(const explored::Program& program, bool stop_spinning)
      : program_(program), stop_spinning_(stop_spinning) {}

  // The sizes of tables; takes effect when a search begins. Rewinds to the start.
  void begin(std::size_t threads, std::size_t objects);
  // The first so many steps are fixed: no part of a round in vain, and run only once.
  void search_from(std::size_t depth) { first_step_ = depth; }
  std::size_t threads_seen() const { return threads_seen_; }
  std::size_t objects_seen() const { return objects_.size(); }
  // What was wrong before anybody took a step.
  Failure failed_at_start() const { return failed_at_start_; }

  std::size_t thread_count() const override { return threads_.size(); }
  std::size_t object_count() const override { return object_limit_; }
  Readiness readiness(ThreadId thread) const override { return threads_[thread.value()].readiness; }
  void next_operation(ThreadId thread, Operation& operation) const override;
  Failure step(ThreadId thread, std::uint32_t choice) override;
  std::span<const Access> effects() const override;
  void rewind(std::size_t depth) override;
  std::size_t depth() const override { return steps_.size(); }
  void certain_operations(ThreadId thread, std::size_t limit,
                          OperationList& operations) const override;
  bool spins_for_ever(ThreadId thread) const override;
  std::uint32_t initial_count(SystemObject) const override { return 0; }
  std::uint64_t state_hash() const override { return 0; }

  std::string thread_name(ThreadId thread) const override;
  std::string object_name(SystemObject object) const override;
  std::string describe_next(ThreadId thread) const override;
  std::string where_next(ThreadId thread) const override;
  // "message<tab>thread<tab>pc<tab>other thread<tab>other pc"
  std::string describe_last_step() const override;

 private:
  // A thread in a state of the path.
  struct View {
    Readiness readiness = Readiness::unborn;
    bool conditional = false;
    EventKind kind = EventKind::begin;
    std::uint32_t choices = 1;
    std::uint32_t first_access = 0;
    std::uint32_t access_count = 0;
    std::uint64_t object = 0;
    std::uint64_t pc = 0;
    std::uint64_t state = 0;  // of the thread's own memory, where it may come round; else 0
  };
  struct Change {
    std::uint32_t thread;
    View before;
  };
  // What is remembered of a step besides what it was.
  struct Step {
    std::uint64_t state;
    std::uint32_t previous;  // of the same thread, plus one
    // Where these were before the step.
    std::uint32_t changes;
    std::uint32_t accesses;
    std::uint32_t effects;
  };

  void stop_if_round_in_vain(std::uint32_t thread);
  bool is_loop(std::uint64_t pc) const;
  void note_loop(std::uint64_t pc);
  void restart();
  void follow_path();
  void follow(std::size_t until);
  bool keep_state_at(std::size_t depth);
  [[noreturn]] void diverge(std::size_t step) const;
  void look_at_threads(bool all);
  void look_at(std::uint32_t thread);
  void look_again(std::uint32_t thread);
  void set(std::uint32_t thread, const View& view);
  void put(std::uint32_t thread, const View& view);
  View view_of(const explored::Next& next, std::uint32_t thread);
  void add_access(EventKind kind, ObjectType type, std::uint64_t object, bool tried = false);
  void take_effects();
  std::uint32_t number_of_thread(std::uint64_t thread);
  SystemObject number_of(ObjectType type, std::uint64_t object);
  Failure failure() const;
  std::string words_of(EventKind kind, std::uint64_t object, std::uint64_t pc) const;

  const explored::Program& program_;
  bool stop_spinning_;
  ObjectNumbers objects_;
  std::vector<std::uint32_t> thread_numbers_;  // of these, by thread
  std::size_t object_limit_ = 0;
  std::size_t threads_seen_ = 0;
  std::vector<View> threads_;
  std::vector<std::uint64_t> conditional_;  // a bit for each thread that is
  std::vector<Access> accesses_;            // of the views, those of earlier states first
  std::vector<Change> changes_;
  std::vector<Access> effects_;
  std::vector<explored::Taken> path_;
  std::vector<Step> steps_;                // those of the path
  std::vector<std::uint32_t> last_steps_;  // by thread: its last step, plus one
  std::size_t live_ = 0;                   // so many steps has the program taken...
  bool is_live_ = false;                   // ...since its start, if it was started
  std::size_t common_ = 0;                 // of these, so many are those of the path
  std::vector<std::size_t> waypoints_;     // steps of the path after which its state was kept
  Failure failed_at_start_ = Failure::none;
  std::size_t first_step_ = 0;        // of the search
  std::vector<std::uint64_t> loops_;  // operations to which a thread has come back
};

}  // namespace heddle
