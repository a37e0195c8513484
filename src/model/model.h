// A model in memory: control states and guarded transitions (c, g, u, c').
//
// A state of the whole model is an array of 64-bit words: the shared variables, the state
// of locks, conditions and semaphores, where each thread stands, and the threads' local
// variables (Layout says which word is which). Each thread, an instance of a template, has
// control states of its own, so its parameter is a constant in its expressions.
//
// Transitions leave a control state in one of three shapes: one alone; two, guarded by a
// condition and its negation (a branch); or several without guards (a choice). Only single
// ones update variables or synchronise.
//
// A control state is either visible, a point where other threads may run, or inner: the
// thread goes on at once. Inner are the states inside an atomic block, and those whose next
// transition is local, cannot fail, has nothing to choose and does not enter an atomic block.
// So one step of a thread is a transition from a visible state and all that follow until the
// next visible one.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/index.h"
#include "model/expression.h"
#include "model/interval.h"
#include "model/source.h"
#include "system/operation.h"

namespace heddle::model {

using VariableId = Index<struct VariableTag>;
using StateId = Index<struct ControlStateTag>;
using TransitionId = Index<struct TransitionTag>;

inline constexpr std::int64_t kMaxChoices = 1 << 20;  // a `choose` from more is misuse

struct Variable {
  std::string name;
  ThreadId thread{};  // none: shared
  bool is_bool = false;
  bool is_array = false;
  bool atomic = false;
  bool temporary = false;  // holds what was loaded for a statement that was split
  Interval bounds{};       // full: not checked
  std::uint32_t first_word = 0;
  std::uint32_t length = 1;
  SourceRange declared{};

  bool shared() const { return !thread.valid(); }
  bool checked() const { return bounds != Interval::full(); }
};

enum class SyncKind : std::uint8_t { lock, recursive_lock, rwlock, condition, semaphore };
struct SyncDeclaration {
  std::string name;
  SyncKind kind = SyncKind::lock;
  bool is_array = false;
  SystemObject first{};  // its objects follow each other
  std::uint32_t length = 1;
};

// What a lock, condition or semaphore needs to know at run time.
struct SyncObject {
  SyncKind kind = SyncKind::lock;
  std::uint32_t word = 0;    // first of its words
  std::int64_t initial = 0;  // count of a semaphore
  std::uint32_t declaration = 0;
};

struct Parameter {
  std::string name;
  std::int64_t value = 0;
  bool is_bool = false;
};

struct ModelThread {
  std::string name;  // "worker(3)"
  std::uint32_t thread_template = 0;
  StateId first{};
  bool forked = false;           // unborn until somebody forks it
  bool joined = false;           // somebody joins it, so its end is a step of its own
  std::uint32_t first_word = 0;  // its local variables have [first_word, end_word)
  std::uint32_t end_word = 0;
};

struct ThreadTemplate {
  std::string name;
  bool has_parameter = false;
  std::int64_t low = 0;  // of the parameter
  ThreadId first{};
  std::uint32_t count = 1;
};

// A word of an array, or an object of an array of objects: base, or base + index.
struct Reference {
  std::uint32_t base = 0;
  std::uint32_t length = 1;
  ExpressionId index{};     // none: base itself
  std::int64_t offset = 0;  // what the first element's index is (a thread's parameter)
};

struct Update {
  Reference target{};
  ExpressionId value{};
  Interval bounds{};
};

enum class TransitionKind : std::uint8_t {
  update,  // also `skip`, the branches and the alternatives of a choice
  assertion,
  assumption,
  compare_and_swap,
  choose_value,
  acquire,
  release,
  try_acquire,
  reader_acquire,
  reader_release,
  try_reader_acquire,
  wait,
  wake,
  notify,
  notify_all,
  semaphore_wait,
  try_semaphore_wait,
  semaphore_post,
  fork,
  join,
  end,
};
constexpr bool synchronises(TransitionKind kind) { return kind >= TransitionKind::acquire; }

struct Transition {
  StateId source{};
  StateId target{};
  TransitionKind kind = TransitionKind::update;
  bool negated = false;   // taken when the guard does not hold
  bool may_fail = false;  // its evaluation or an update may leave its range
  bool in_atomic_block = false;
  ExpressionId guard{};      // none: always taken
  ExpressionId condition{};  // of an assertion or assumption; the value that a CAS expects
  ExpressionId low{};        // choose_value
  ExpressionId high{};
  Reference object{};              // lock, condition, semaphore, thread; the variable of a CAS
  Reference lock{};                // given up by a wait
  std::uint32_t first_update = 0;  // all at once; for tries and CAS the first takes the result,
  std::uint32_t update_count = 0;  // and the second of a CAS is what it writes
  SourceRange range{};
};

struct ControlState {
  ThreadId thread{};
  TransitionId first{};
  std::uint32_t count = 0;  // of transitions; 0 for the end of a thread
  bool inner = false;
  bool atomic = false;  // inside an atomic block: inner whatever its transitions are
};

struct Layout {
  std::uint32_t shared_words = 0;   // the objects of the shared variables have the same numbers
  std::uint32_t first_control = 0;  // one word per thread: its control state
  std::uint32_t first_status = 0;   // one word per thread: born, begun, failed
  std::uint32_t words = 0;
  std::uint32_t first_sync_object = 0;
  std::uint32_t first_thread_object = 0;
  std::uint32_t objects = 0;
};

// Which variables a transition may read, write, use in an index, or decide by: its guard,
// and what an assertion, an assumption or a CAS compares. Sorted, each once.
struct StaticTable {
  std::vector<VariableId> reads;
  std::vector<VariableId> writes;
  std::vector<VariableId> addresses;
  std::vector<VariableId> branches;
};

class Model {
 public:
  explicit Model(SourceText text) : source(std::move(text)) {}

  SourceText source;
  std::vector<Parameter> parameters;
  Table<VariableId, Variable> variables;
  std::vector<SyncDeclaration> sync_declarations;
  std::vector<SyncObject> sync_objects;
  std::vector<ThreadTemplate> templates;
  Table<ThreadId, ModelThread> threads;
  Table<StateId, ControlState> states;
  Table<TransitionId, Transition> transitions;
  Table<TransitionId, StaticTable> tables;
  std::vector<Update> updates;
  Expressions expressions;
  Layout layout;
  std::vector<std::int64_t> initial_words;
  std::vector<VariableId> word_variables;  // none for words that are no variable's

  std::span<const Transition> transitions_of(StateId state) const {
    const ControlState& from = states[state];
    return {transitions.data() + from.first.value(), from.count};
  }
  std::span<const Update> updates_of(const Transition& transition) const {
    return {updates.data() + transition.first_update, transition.update_count};
  }
  bool branches(StateId state) const {
    return states[state].count == 2 && transitions[states[state].first].guard.valid();
  }
  bool chooses(StateId state) const { return states[state].count > 1 && !branches(state); }

  const SyncObject& sync_object(SystemObject object) const {
    return sync_objects[object.value() - layout.first_sync_object];
  }
  bool is_shared_word(std::uint32_t word) const { return word < layout.shared_words; }
  const Variable* variable_of(std::uint32_t word) const;
  // The bounds that hold for a word in every state; full for words of the machinery.
  Interval bounds_of(std::uint32_t word) const;

  std::string word_name(std::uint32_t word) const;  // "a[3]"
  std::string object_name(SystemObject object) const;
  std::string value_text(std::uint32_t word, std::int64_t value) const;  // "3", "true"
};

// Whether the transition touches nothing but its thread's own variables.
bool is_local(const Model& model, const Transition& transition);

}  // namespace heddle::model
