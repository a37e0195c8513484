#include "ranges/record.h"

#include <algorithm>

namespace heddle::ranges {
namespace {

// The words of both, and the values of both.
Write joined(const Write& a, const Write& b) {
  const std::uint32_t first = std::min(a.first_word, b.first_word);
  const std::uint32_t end = std::max(a.first_word + a.length, b.first_word + b.length);
  return {a.update, first, end - first, model::join(a.value, b.value), a.certain && b.certain};
}

}  // namespace

void Record::arrive(PointId point, const Environment& environment) {
  std::vector<Interval>& at = local[point];
  const bool fresh = at.empty();
  at.resize(std::max<std::size_t>(environment.local_count(), 1));
  for (std::uint32_t i = 0; i < environment.local_count(); ++i) {
    at[i] = fresh ? environment.local(i) : model::join(at[i], environment.local(i));
  }
}

void Record::write(std::uint32_t edge, const Outcome& outcome) {
  std::vector<Write>& at = written[edge];
  for (const Write& made : outcome.writes) {
    const auto same = std::find_if(at.begin(), at.end(),
                                   [&](const Write& known) { return known.update == made.update; });
    if (same == at.end()) {
      at.push_back(made);
    } else {
      *same = joined(*same, made);
    }
  }
}

}  // namespace heddle::ranges
