// A program that does whatever its seed says: threads that touch globals, their own and each
// other's stacks and heap blocks, in all sizes, aligned or not, by plain, atomic and range
// accesses, with locks and without.
//
//   random_program SEED
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

namespace {

constexpr int kSlots = 6;
constexpr int kBytes = 96;

unsigned char globals[4 * kBytes];
std::atomic<std::uint64_t> counters[4];
std::mutex mutex;
unsigned char* handed_over[kSlots];  // heap blocks on their way to somebody else

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  unsigned below(unsigned bound) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<unsigned>((state_ >> 33) % bound);
  }

 private:
  std::uint64_t state_;
};

template <typename T>
void change(unsigned char* place, unsigned by) {
  T value;
  __builtin_memcpy(&value, place, sizeof value);
  value = static_cast<T>(value + by);
  __builtin_memcpy(place, &value, sizeof value);
}

// Somewhere in kBytes bytes.
void touch(Dice& dice, unsigned char* memory) {
  unsigned char* place = memory + dice.below(kBytes - 16);
  unsigned char* aligned = memory + dice.below(kBytes / 8 - 2) * 8;
  switch (dice.below(8)) {
    case 0: change<std::uint8_t>(place, 1); break;
    case 1: change<std::uint16_t>(aligned + 2, 3); break;
    case 2: change<std::uint32_t>(aligned, 5); break;
    case 3: change<std::uint32_t>(aligned + 4, 7); break;
    case 4: change<std::uint64_t>(aligned, 9); break;
    case 5: change<std::uint64_t>(place, 11); break;  // perhaps over the end of a granule
    case 6: std::memset(place, 1, dice.below(16)); break;
    default: std::memcpy(place, memory, dice.below(16)); break;
  }
}

unsigned char* new_block() {
  auto* block = static_cast<unsigned char*>(std::malloc(kBytes));
  std::memset(block, 0, kBytes);
  return block;
}

void hand_over(Dice& dice) {
  const std::lock_guard lock(mutex);
  unsigned char*& slot = handed_over[dice.below(kSlots)];
  if (slot != nullptr) {
    touch(dice, slot);
    std::free(slot);
    slot = nullptr;
  } else {
    // Perhaps somebody else is the first to touch it.
    slot = static_cast<unsigned char*>(std::malloc(kBytes));
    if (dice.below(2) == 0) touch(dice, slot);
  }
}

void work(std::uint64_t seed, int depth, unsigned char* of_parent);

void start_child(Dice& dice, int depth, unsigned char* own) {
  std::thread child(work, dice.below(1u << 30), depth + 1, own);
  for (unsigned i = dice.below(6); i > 0; --i) touch(dice, own);
  child.join();
}

void work(std::uint64_t seed, int depth, unsigned char* of_parent) {
  Dice dice(seed);
  unsigned char own[kBytes] = {};
  unsigned char* heap = new_block();
  for (unsigned i = 4 + dice.below(20); i > 0; --i) {
    switch (dice.below(12)) {
      case 0:
      case 1: touch(dice, globals + dice.below(4) * kBytes); break;
      case 2: counters[dice.below(4)].fetch_add(i); break;
      case 3: hand_over(dice); break;
      case 4: touch(dice, of_parent); break;
      case 5:
        if (depth < 2) start_child(dice, depth, own);
        break;
      case 6:
        std::free(heap);
        heap = new_block();
        break;
      case 7:
        heap = static_cast<unsigned char*>(std::realloc(heap, kBytes + dice.below(64)));
        break;
      case 8:
      case 9: touch(dice, own); break;
      default: touch(dice, heap); break;
    }
  }
  std::free(heap);
}

}  // namespace

int main(int, char** arguments) {
  const std::uint64_t seed = std::strtoull(arguments[1], nullptr, 10);
  Dice dice(seed);
  unsigned char own[kBytes] = {};
  touch(dice, globals);
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 2 + dice.below(3); ++i) threads.emplace_back(work, seed + i, 0, own);
  for (std::thread& thread : threads) thread.join();
  for (unsigned char* block : handed_over) std::free(block);
}
