// How many of the programs tests take: all, or every eighth where Heddle itself is sanitized, since
// there everything takes long and a program says little about Heddle that another one does not.
#pragma once

#include <cstddef>
#include <vector>

namespace heddle {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

inline constexpr std::size_t kSampleStep = kSanitized ? 8 : 1;

template <typename T>
std::vector<T> sample_of(const std::vector<T>& all) {
  std::vector<T> sample;
  for (std::size_t i = 0; i < all.size(); i += kSampleStep) sample.push_back(all[i]);
  return sample;
}

}  // namespace heddle
