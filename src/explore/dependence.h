// Dependence: when two operations of different threads do not commute.
//
// This is the only place that says so; every explorer, the brute-force oracle, models and
// native processes use it. Two operations are dependent if an access of the one and an
// access of the other to the same object are, by the table below (docs/dependence.md
// has a sentence for each cell, and tests/explore/dependence_test.cpp runs both orders).
//
// The table also says what kind of order it is, for an earlier and a later access:
//   free       they commute;
//   raced      dependent, and the later one could have come first: a race to reverse;
//   enabled    dependent, but the later one was made possible by the earlier one, or by
//              what led to it, so the two cannot be swapped;
//   tentative  dependent; whether the later one could have come first depends on the
//              state (was there another token for it?), and has to be tried.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "system/operation.h"

namespace heddle {

enum class Order : std::uint8_t { free, raced, enabled, tentative };

using OrderTable = std::array<std::array<Order, kEventKindCount>, kEventKindCount>;
extern const OrderTable kOrderTable;  // by the kinds of the earlier and the later access

// The cell of the table for two accesses of different threads to the same object.
inline Order order_of(EventKind earlier, EventKind later) {
  return kOrderTable[static_cast<std::size_t>(earlier)][static_cast<std::size_t>(later)];
}

// The same, with tries: what only tries to acquire could have come first, and failed.
inline Order order_of(const Access& earlier, const Access& later) {
  const Order order = order_of(earlier.kind, later.kind);
  const bool could_fail = later.tried && (order == Order::enabled || order == Order::tentative);
  return could_fail ? Order::raced : order;
}

// Whether every access of that kind is dependent with every other access to its object,
// so that what came before on the object need not be looked at any more.
bool depends_on_all(EventKind kind);

inline bool dependent(std::span<const Access> a, std::span<const Access> b) {
  for (const Access& mine : a) {
    for (const Access& other : b) {
      if (mine.object == other.object && order_of(mine.kind, other.kind) != Order::free) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace heddle
