// What one thread can see, as intervals: the shared words and its own ones.
//
// An environment stands for all states whose words lie in their intervals. One that stands
// for no state at all is `empty`; nothing may be read from it.
#pragma once

#include <cstdint>
#include <vector>

#include "model/model.h"

namespace heddle::ranges {

using model::Interval;

class Environment {
 public:
  Environment() = default;
  // Every word has its initial value.
  static Environment initial(const model::Model& model, ThreadId thread);
  // The shared words become words of which no value is known to be possible yet.
  void forget_shared();
  // As far as declarations tell; words that nobody writes are not known here either.
  static Environment declared(const model::Model& model, ThreadId thread);

  bool empty() const { return empty_; }
  void clear() { empty_ = true; }

  Interval word(std::uint32_t word) const { return slots_[slot(word)]; }
  // What any of the words may be.
  Interval words(std::uint32_t first, std::uint32_t length) const;
  void set(std::uint32_t word, Interval value) { slots_[slot(word)] = value; }
  // The word becomes what it was or the value: for a write that may go elsewhere.
  void add(std::uint32_t word, Interval value);

  // Each says whether this environment grew.
  bool join(const Environment& other);
  bool join_shared(const Environment& other);
  // Only those shared words.
  bool join_words(const Environment& other, const std::vector<std::uint32_t>& words);
  bool join_local(const Environment& other);
  void take_local(const Environment& other);
  void take_shared(const Environment& other);

  std::uint32_t shared_count() const { return shared_; }
  std::uint32_t local_count() const { return static_cast<std::uint32_t>(slots_.size()) - shared_; }
  Interval shared(std::uint32_t index) const { return slots_[index]; }
  Interval local(std::uint32_t index) const { return slots_[shared_ + index]; }
  bool within(const Environment& other) const;

 private:
  Environment(const model::Model& model, ThreadId thread);
  std::uint32_t slot(std::uint32_t word) const {
    return word < shared_ ? word : word - first_local_ + shared_;
  }
  bool join_slots(const Environment& other, std::size_t first, std::size_t end);

  std::uint32_t shared_ = 0;       // words, which come first
  std::uint32_t first_local_ = 0;  // the thread's first own word
  std::vector<Interval> slots_;
  bool empty_ = true;
};

}  // namespace heddle::ranges
