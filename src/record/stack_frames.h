// The calls that hold what threads share on their stacks, and the names of it.
//
// The runtime tells of a call when something in its frame is first heard of (told_frames.h), so
// the frames here are those that matter. One that was left is not reported; it is over when
// another one is told to hold its place, and then the names of the place are forgotten. So a name
// never outlives its variable. What the bytes hold is not forgotten: the trace, which has them as
// bytes of the stack, does not forget it either.
//
// Two lives of one place are two locations of the same bytes, which conflict as they did before:
// a thread that still uses the place by a pointer of old races with the new owner.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <absl/container/btree_map.h>
#include <absl/container/flat_hash_map.h>

#include "record/known_memory.h"
#include "record/sites.h"
#include "record/source_names.h"
#include "trace/tables.h"

namespace heddle {

class StackFrames {
 public:
  StackFrames(Tables& tables, const Sites& sites, SourceNames& names, KnownMemory& memory)
      : tables_(&tables), sites_(&sites), names_(&names), memory_(&memory) {}

  // A call that `thread` is in, stack node `node`, holds memory from its stack pointer up to
  // `high`.
  void add(ThreadId thread, const StackFrame& frame, std::uint32_t node, std::uint64_t high);
  // What lies below `high` on the thread's stack belongs to no call that is known.
  void clear_below(ThreadId thread, std::uint64_t high);
  // A new stack lies there.
  void clear(std::uint64_t low, std::uint64_t high);
  // Where a thread was when something was heard of it last.
  void set_position(ThreadId thread, std::uint32_t node, std::uint64_t pc) {
    if (positions_.size() <= thread.value()) positions_.resize(thread.value() + 1);
    positions_[thread.value()] = {node, pc};
  }

  struct Name {
    StringId text = StringId::none();  // "accounts[3].balance in main"
    bool certain = true;               // as long as nothing is said about the frames
  };
  Name name_at(std::uint64_t address, std::uint32_t size);
  // So many times something was said about calls.
  std::uint64_t changes() const { return changes_; }
  // Another number for every call that is told: which of them holds the address; 0 for none.
  std::uint64_t life_at(std::uint64_t address);
  // The same for an object that may have one of these sizes; empty if it has no name.
  std::string object_name(std::uint64_t address, std::span<const std::uint32_t> sizes);

 private:
  struct Place {
    std::uint64_t address = 0;
    std::uint64_t pc = 0;
    std::uint32_t size = 0;
    friend bool operator==(const Place&, const Place&) = default;
    template <typename H>
    friend H AbslHashValue(H state, const Place& place) {
      return H::combine(std::move(state), place.address, place.pc, place.size);
    }
  };
  struct Call {
    ThreadId thread;
    StackFrame frame;
    std::uint32_t node = 0;
    std::uint64_t high = 0;
    std::uint64_t life = 0;
    absl::flat_hash_map<Place, StringId> uncertain;  // names that depend on where it is
  };
  struct Position {
    std::uint32_t node = 0;
    std::uint64_t pc = 0;
  };

  Call* call_at(std::uint64_t address);
  std::uint64_t position_in(const Call& call) const;
  StringId text_of(const Call& call, const LocalName& name);

  Tables* tables_;
  const Sites* sites_;
  SourceNames* names_;
  KnownMemory* memory_;
  absl::btree_map<std::uint64_t, Call> calls_;  // by where their memory begins
  std::vector<Position> positions_;             // by thread
  std::uint64_t changes_ = 0;
};

}  // namespace heddle
