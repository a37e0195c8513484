// Ownership: for every eight bytes of the program's memory, the one thread that has it, or that
// several threads may touch it at the same time.
//
// Most of what a program touches belongs to one thread, or is handed from one to the next by fork
// and join (stretch.h): it can neither race nor carry a value that could have been another one, so
// it is left out of a trace. But a location that turns out to be shared later needs its earlier
// events, too. Therefore a program is run twice along the same schedule: a scout, which only finds
// out what is shared, and the run that is recorded, which knows it from the start and emits nothing
// else. (How one run can be enough: forecast.h.) It goes on to look after owners: if a place turns
// out to be shared that was not in the scout's run, that is told.
//
// The owners, as the stretches in which they touched it last, lie in a table of two bytes per
// granule, at a fixed distance from the memory that they describe; pages of it exist where
// something was touched. What is shared stays so, also when memory is freed and used again.
//
// Allocating and freeing count as touching a heap block. Who may become the owner of a granule
// that nobody has touched: in a large new heap block only the thread that allocated it, whose
// arena it lies in; of a stack, of the data of modules and of arguments the first who comes; of
// any other memory nobody, since its address may be another one in the next run. The stack of a
// thread that is gone passes to the next one in the same place.
#pragma once

#include <cstdint>

#include "runtime/hot_words.h"
#include "runtime/memory.h"
#include "runtime/thread.h"
#include "runtime/wire.h"

namespace heddle::runtime {

inline constexpr std::uint16_t kSharedOwner = 0xffff;
inline constexpr std::uint16_t kUntracked = 0xfffe;  // a thread that can own nothing

class Ownership {
 public:
  // False when there is no place for the table.
  bool open(const wire::Range* shared, std::uint64_t count);
  bool active() const { return active_; }

  static std::uint16_t& owner_of(std::uint64_t address) {
    return reinterpret_cast<std::uint16_t*>(kOwnerTable)[address / kGranule];
  }
  void begin(Thread& main_thread) { main_thread.mark = new_stretch(main_thread); }
  void forked(Thread& parent, Thread& child);
  void joined(Thread& self, const Thread& other);

  // Whether the access touches anything shared.
  bool touch(const Thread& thread, std::uint64_t address, std::uint64_t size);
  // The birth and the death of a heap block.
  void allocated(const Thread& thread, std::uint64_t address, std::uint64_t size);
  void freed(const Thread& thread, std::uint64_t address, std::uint64_t size);
  // Whether it is a place of at most four granules, all of them shared, and none touched in part
  // by an access that has a value.
  static bool all_shared(std::uint64_t address, std::uint64_t size) {
    const std::uint64_t offset = address & (kGranule - 1);
    if (size <= kGranule) return offset + size <= kGranule && owner_of(address) == kSharedOwner;
    if (size > 4 * kGranule) return false;
    bool all = true;
    for (std::uint64_t at = address - offset; at < address + size; at += kGranule) {
      all &= owner_of(at) == kSharedOwner;
    }
    return all;
  }
  // Whether anything in it is shared, or will be.
  bool any_shared(std::uint64_t address, std::uint64_t size);
  // The block is expected to be shared, so it counts as that from its birth.
  void expect_shared(std::uint64_t address, std::uint64_t size, bool is_new);
  // The same in every run, for memory that it knows.
  std::uint64_t canonical(std::uint64_t address);
  // A synchronisation object lives there.
  void share(std::uint64_t address);
  // The next memory whose place is not fixed.
  void add_relocated(std::uint64_t low, std::uint64_t high);

 private:
  static constexpr std::uint64_t kTableSize = std::uint64_t{1} << 45;
  static constexpr std::uint64_t kPages = kOwnerTable + kTableSize;  // a byte per page of memory
  static constexpr std::uint64_t kPagesSize = std::uint64_t{1} << 35;

  // The 65,533rd stretch and later ones own nothing.
  std::uint16_t new_stretch(const Thread& thread);
  bool left_by_predecessor(const Thread& thread, std::uint64_t address, std::uint16_t owner);
  bool touch_granule(const Thread& thread, std::uint64_t granule);
  // False for memory whose address may be another one in the next run.
  bool knows(std::uint64_t address);
  bool may_own(const Thread& thread, std::uint64_t address, std::uint16_t owner);
  bool may_own_untouched(const Thread& thread, std::uint64_t address);
  void share_all(std::uint64_t address, std::uint64_t size);
  void preset(std::uint64_t low, std::uint64_t high);
  static void mark_shared(std::uint64_t granule) {
    owner_of(granule) = kSharedOwner;
    shared_on_page(granule) = 1;
  }
  // Whether anything on the page is shared.
  static std::uint8_t& shared_on_page(std::uint64_t address) {
    return *reinterpret_cast<std::uint8_t*>(kPages + address / 4096);
  }

  bool active_ = false;
  std::uint16_t stretches_ = 0;
  const wire::Range* shared_ = nullptr;
  std::uint64_t shared_count_ = 0;
  Array<wire::Range> relocated_;
};

extern Ownership ownership;

}  // namespace heddle::runtime
