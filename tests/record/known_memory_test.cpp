// What the host knows of memory, against maps from addresses.
#include "record/known_memory.h"

#include <map>
#include <optional>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.h"

namespace heddle {
namespace {

// Two pages and a bit, so that accesses cross their border.
constexpr std::uint64_t kBase = 0x1000'0000'0f80;
constexpr std::uint32_t kBytes = 4096 + 256;

class SlowMemory {
 public:
  LocationId location(std::uint64_t address, std::uint32_t size) {
    const auto found = locations_.find({address, size});
    return found != locations_.end() ? found->second : LocationId::none();
  }
  void set_location(std::uint64_t address, std::uint32_t size, LocationId location) {
    locations_[{address, size}] = location;
  }
  void forget(std::uint64_t low, std::uint64_t high) {
    forget_values(low, high - low);
    forget_locations(low, high);
  }
  // Whole words are forgotten: a location in the word of the first or last byte is, too.
  void forget_locations(std::uint64_t low, std::uint64_t high) {
    std::erase_if(locations_, [&](const auto& entry) {
      return entry.first.first / 4 >= low / 4 && entry.first.first / 4 <= (high - 1) / 4;
    });
  }
  bool agrees(std::uint64_t address, std::uint32_t size, std::uint64_t value) {
    for (std::uint32_t i = 0; i < size; ++i) {
      const auto known = bytes_.find(address + i);
      if (known != bytes_.end() && known->second != (value >> 8 * i & 0xff)) return false;
    }
    return true;
  }
  void set_value(std::uint64_t address, std::uint32_t size, std::uint64_t value) {
    for (std::uint32_t i = 0; i < size; ++i) bytes_[address + i] = value >> 8 * i & 0xff;
  }
  void forget_values(std::uint64_t address, std::uint64_t size) {
    bytes_.erase(bytes_.lower_bound(address), bytes_.lower_bound(address + size));
  }

 private:
  std::map<std::pair<std::uint64_t, std::uint32_t>, LocationId> locations_;
  std::map<std::uint64_t, std::uint64_t> bytes_;
};

bool crosses_page(std::uint64_t address, std::uint32_t size) {
  return address / 4096 != (address + size - 1) / 4096;
}

RC_GTEST_PROP(KnownMemory, KnowsWhatASlowOneKnows, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  KnownMemory memory;
  SlowMemory slow;
  std::uint32_t next = 0;
  bool forgot = false;
  const std::uint32_t forgets = random.below(2) * 40;
  for (int i = 0; i < 2000; ++i) {
    const std::uint32_t size = 1u << random.below(4);
    const std::uint64_t address =
        kBase + (random.below(2) == 0 ? random.below(kBytes) : random.below(64) * 8);
    const std::uint64_t value = random.below(3);
    if (forgets != 0 && random.below(forgets) == 0) {
      const std::uint64_t high = address + 1 + random.below(random.below(2) == 0 ? 32 : 4096);
      if (random.below(2) == 0) {
        forgot = true;
        memory.forget(address, high);
        slow.forget(address, high);
      } else {
        memory.forget_locations(address, high);
        slow.forget_locations(address, high);
      }
    }
    // As the translator does: an access has a location before it has a value.
    RC_ASSERT(memory.location(address, size) == slow.location(address, size));
    if (!slow.location(address, size).valid()) {
      memory.set_location(address, size, LocationId(next));
      slow.set_location(address, size, LocationId(next++));
    }
    if (crosses_page(address, size)) {
      memory.forget_values(address, size);
      slow.forget_values(address, size);
      continue;
    }
    if (random.below(2) == 0) {
      // With the last location of a page, all values on it are forgotten.
      const bool agrees = memory.read_value(address, size, value);
      RC_ASSERT(agrees == slow.agrees(address, size, value) || (agrees && forgot));
      if (!agrees) continue;
    } else {
      memory.set_value(address, size, value);
    }
    slow.set_value(address, size, value);
  }
}

// As on a stack: another call has the place, and reads what nobody is seen to have written.
TEST(KnownMemory, KeepsValuesWhenOnlyTheNamesChange) {
  KnownMemory memory;
  memory.set_location(kBase, 8, LocationId(1));
  memory.set_value(kBase, 8, 2246);
  memory.forget_locations(kBase, kBase + 64);
  EXPECT_FALSE(memory.location(kBase, 8).valid());
  EXPECT_TRUE(memory.read_value(kBase, 8, 2246));
  EXPECT_FALSE(memory.read_value(kBase, 8, 6414));
  memory.set_location(kBase, 8, LocationId(1));
  memory.forget(kBase, kBase + 64);
  EXPECT_TRUE(memory.read_value(kBase, 8, 6414));
}

}  // namespace
}  // namespace heddle
