#include "record/address_space.h"

#include <filesystem>

#include <fmt/format.h>

#include "runtime/wire.h"

namespace heddle {

void AddressSpace::note_relocated(std::uint64_t low, std::uint64_t high) {
  const std::uint64_t canonical = wire::kCanonicalBase + relocated_.size() * wire::kCanonicalStep;
  relocated_.push_back({low, high, {}, canonical});
  lowest_relocated_ = std::min(lowest_relocated_, low);
  highest_relocated_ = std::max(highest_relocated_, high);
}

void AddressSpace::add_module(std::uint64_t low, std::uint64_t high, const std::string& path) {
  note_relocated(low, high);
  const bool is_program = modules_.empty();
  modules_.push_back({low, high, path, relocated_.back().canonical});
  names_->add_module(low, high, path);
  const std::string name = is_program ? "program" : std::filesystem::path(path).filename();
  put(low, high, Kind::module, {.name = tables_->strings.intern(name)});
}

RegionId AddressSpace::add_stack(std::uint64_t low, std::uint64_t high, std::string_view name) {
  return put(low, high, Kind::stack, {.name = tables_->strings.intern(name)});
}

RegionId AddressSpace::add_relocated(std::uint64_t low, std::uint64_t high, std::string_view name) {
  note_relocated(low, high);
  return add(low, high, name);
}

RegionId AddressSpace::add(std::uint64_t low, std::uint64_t high, std::string_view name) {
  return put(low, high, Kind::other, {.name = tables_->strings.intern(name)});
}

RegionId AddressSpace::add_block(std::uint64_t low, std::uint64_t high, ThreadId thread,
                                 std::uint64_t number, SiteId site) {
  if (thread.value() >= block_names_.size()) block_names_.resize(thread.value() + 1);
  StringId& name = block_names_[thread.value()];
  if (!name.valid()) {
    name = tables_->strings.intern(fmt::format("heap block # of {}", tables_->describe(thread)));
  }
  return put(low, high, Kind::block, {.name = name, .allocated_at = site, .number = number});
}

RegionId AddressSpace::put(std::uint64_t low, std::uint64_t high, Kind kind,
                           const RegionInfo& info) {
  remove(low);
  Extent extent{low, high, RegionId::none(), kind, info};
  extent.info.size = high - low;
  extent.region = tables_->regions.add(extent.info);
  last_extent_ = extents_[low] = extent;
  return extent.region;
}

RegionId AddressSpace::remove(std::uint64_t low) {
  const auto found = extents_.find(low);
  if (found == extents_.end()) return RegionId::none();
  const RegionId region = found->second.region;
  stack_locations_.erase(region);
  extents_.erase(found);
  last_extent_ = Extent();
  return region;
}

const AddressSpace::Extent& AddressSpace::elsewhere() {
  if (!elsewhere_.region.valid()) {
    elsewhere_.low = 0;
    elsewhere_.info.name = tables_->strings.intern("memory");
    elsewhere_.region = tables_->regions.add(elsewhere_.info);
  }
  return elsewhere_;
}

const AddressSpace::Extent& AddressSpace::extent_of(std::uint64_t address) {
  if (address >= last_extent_.low && address < last_extent_.high) return last_extent_;
  auto after = extents_.upper_bound(address);
  if (after != extents_.begin()) {
    --after;
    if (address < after->second.high) return last_extent_ = after->second;
  }
  return elsewhere();
}

// Names of heap blocks say enough about what is in them; variables have their own.
StringId AddressSpace::name_of_data(std::uint64_t address, std::uint32_t size) {
  const std::string name = names_->data_name(address, size);
  return name.empty() ? StringId::none() : tables_->strings.intern(name);
}

LocationId AddressSpace::add_location_elsewhere(std::uint64_t address, std::uint32_t size) {
  const Extent& extent = extent_of(address);
  if (extent.kind == Kind::stack) return LocationId::none();
  const StringId name = extent.kind == Kind::block    ? StringId::none()
                        : extent.kind == Kind::module ? name_of_data(address, size)
                                                      : thread_local_name(address, size);
  return tables_->locations.add({name, extent.region, address - extent.low, size});
}

void AddressSpace::add_thread_locals(std::uint64_t low, std::uint64_t high, std::uint64_t module,
                                     ThreadId thread) {
  thread_locals_[low] = {high, module, thread};
}

StringId AddressSpace::thread_local_name(std::uint64_t address, std::uint32_t size) {
  auto after = thread_locals_.upper_bound(address);
  if (after == thread_locals_.begin()) return StringId::none();
  --after;
  const ThreadLocals& block = after->second;
  if (address >= block.high) return StringId::none();
  const std::string name = names_->thread_local_name(block.module, address - after->first, size);
  if (name.empty()) return StringId::none();
  return tables_->strings.intern(fmt::format("{} of {}", name, tables_->describe(block.thread)));
}

LocationId AddressSpace::stack_location(std::uint64_t address, std::uint32_t size, StringId name) {
  const Extent& extent = extent_of(address);
  const std::uint64_t offset = address - extent.low;
  const auto [known, is_new] =
      stack_locations_[extent.region].try_emplace(StackPlace(offset, size, name));
  if (is_new) known->second = tables_->locations.add({name, extent.region, offset, size});
  return known->second;
}

std::uint64_t AddressSpace::moved(std::uint64_t value) const {
  for (const Module& module : relocated_) {
    if (value >= module.low && value < module.high) return value - module.low + module.canonical;
  }
  return value;
}

const Module* AddressSpace::module_of(std::uint64_t address) const {
  for (const Module& module : modules_) {
    if (address >= module.low && address < module.high) return &module;
  }
  return nullptr;
}

std::string AddressSpace::object_name(std::uint64_t address, std::span<const std::uint32_t> sizes) {
  const Extent& extent = extent_of(address);
  const std::string name =
      extent.kind == Kind::module ? names_->object_name(address, sizes) : std::string();
  return name.empty() ? tables_->describe_part(extent.info, address - extent.low) : name;
}

}  // namespace heddle
