// A set of shared words, by number.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace heddle::ranges {

class WordSet {
 public:
  bool contains(std::uint32_t word) const {
    return word / 64 < bits_.size() && (bits_[word / 64] >> (word % 64) & 1) != 0;
  }
  void insert(std::uint32_t word) {
    if (word / 64 >= bits_.size()) bits_.resize(word / 64 + 1, 0);
    bits_[word / 64] |= std::uint64_t{1} << (word % 64);
  }
  // Says whether this set grew.
  bool join(const WordSet& other) {
    if (other.bits_.size() > bits_.size()) bits_.resize(other.bits_.size(), 0);
    bool grew = false;
    for (std::size_t i = 0; i < other.bits_.size(); ++i) {
      grew |= (other.bits_[i] & ~bits_[i]) != 0;
      bits_[i] |= other.bits_[i];
    }
    return grew;
  }
  bool within(const WordSet& other) const {
    for (std::size_t i = 0; i < bits_.size(); ++i) {
      const std::uint64_t theirs = i < other.bits_.size() ? other.bits_[i] : 0;
      if ((bits_[i] & ~theirs) != 0) return false;
    }
    return true;
  }
  // Calls visit(word), lowest first.
  template <typename Visit>
  void for_each(const Visit& visit) const {
    for (std::size_t i = 0; i < bits_.size(); ++i) {
      for (std::uint64_t left = bits_[i]; left != 0; left &= left - 1) {
        visit(static_cast<std::uint32_t>(64 * i) +
              static_cast<std::uint32_t>(std::countr_zero(left)));
      }
    }
  }

 private:
  std::vector<std::uint64_t> bits_;
};

}  // namespace heddle::ranges
