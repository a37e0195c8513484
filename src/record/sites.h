// Places in the program: a stack and an address in it become a site of the trace, with the
// sites of its callers.
#pragma once

#include <cstdint>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "record/address_space.h"
#include "trace/tables.h"

namespace heddle {

class Sites {
 public:
  Sites(Tables& tables, const AddressSpace& space) : tables_(&tables), space_(&space) {}

  // Stack `node` is a call that returns to `pc`, made from the stack `caller`. 0 is the
  // empty stack.
  void define_stack(std::uint32_t node, std::uint32_t caller, std::uint64_t pc);
  // `pc` is the address after a call; 0 is no site.
  SiteId site(std::uint32_t stack, std::uint64_t pc);

 private:
  struct Call {
    std::uint32_t caller = 0;
    std::uint64_t pc = 0;
  };
  Site place(std::uint64_t pc);

  struct Recent {
    std::uint64_t pc = 0;
    std::uint32_t stack = 0;
    SiteId site;
  };
  SiteId find(std::uint32_t stack, std::uint64_t pc);

  Tables* tables_;
  const AddressSpace* space_;
  std::vector<Recent> recent_ = std::vector<Recent>(1 << 12);
  std::vector<Call> calls_;
  absl::flat_hash_map<std::pair<std::uint32_t, std::uint64_t>, SiteId> sites_;
};

}  // namespace heddle
