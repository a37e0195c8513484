// The program's memory as regions: heap blocks, stacks, the data of modules.
//
// The wire has addresses; a trace has regions and offsets, so that it does not depend on
// where things lie. A heap block is a region from its allocation on, and another one when
// its address is allocated again.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <absl/container/btree_map.h>
#include <absl/container/flat_hash_map.h>

#include "record/source_names.h"
#include "trace/tables.h"

namespace heddle {

struct Module {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  std::string path;
  std::uint64_t canonical = 0;  // where its pointers lie in a trace
};

class AddressSpace {
 public:
  AddressSpace(Tables& tables, SourceNames& names) : tables_(&tables), names_(&names) {}

  void add_module(std::uint64_t low, std::uint64_t high, const std::string& path);
  // A region that is there from now on; one that lay there before is over.
  RegionId add(std::uint64_t low, std::uint64_t high, std::string_view name);
  // A heap block, the how many-th of its thread, likewise.
  RegionId add_block(std::uint64_t low, std::uint64_t high, ThreadId thread, std::uint64_t number,
                     SiteId site);
  // The stack of a thread, likewise.
  RegionId add_stack(std::uint64_t low, std::uint64_t high, std::string_view name);
  // The variables of the module at `module` that a thread has for itself.
  void add_thread_locals(std::uint64_t low, std::uint64_t high, std::uint64_t module,
                         ThreadId thread);
  // Memory whose address depends on where the kernel put it: pointers into it are moved.
  RegionId add_relocated(std::uint64_t low, std::uint64_t high, std::string_view name);
  // The region that starts there, and is over now; none if there is no such region.
  RegionId remove(std::uint64_t low);

  // A new location; the caller remembers it (known_memory.h). None for one on a stack, whose name
  // has to be known.
  LocationId add_location(std::uint64_t address, std::uint32_t size) {
    const Extent& last = last_extent_;
    if (address < last.low || address >= last.high || last.kind != Kind::block) [[unlikely]]
      return add_location_elsewhere(address, size);
    return tables_->locations.add({StringId::none(), last.region, address - last.low, size});
  }
  bool is_stack(std::uint64_t address) { return extent_of(address).kind == Kind::stack; }
  // "counter of main.1", or none.
  StringId thread_local_name(std::uint64_t address, std::uint32_t size);
  // A location on a stack that was given this name (none, perhaps), or a new one.
  LocationId stack_location(std::uint64_t address, std::uint32_t size, StringId name);
  // The value as it stands in a trace: pointers do not depend on where things lie.
  std::uint64_t canonical(std::uint64_t value) const {
    const bool may_move = value >= lowest_relocated_ && value < highest_relocated_;
    return may_move ? moved(value) : value;
  }

  const std::vector<Module>& modules() const { return modules_; }
  const Module* module_of(std::uint64_t address) const;
  // "accounts[2].mutex", "heap block #3 of main +16": the name of an object that may have one
  // of these sizes.
  std::string object_name(std::uint64_t address, std::span<const std::uint32_t> sizes);

 private:
  enum class Kind { other, module, stack, block };
  struct Extent {
    std::uint64_t low = 1;
    std::uint64_t high = 0;
    RegionId region = RegionId::none();
    Kind kind = Kind::other;
    RegionInfo info;  // the tables may have forgotten it
  };
  struct ThreadLocals {
    std::uint64_t high = 0;
    std::uint64_t module = 0;
    ThreadId thread;
  };
  using StackPlace = std::tuple<std::uint64_t, std::uint32_t, StringId>;  // offset, size, name

  LocationId add_location_elsewhere(std::uint64_t address, std::uint32_t size);
  std::uint64_t moved(std::uint64_t value) const;
  void note_relocated(std::uint64_t low, std::uint64_t high);
  RegionId put(std::uint64_t low, std::uint64_t high, Kind kind, const RegionInfo& info);
  // The extent around the address; good until the next call.
  const Extent& extent_of(std::uint64_t address);
  const Extent& elsewhere();
  StringId name_of_data(std::uint64_t address, std::uint32_t size);

  Tables* tables_;
  SourceNames* names_;
  absl::btree_map<std::uint64_t, Extent> extents_;  // by low end
  std::vector<Module> modules_;
  std::vector<Module> relocated_;
  std::uint64_t lowest_relocated_ = ~std::uint64_t{0};
  std::uint64_t highest_relocated_ = 0;
  Extent elsewhere_;
  Extent last_extent_;  // asked last
  absl::flat_hash_map<RegionId, absl::flat_hash_map<StackPlace, LocationId>> stack_locations_;
  std::vector<StringId> block_names_;                           // of the threads' heap blocks
  absl::btree_map<std::uint64_t, ThreadLocals> thread_locals_;  // by low end
};

}  // namespace heddle
