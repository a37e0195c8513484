// Numbers for objects that are known by type and address: dense, in the order in which they
// are first asked for. A hash table with open addressing.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/event.h"

namespace heddle {

class ObjectNumbers {
 public:
  std::uint32_t number_of(ObjectType type, std::uint64_t address) {
    const std::uint64_t key = (address << 5 ^ static_cast<std::uint64_t>(type)) + 1;
    if ((names_.size() + 1) * 2 > slots_.size()) grow();
    for (std::size_t i = place_of(key);; i = (i + 1) & (slots_.size() - 1)) {
      if (slots_[i].key == key) return slots_[i].number;
      if (slots_[i].key != 0) continue;
      slots_[i] = {key, static_cast<std::uint32_t>(names_.size())};
      names_.push_back({type, address});
      return slots_[i].number;
    }
  }

  struct Name {
    ObjectType type;
    std::uint64_t address;
  };
  const Name& name(std::uint32_t number) const { return names_[number]; }
  std::size_t size() const { return names_.size(); }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t number = 0;
  };

  std::size_t place_of(std::uint64_t key) const {
    return (key * 0x9e3779b97f4a7c15 >> 32) & (slots_.size() - 1);
  }

  void grow() {
    std::vector<Slot> old(slots_.empty() ? 64 : slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.key == 0) continue;
      std::size_t i = place_of(slot.key);
      while (slots_[i].key != 0) i = (i + 1) & (slots_.size() - 1);
      slots_[i] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::vector<Name> names_;
};

}  // namespace heddle
