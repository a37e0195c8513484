#include "ranges/program_order.h"

#include <algorithm>

namespace heddle::ranges {

ProgramOrder::ProgramOrder(const Flow& flow, const Conflicts& steps)
    : flow_(flow), ordinal_(flow.size(), 0), branching_(flow.model().threads.size()) {
  for (const ThreadId thread : indices(branching_)) {
    std::uint32_t next = 0;
    bool branches = false;
    for (const PointId step : steps.steps_of(thread)) {
      ordinal_[step] = next++;
      branches = branches || steps.targets(step).size() > 1;
    }
    if (branches) fill(thread, steps);
  }
}

void ProgramOrder::fill(ThreadId thread, const Conflicts& steps) {
  Branching& made = branching_[thread];
  const auto all = steps.steps_of(thread);
  made.words = (all.size() + 63) / 64;
  made.bits.assign(all.size() * made.words, 0);
  for (std::size_t i = all.size(); i-- > 0;) {
    std::uint64_t* const row = made.bits.data() + i * made.words;
    row[i / 64] |= std::uint64_t{1} << (i % 64);
    for (const PointId target : steps.targets(all[i])) {
      const std::uint64_t* const from = made.bits.data() + ordinal_[target] * made.words;
      std::transform(row, row + made.words, from, row, std::bit_or<>());
    }
  }
}

}  // namespace heddle::ranges
