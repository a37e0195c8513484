// Locks and conditions on stacks: one object for each variable.
//
// A mutex of C++ is not destroyed by a call, so the runtime takes one that lies where another one
// lay, in a call that is over, for the same object. Here they are told apart by the calls that
// hold them (stack_frames.h): when another call holds the place, and what lies there has another
// name, it is another object of the trace. An object that keeps its name stays the same one.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include <absl/container/flat_hash_map.h>

namespace heddle {

struct StackObject {
  std::uint64_t address = 0;
  std::uint64_t extra = 0;                              // as its definition says (wire.h)
  std::uint64_t life = 0;                               // of the call that holds it
  std::uint64_t changes = 0;                            // of the calls, when this was looked up
  absl::flat_hash_map<std::string, std::uint32_t> ids;  // in the trace, by name
};

// What a number of the runtime's stands for in the trace.
struct NumberedObject {
  static constexpr std::uint32_t kOnNoStack = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t id = 0;
  std::uint32_t on_stack = kOnNoStack;  // which StackObject it is
};

}  // namespace heddle
