// What the records of a run say about memory that several threads touch.
//
// A scout tells it piece by piece, a first try what it did not expect. Of a first look also the
// blocks of the heap are told: where they were allocated whose memory became shared is what the
// forecast is made of (runtime/forecast.h).
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "record/shared_ranges.h"
#include "runtime/wire.h"

namespace heddle {

class SharedMemory {
 public:
  // `expected`: by canonical addresses.
  explicit SharedMemory(const std::vector<wire::Range>& expected = {});

  void take(std::span<const wire::Record> records);
  // Whether something was shared after it had been touched, so that the records lack that.
  bool late() const { return late_; }
  // Whether ranges() has nothing but what was told and expected.
  bool exact() const { return shared_.exact(); }
  const std::vector<wire::Range>& ranges() { return shared_.ranges(); }
  // What is to be expected after a first look: other parts of small blocks, and other blocks from
  // the same places.
  std::vector<wire::Range> forecast();
  std::vector<wire::AllocationSite> sites() const { return {sites_.begin(), sites_.end()}; }

 private:
  struct Block {
    std::uint64_t high;
    wire::AllocationSite site;
    bool shared = false;
  };
  void take(const wire::Record& record);
  void add_region(const wire::Record& record);
  void add_block(const wire::Record& record);
  void add_shared(std::uint64_t low, std::uint64_t high);
  void expect_block_at(std::uint64_t address);
  std::uint64_t canonical(std::uint64_t address) const;

  std::vector<wire::Range> relocated_;  // in the order in which they came
  std::map<std::uint64_t, Block> blocks_;
  std::vector<wire::Range> small_blocks_;
  SharedRanges shared_;
  std::set<wire::AllocationSite> sites_;
  bool late_ = false;
};

}  // namespace heddle
