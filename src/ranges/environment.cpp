#include "ranges/environment.h"

#include <algorithm>

namespace heddle::ranges {

Environment::Environment(const model::Model& model, ThreadId thread)
    : shared_(model.layout.shared_words),
      first_local_(model.threads[thread].first_word),
      empty_(false) {
  slots_.resize(shared_ + model.threads[thread].end_word - first_local_);
}

Environment Environment::initial(const model::Model& model, ThreadId thread) {
  Environment made(model, thread);
  for (std::uint32_t i = 0; i < made.slots_.size(); ++i) {
    const std::uint32_t word = i < made.shared_ ? i : i - made.shared_ + made.first_local_;
    made.slots_[i] = Interval::of(model.initial_words[word]);
  }
  return made;
}

void Environment::forget_shared() {
  std::fill(slots_.begin(), slots_.begin() + shared_, Interval::none());
}

Environment Environment::declared(const model::Model& model, ThreadId thread) {
  Environment made(model, thread);
  for (std::uint32_t i = 0; i < made.slots_.size(); ++i) {
    const std::uint32_t word = i < made.shared_ ? i : i - made.shared_ + made.first_local_;
    made.slots_[i] = model.bounds_of(word);
  }
  return made;
}

Interval Environment::words(std::uint32_t first, std::uint32_t length) const {
  Interval all = word(first);
  for (std::uint32_t i = 1; i < length; ++i) all = model::join(all, word(first + i));
  return all;
}

void Environment::add(std::uint32_t word, Interval value) {
  Interval& at = slots_[slot(word)];
  at = model::join(at, value);
}

bool Environment::join_slots(const Environment& other, std::size_t first, std::size_t end) {
  bool grew = false;
  for (std::size_t i = first; i < end; ++i) {
    const Interval joined = model::join(slots_[i], other.slots_[i]);
    grew |= joined != slots_[i];
    slots_[i] = joined;
  }
  return grew;
}

bool Environment::join(const Environment& other) {
  if (other.empty()) return false;
  if (empty()) {
    *this = other;
    return true;
  }
  return join_slots(other, 0, slots_.size());
}

bool Environment::join_shared(const Environment& other) { return join_slots(other, 0, shared_); }

bool Environment::join_words(const Environment& other, const std::vector<std::uint32_t>& words) {
  bool grew = false;
  for (const std::uint32_t word : words) {
    const Interval joined = model::join(slots_[word], other.slots_[word]);
    grew |= joined != slots_[word];
    slots_[word] = joined;
  }
  return grew;
}

bool Environment::join_local(const Environment& other) {
  return join_slots(other, shared_, slots_.size());
}

void Environment::take_local(const Environment& other) {
  std::copy(other.slots_.begin() + shared_, other.slots_.end(), slots_.begin() + shared_);
}

void Environment::take_shared(const Environment& other) {
  std::copy(other.slots_.begin(), other.slots_.begin() + shared_, slots_.begin());
}

bool Environment::within(const Environment& other) const {
  if (empty()) return true;
  if (other.empty()) return false;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (!slots_[i].within(other.slots_[i])) return false;
  }
  return true;
}

}  // namespace heddle::ranges
