// Locks and conditions on stacks: one object for each variable.
//
// A mutex of C++ is not destroyed by a call, so the runtime takes one that lies where another one
// lay, in a call that is over, for the same object. Here they are told apart by the calls that
// hold them (stack_frames.h): when another call holds the place, and what lies there has another
// name, it is another object of the trace. An object that keeps its name stays the same one.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include <absl/container/flat_hash_map.h>

#include "trace/event.h"

namespace heddle {

class StackObjects {
 public:
  struct Object {
    std::uint64_t address = 0;
    std::uint64_t extra = 0;                              // as its definition says (wire.h)
    std::uint64_t life = 0;                               // of the call that holds it
    std::uint32_t id = 0;                                 // in the trace
    absl::flat_hash_map<std::string, std::uint32_t> ids;  // by name
  };

  // The number that the runtime gave, and what it stands for now; null if it is on no stack.
  Object* find(ObjectType type, std::uint32_t number) {
    const auto found = objects_.find({type, number});
    return found != objects_.end() ? &found->second : nullptr;
  }
  void add(ObjectType type, std::uint32_t number, Object object) {
    objects_[{type, number}] = std::move(object);
  }

 private:
  absl::flat_hash_map<std::pair<ObjectType, std::uint32_t>, Object> objects_;
};

}  // namespace heddle
