// Records of events that are random in everything, for tests that must hold for any input.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "trace/event.h"
#include "trace/tables.h"

namespace heddle {

// A few objects of every type and kind, with locations that overlap.
Tables tables_for_random_records();

// Events with numbers that are defined in the tables, and otherwise any. Each run draws
// some kinds of objects that its events are about, so that they meet often.
class RandomRecords {
 public:
  RandomRecords(const Tables& tables, std::uint64_t seed);

  EventRecord next();
  std::vector<EventRecord> next(std::size_t count);
  std::uint32_t below(std::size_t bound) { return static_cast<std::uint32_t>(random_() % bound); }

 private:
  EventKind kind();
  std::uint8_t detail(EventKind kind);

  const Tables* tables_;
  std::mt19937_64 random_;
  std::vector<EventKind> kinds_;
};

}  // namespace heddle
