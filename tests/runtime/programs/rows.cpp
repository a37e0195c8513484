// Walks through memory that threads share, in all the ways that make rows of accesses and break
// them: each size, forwards and backwards, unrolled, with holes, with private accesses in between,
// over a page's end, from places that take turns, and copies of structs.
#include <array>
#include <cassert>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace {

struct Pair {
  std::uint64_t first, second;
};

std::mutex mutex;
alignas(4096) std::uint8_t bytes[3 * 4096];
std::array<Pair, 600> pairs;

// Numbers that depend on nothing but the seed.
struct Numbers {
  std::uint32_t state;
  std::uint32_t below(std::uint32_t limit) {
    state = state * 1664525 + 1013904223;
    return (state >> 8) % limit;
  }
};

template <typename T>
void fill(T* from, std::size_t count, T value) {
  for (std::size_t i = 0; i < count; ++i) from[i] = static_cast<T>(value + i);
}

template <typename T>
std::uint64_t sum(const T* from, std::size_t count) {
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < count; ++i) total += from[i];
  return total;
}

template <typename T>
std::uint64_t sum_by_fours(const T* from, std::size_t count) {
  std::uint64_t total = 0;
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    total += from[i];
    total += from[i + 1] * 2u;
    total += from[i + 2] * 3u;
    total += from[i + 3] * 5u;
  }
  for (; i < count; ++i) total += from[i] * 7u;
  return total;
}

template <typename T>
void backwards(T* from, std::size_t count) {
  for (std::size_t i = count; i-- > 0;) from[i] = static_cast<T>(from[i] + 1);
}

template <typename T>
std::uint64_t every_other(const T* from, std::size_t count) {
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < count; i += 2) total += from[i];
  return total;
}

// The place of each access depends on the one before.
template <typename T>
std::uint64_t in_turns(const T* from, std::size_t count, Numbers& numbers) {
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (numbers.below(3) == 0) {
      total += from[i] * 3u;
    } else {
      total ^= from[i] + 1u;
    }
  }
  return total;
}

template <typename T>
void with_private(T* from, std::size_t count, std::vector<std::uint64_t>& own) {
  for (std::size_t i = 0; i < count; ++i) {
    own[i % own.size()] += from[i];
    from[i] = static_cast<T>(own[(i + 1) % own.size()]);
  }
}

template <typename T>
std::uint64_t walk(Numbers& numbers, std::vector<std::uint64_t>& own) {
  constexpr std::size_t kCount = sizeof bytes / sizeof(T) - 1;
  const std::size_t count = 1 + numbers.below(numbers.below(4) == 0 ? 700 : 20);
  const std::size_t last = kCount - (count < kCount ? count : kCount);
  const std::size_t start = numbers.below(static_cast<std::uint32_t>(last + 1));
  T* const from = reinterpret_cast<T*>(bytes + (numbers.below(8) == 0 ? 1 : 0)) + start;
  switch (numbers.below(7)) {
    case 0: fill(from, count, static_cast<T>(numbers.below(100))); return 0;
    case 1: return sum(from, count);
    case 2: return sum_by_fours(from, count);
    case 3: backwards(from, count); return 0;
    case 4: return every_other(from, count);
    case 5: return in_turns(from, count, numbers);
    default: with_private(from, count, own); return 0;
  }
}

void copy_pairs(Numbers& numbers) {
  const std::uint32_t count = 1 + numbers.below(30);
  const std::uint32_t from = numbers.below(200);
  for (std::uint32_t i = 0; i < count; ++i) pairs[from + 300 + i] = pairs[from + i];
  for (std::uint32_t i = 0; i < count; ++i) pairs[from + i].first += i;
}

void run(std::uint32_t seed) {
  Numbers numbers{seed};
  std::vector<std::uint64_t> own(8);
  for (int i = 0; i < 30; ++i) {
    const std::lock_guard lock(mutex);
    switch (numbers.below(5)) {
      case 0: own[0] += walk<std::uint8_t>(numbers, own); break;
      case 1: own[1] += walk<std::uint16_t>(numbers, own); break;
      case 2: own[2] += walk<std::uint32_t>(numbers, own); break;
      case 3: own[3] += walk<std::uint64_t>(numbers, own); break;
      default: copy_pairs(numbers);
    }
  }
}

}  // namespace

int main() {
  std::vector<std::thread> threads;
  for (std::uint32_t i = 0; i < 3; ++i) threads.emplace_back(run, i * 77 + 1);
  for (std::thread& thread : threads) thread.join();
}
