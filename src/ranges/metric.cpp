#include "ranges/metric.h"

#include <bit>

namespace heddle::ranges {

std::uint32_t bits_of(Interval interval) {
  if (interval.empty()) return 0;
  const auto distance =
      static_cast<std::uint64_t>(interval.high) - static_cast<std::uint64_t>(interval.low);
  return static_cast<std::uint32_t>(std::bit_width(distance));
}

Metric measure(const Graph& graph, const Propagation& propagation) {
  Metric made;
  const std::uint32_t shared = graph.program().model().layout.shared_words;
  for (const std::vector<Write>& writes : propagation.record.written) {
    for (const Write& write : writes) {
      (write.first_word < shared ? made.global : made.local) += bits_of(write.value);
    }
  }
  for (const TransactionEdge& transaction : graph.transactions()) {
    const Environment& at = propagation.at_node[transaction.source];
    for (std::uint32_t word = 0; !at.empty() && word < shared; ++word) {
      made.global += bits_of(at.shared(word));
    }
  }
  return made;
}

}  // namespace heddle::ranges
