// The memory of a program that several of its threads touch, as ranges of canonical
// addresses (runtime/wire.h).
//
// A range more than needed does no harm: what lies in it is recorded although one thread alone
// touches it. So where there are very many ranges, neighbours are joined, and neither memory
// nor the note in the trace that keeps them grows without bound.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "runtime/wire.h"

namespace heddle {

class SharedRanges {
 public:
  explicit SharedRanges(std::size_t most = std::size_t{1} << 18) : most_(most) {}

  void add(std::uint64_t low, std::uint64_t high);
  // Ascending, without overlaps, at most so many.
  const std::vector<wire::Range>& ranges();
  // Whether there is nothing more in the ranges than was added, so far.
  bool exact() const { return gap_ == 0; }

 private:
  void tidy();

  std::size_t most_;
  std::uint64_t gap_ = 0;  // ranges that are not further apart are joined
  std::vector<wire::Range> ranges_;
};

// As a note in a trace: distances and lengths in granules of eight bytes, in hexadecimal.
std::string text_of(const std::vector<wire::Range>& ranges);
Result<std::vector<wire::Range>> ranges_of_text(std::string_view text);

}  // namespace heddle
