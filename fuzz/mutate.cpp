#include "fuzz/mutate.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace heddle::fuzz {
namespace {

// A place in the bytes: [first, first + size).
struct Part {
  std::size_t first;
  std::size_t size;
};

Part some_part(std::string_view bytes, std::size_t longest, Random& random) {
  const std::size_t first = random.below(bytes.size() + 1);
  return {first, std::min(random.below(longest) + 1, bytes.size() - first)};
}

void flip_bit(std::string& bytes, std::string_view, Random& random) {
  if (bytes.empty()) return;
  char& byte = bytes[random.below(bytes.size())];
  byte = static_cast<char>(byte ^ 1 << random.below(8));
}

void change_byte(std::string& bytes, std::string_view, Random& random) {
  if (bytes.empty()) return;
  bytes[random.below(bytes.size())] = static_cast<char>(random.below(256));
}

void cut_end(std::string& bytes, std::string_view, Random& random) {
  bytes.resize(random.below(bytes.size() + 1));
}

void remove_part(std::string& bytes, std::string_view, Random& random) {
  const Part part = some_part(bytes, 100, random);
  bytes.erase(part.first, part.size);
}

void double_part(std::string& bytes, std::string_view, Random& random) {
  const Part part = some_part(bytes, 200, random);
  const std::string copy = bytes.substr(part.first, part.size);
  bytes.insert(part.first, copy);
}

void exchange_parts(std::string& bytes, std::string_view, Random& random) {
  const Part part = some_part(bytes, 200, random);
  const std::string copy = bytes.substr(part.first, part.size);
  bytes.erase(part.first, part.size);
  bytes.insert(random.below(bytes.size() + 1), copy);
}

void insert_bytes(std::string& bytes, std::string_view, Random& random) {
  std::string inserted(random.below(20) + 1, '\0');
  for (char& byte : inserted) byte = static_cast<char>(random.below(256));
  bytes.insert(random.below(bytes.size() + 1), inserted);
}

void splice_other(std::string& bytes, std::string_view other, Random& random) {
  const Part part = some_part(other, 1000, random);
  const Part replaced = some_part(bytes, 1000, random);
  bytes.replace(replaced.first, replaced.size, other.substr(part.first, part.size));
}

void join_other(std::string& bytes, std::string_view other, Random& random) {
  bytes.resize(random.below(bytes.size() + 1));
  bytes += other.substr(random.below(other.size() + 1));
}

// Where a length or a number stands, the smallest and largest ones do most harm.
void put_extreme(std::string& bytes, std::string_view, Random& random) {
  using namespace std::string_view_literals;
  constexpr std::array kExtremes = {
      "\0"sv,
      "\0\0\0\0"sv,
      "\x7f"sv,
      "\x80"sv,
      "\xff"sv,
      "\xff\xff"sv,
      "\xff\xff\xff\x7f"sv,
      "\0\0\0\x80"sv,
      "\xff\xff\xff\xff"sv,
      "\xff\xff\xff\xff\x0f"sv,
      "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80"sv,
      "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"sv,
      "18446744073709551615"sv,
      "-1"sv,
      "4294967295"sv,
      "1e999"sv,
  };
  const std::string_view extreme = kExtremes[random.below(kExtremes.size())];
  const std::size_t at = random.below(bytes.size() + 1);
  const std::size_t replaced = random.one_in(2) ? extreme.size() : 1;
  bytes.replace(at, std::min(replaced, bytes.size() - at), extreme);
}

constexpr std::array kMutations = {flip_bit,    change_byte,    cut_end,      remove_part,
                                   double_part, exchange_parts, insert_bytes, splice_other,
                                   join_other,  put_extreme};

}  // namespace

std::string mutate(std::string_view bytes, std::string_view other, Random& random) {
  std::string mutated(bytes);
  do {
    kMutations[random.below(kMutations.size())](mutated, other, random);
  } while (random.one_in(2));
  return mutated;
}

std::string truncate(std::string_view bytes, Random& random) {
  return std::string(bytes.substr(0, random.below(bytes.size())));
}

}  // namespace heddle::fuzz
