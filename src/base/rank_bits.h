// A growing bit vector that counts the ones before any position in constant time.
//
// One 32-bit counter stands beside each 64-bit word, so a bit costs 1.5 bits. It
// turns "which of the things that only some elements have belongs to element i"
// into an array access: store those things densely, at rank(i).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle {

class RankBits {
 public:
  void push_back(bool bit) {
    if (size_ % 64 == 0) {
      words_.push_back(0);
      ones_before_.push_back(ones_);
    }
    words_.back() |= std::uint64_t{bit} << (size_ % 64);
    ones_ += bit;
    ++size_;
  }

  bool operator[](std::size_t i) const { return (words_[i / 64] >> (i % 64) & 1) != 0; }

  // How many of the bits 0 .. i-1 are ones.
  std::uint32_t rank(std::size_t i) const {
    if (i == size_) return ones_;
    const std::uint64_t below = words_[i / 64] & ((std::uint64_t{1} << (i % 64)) - 1);
    return ones_before_[i / 64] + static_cast<std::uint32_t>(std::popcount(below));
  }

  std::size_t size() const { return size_; }
  std::uint32_t ones() const { return ones_; }

  void shrink() {
    words_.shrink_to_fit();
    ones_before_.shrink_to_fit();
  }
  std::size_t memory_bytes() const {
    return words_.capacity() * sizeof(std::uint64_t) +
           ones_before_.capacity() * sizeof(std::uint32_t);
  }

  friend bool operator==(const RankBits&, const RankBits&) = default;

 private:
  std::vector<std::uint64_t> words_;
  std::vector<std::uint32_t> ones_before_;
  std::size_t size_ = 0;
  std::uint32_t ones_ = 0;
};

}  // namespace heddle
