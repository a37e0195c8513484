// Places in the program: a stack and an address in it become a site of the trace, with the
// sites of its callers. Calls that the compiler inlined are callers like others.
//
// A stack is looked up in the debug information once; a site that two stacks share is stored
// once. Calls by the runtime itself are left out, so a stack ends at main() or at the function
// of a thread.
#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "record/address_space.h"
#include "record/source_names.h"
#include "trace/tables.h"

namespace heddle {

class Sites {
 public:
  Sites(Tables& tables, const AddressSpace& space, SourceNames& names)
      : tables_(&tables), space_(&space), names_(&names) {}

  // Stack `node` is a call that returns to `pc`, made from the stack `caller`. 0 is the
  // empty stack.
  void define_stack(std::uint32_t node, std::uint32_t caller, std::uint64_t pc);
  // Where the call of the stack `outer` goes on when a thread is at `pc` of the stack `inner`; 0 if
  // it is not in that call, or too deep in it to tell.
  std::uint64_t return_address(std::uint32_t outer, std::uint32_t inner, std::uint64_t pc) const;
  // `pc` is the address after a call; 0 is no site.
  SiteId site(std::uint32_t stack, std::uint64_t pc) {
    if (pc == 0) return SiteId::none();
    const std::uint64_t mixed = pc ^ pc >> 12 ^ stack * std::uint64_t{0x9e37};
    Recent& recent = recent_[mixed % kRecent];
    if (recent.pc != pc || recent.stack != stack) [[unlikely]]
      recent = {pc, stack, find(stack, pc)};
    return recent.site;
  }

 private:
  struct Call {
    std::uint32_t caller = 0;
    bool known = false;  // what `site` is
    std::uint64_t pc = 0;
    SiteId site = SiteId::none();  // of the call; none if nothing is to be shown of it
  };
  struct Recent {
    std::uint64_t pc = 0;
    std::uint32_t stack = 0;
    SiteId site;
  };
  using Key = std::tuple<StringId, std::uint32_t, std::uint32_t, StringId, std::uint64_t, SiteId>;

  SiteId find(std::uint32_t stack, std::uint64_t pc);
  SiteId call_site(std::uint32_t stack);
  SiteId add_place(std::uint64_t address, SiteId caller);
  SiteId add_unknown_place(std::uint64_t address, SiteId caller);
  SiteId intern(const Site& site);

  Tables* tables_;
  const AddressSpace* space_;
  SourceNames* names_;
  static constexpr std::size_t kRecent = std::size_t{1} << 12;
  std::vector<Recent> recent_ = std::vector<Recent>(kRecent);
  std::vector<Call> calls_;
  std::vector<std::uint32_t> path_;  // of call_site, kept for its memory
  absl::flat_hash_map<std::pair<std::uint32_t, std::uint64_t>, SiteId> sites_;
  absl::flat_hash_map<Key, SiteId> stored_;
};

}  // namespace heddle
