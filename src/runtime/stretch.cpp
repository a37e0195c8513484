#include "runtime/stretch.h"

namespace heddle::runtime {

void Stretches::add(Interval added) {
  std::uint32_t place = 0;
  while (place < count_ && intervals_[place].high + 1u < added.low) ++place;
  while (place < count_ && intervals_[place].low <= added.high + 1u) {
    if (intervals_[place].low < added.low) added.low = intervals_[place].low;
    if (intervals_[place].high > added.high) added.high = intervals_[place].high;
    remove_at(place);
  }
  for (std::uint32_t i = count_; i > place; --i) intervals_[i] = intervals_[i - 1];
  intervals_[place] = added;
  if (++count_ > kMost) forget_shortest();
}

void Stretches::remove_at(std::uint32_t place) {
  --count_;
  for (std::uint32_t i = place; i < count_; ++i) intervals_[i] = intervals_[i + 1];
}

void Stretches::forget_shortest() {
  std::uint32_t shortest = 0;
  for (std::uint32_t i = 1; i < count_; ++i) {
    if (intervals_[i].length() < intervals_[shortest].length()) shortest = i;
  }
  remove_at(shortest);
}

}  // namespace heddle::runtime
