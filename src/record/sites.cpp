#include "record/sites.h"

namespace heddle {

void Sites::define_stack(std::uint32_t node, std::uint32_t caller, std::uint64_t pc) {
  if (calls_.size() <= node) calls_.resize(node + 1);
  calls_[node] = {caller, pc};
}

// An address in the program itself is as the linker made it, so that other tools know it.
Site Sites::place(std::uint64_t pc) {
  Site site;
  const std::uint64_t address = pc - 1;  // inside the call, not behind it
  const Module* module = space_->module_of(address);
  if (module == nullptr) {
    site.address = address;
  } else if (module == space_->modules().data()) {
    site.address = address - module->low;
  } else {
    site.address = address - module->low + module->canonical;
  }
  return site;
}

SiteId Sites::site(std::uint32_t stack, std::uint64_t pc) {
  if (pc == 0) return SiteId::none();
  Recent& recent = recent_[(pc ^ pc >> 12 ^ stack * 0x9e37) & (recent_.size() - 1)];
  if (recent.pc != pc || recent.stack != stack) recent = {pc, stack, find(stack, pc)};
  return recent.site;
}

SiteId Sites::find(std::uint32_t stack, std::uint64_t pc) {
  const auto found = sites_.find({stack, pc});
  if (found != sites_.end()) return found->second;
  Site place_of_pc = place(pc);
  if (stack != 0 && stack < calls_.size()) {
    place_of_pc.caller = site(calls_[stack].caller, calls_[stack].pc);
  }
  const SiteId id = tables_->sites.add(place_of_pc);
  sites_.emplace(std::pair(stack, pc), id);
  return id;
}

}  // namespace heddle
